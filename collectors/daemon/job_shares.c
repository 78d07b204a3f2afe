/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_shares.c - what a job gets of the CPUs of its nodes, for its tasks
 *
 * Plan: the request, with the list of nodes in its path; the text of the file
 * from the reply; the file (job_answer.h).
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/daemon/job_answer.h"
#include "collectors/daemon/job_shares.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/wire/wire.h"

#define TEXT_SIZE 16384

/* A job that started longer ago was started before collectord. */
#define LATE_S 5.0

static int format_path(const char *cluster, const char *nodes,
		       char ret[JOB_ANSWER_PATH_SIZE])
{
	char before[RUN_NAME_SIZE + 32];

	snprintf(before, sizeof(before),
		 "/v1/shares?cluster=%s&nodes=", cluster);
	return job_answer_path(before, nodes, ret);
}

/* "n1=0.49,"; what does not fit, or is not known, is left out. */
static size_t add_share(struct json_object *element, char text[TEXT_SIZE],
			size_t used)
{
	struct json_object *node, *share;

	if (!json_object_object_get_ex(element, "node", &node) ||
	    !json_object_object_get_ex(element, "share", &share) || !share)
		return used;

	const char *name = json_object_get_string(node);
	double part = json_object_get_double(share);

	if (!(part >= 0 && part <= 1) || strpbrk(name, "\n=,") ||
	    used + strlen(name) + 32 > TEXT_SIZE)
		return used;
	return used + (size_t)snprintf(text + used, TEXT_SIZE - used,
				       "%s=%.2f,", name, part);
}

static size_t format_text(struct json_object *reply, char text[TEXT_SIZE])
{
	struct json_object *slowdown = NULL, *shares = NULL;
	size_t used = 0;

	if (json_object_object_get_ex(reply, "slowdown", &slowdown) && slowdown)
		used = (size_t)snprintf(text, TEXT_SIZE, "slowdown=%.2f\n",
					json_object_get_double(slowdown));
	used += (size_t)snprintf(text + used, TEXT_SIZE - used, "shares=");
	if (json_object_object_get_ex(reply, "shares", &shares) &&
	    json_object_is_type(shares, json_type_array))
		for (size_t i = 0; i < json_object_array_length(shares); i++)
			used = add_share(json_object_array_get_idx(shares, i),
					 text, used);
	if (text[used - 1] == ',')
		used--;
	return used +
	       (size_t)snprintf(text + used, TEXT_SIZE - used, "\nend=1\n");
}

static int shares_fetch(struct sender *sender, const char *path, int folder,
			const char *name, uint32_t user_id,
			struct sp_error *err)
{
	char text[TEXT_SIZE];
	struct client_reply reply;

	if (sender_ask_soon(sender, path, clock_monotonic_s(), &reply, err))
		return -1;
	if (reply.status != 200)
		return sp_error_set(err, "predictd replied with status %d",
				    reply.status);

	struct json_object *message = wire_parse(reply.body, reply.size, err);

	if (!message)
		return -1;

	int rc = job_answer_write(folder, name, true, user_id, text,
				  format_text(message, text), err);

	json_object_put(message);
	return rc;
}

void job_shares_write(struct sender *sender, const char *cluster, int folder,
		      const struct job_event *started)
{
	char name[16], path[JOB_ANSWER_PATH_SIZE];
	struct sp_error err;

	snprintf(name, sizeof(name), "%u", started->job_id);
	/* Without a file of the plugin's the job has ended, or wants none. */
	if (faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW))
		return;
	if (started->cluster[0])
		cluster = started->cluster;
	if (!*cluster || !started->nodes[0] ||
	    fabs(clock_now_s() - started->time_s) > LATE_S ||
	    format_path(cluster, started->nodes, path))
		sp_error_set(&err, "too late, or too many nodes");
	else if (!shares_fetch(sender, path, folder, name, started->user_id,
			       &err))
		return;
	log_debug("job %u: no shares: %s", started->job_id, err.text);
	unlinkat(folder, name, 0);
}
