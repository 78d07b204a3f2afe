/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - starts and ends of jobs on this node, from the SPANK plugin */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/runs/events.h"
#include "collectors/runs/pairs.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"
#include "predictor/slurm/slurm_values.h"

#define EVENTS_AT_ONCE 4096
#define TIME_MAX_S     1e11 /* beyond the year 5000 */

static void text_copy(char *to, size_t size, const char *from)
{
	if (strlen(from) < size)
		strcpy(to, from);
	else
		*to = '\0';
}

/* What is no id is left out: predictd would refuse the run. */
static void id_copy(char ret[PREDICTION_ID_SIZE], const char *text)
{
	if (strlen(text) == PREDICTION_ID_SIZE - 1 &&
	    strspn(text, "0123456789abcdef") == PREDICTION_ID_SIZE - 1)
		strcpy(ret, text);
}

int job_event_parse(char *text, size_t size, struct job_event *ret,
		    struct sp_error *err)
{
	struct pairs pairs;
	struct job_event event = { .exit_code = -1 };

	if (pairs_parse(&pairs, text, size, err))
		return -1;

	const char *kind = pairs_text(&pairs, "event");

	if (strcmp(kind, "start") != 0 && strcmp(kind, "end") != 0)
		return sp_error_set(err, "an event of no known kind");
	event.kind = *kind == 's' ? JOB_STARTED : JOB_ENDED;
	event.job_id = (uint32_t)pairs_number(&pairs, "job", 1, UINT32_MAX, 0);
	event.user_id = (uint32_t)pairs_number(&pairs, "user", 0, UINT32_MAX,
					       UINT32_MAX);
	event.time_s = pairs_number(&pairs, "time", 1, TIME_MAX_S, 0);
	if (!event.job_id || event.time_s <= 0)
		return sp_error_set(err, "an event without job or time");
	event.restarts = (int)pairs_number(&pairs, "restarts", 0, 1e6, -1);
	if (slurm_exit_parse(pairs_text(&pairs, "exit"), &event.exit_code,
			     &event.exit_signal))
		event.exit_code = -1;
	text_copy(event.cluster, sizeof(event.cluster),
		  pairs_text(&pairs, "cluster"));
	text_copy(event.node, sizeof(event.node), pairs_text(&pairs, "node"));
	text_copy(event.partition, sizeof(event.partition),
		  pairs_text(&pairs, "partition"));
	text_copy(event.profile, sizeof(event.profile),
		  pairs_text(&pairs, "profile"));
	text_copy(event.submission.parameters,
		  sizeof(event.submission.parameters),
		  pairs_text(&pairs, "parameters"));
	text_copy(event.submission.arguments,
		  sizeof(event.submission.arguments),
		  pairs_text(&pairs, "arguments"));
	id_copy(event.prediction_id, pairs_text(&pairs, "prediction"));
	text_copy(event.nodes, sizeof(event.nodes),
		  pairs_text(&pairs, "nodes"));
	*ret = event;
	return 0;
}

/* 0: gone from the folder, as handled or as refused. */
static int event_file_consume(int events_fd, int refused_fd, const char *name,
			      int (*take)(void *, const struct job_event *,
					  struct sp_error *),
			      void *context, struct sp_error *err)
{
	struct job_event event;
	struct sp_error why;
	char *text = NULL;
	size_t size;

	if (durable_read(events_fd, name, PAIRS_BYTES_MAX, &text, &size,
			 &why) ||
	    job_event_parse(text, size, &event, &why)) {
		free(text);
		log_error("event %s is moved to refused: %s", name, why.text);
		if (renameat(events_fd, name, refused_fd, name))
			unlinkat(events_fd, name, 0);
		return 0;
	}
	free(text);
	if (take(context, &event, err))
		return -1;
	unlinkat(events_fd, name, 0);
	return 0;
}

int events_take(int events_fd, int refused_fd,
		int (*take)(void *context, const struct job_event *event,
			    struct sp_error *err),
		void *context, struct sp_error *err)
{
	char **names;
	size_t count;
	int rc = 0;

	if (durable_names(events_fd, EVENTS_AT_ONCE, &names, &count, err))
		return -1;
	for (size_t i = 0; i < count && rc == 0; i++)
		rc = event_file_consume(events_fd, refused_fd, names[i], take,
					context, err);
	durable_names_free(names, count);
	return rc;
}
