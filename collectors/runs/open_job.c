/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_job.c - what is known of a job that is not recorded yet, kept on disk
 *
 * A file is a list of pairs, key and value, with the run as one line of JSON
 * among them.  It is written beside the old one and renamed, then the folder
 * is synced: after a loss of power there is the old state or the new one.
 * What cannot be parsed is reported to the caller, who refuses the file.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/runs/open_job.h"
#include "collectors/runs/pairs.h"
#include "predictor/base/durable.h"
#include "predictor/wire/wire.h"

void open_job_init(struct open_job *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->restarts = ret->exit_code = -1;
	ret->node_started_s = ret->node_ended_s = NAN;
	ret->script_ended_s = NAN;
	ret->memory = job_memory_unknown;
	ret->run.limit_s = ret->run.ended_at_s = NAN;
	ret->run.submitted_at_s = ret->run.started_at_s = NAN;
	conditions_init(&ret->run.before);
}

enum position position_find(const char *nodes, const char *node)
{
	static const enum position positions[] = { POSITION_HEAD,
						   POSITION_DEPUTY };
	struct hostlist list;
	enum position found = POSITION_OTHER;

	if (!*nodes || hostlist_expand(nodes, &list, NULL))
		return POSITION_UNKNOWN;
	for (size_t i = 0; i < 2 && i < list.count; i++)
		if (strcmp(list.names[i], node) == 0)
			found = positions[i];
	hostlist_clear(&list);
	return found;
}

/* Find the run as one line of JSON; empty if there is none. */
static void run_text(const struct open_job *job, char *ret, size_t size)
{
	struct json_object *object =
		job->has_run ? wire_run_encode(&job->run) : NULL;
	const char *text = object ? json_object_to_json_string_ext(
					    object, JSON_C_TO_STRING_PLAIN)
				  : NULL;

	*ret = '\0';
	if (text && strlen(text) < size)
		strcpy(ret, text);
	json_object_put(object);
}

int open_job_save(struct open_job *job, int jobs_fd, struct sp_error *err)
{
	char run[8192], text[PAIRS_BYTES_MAX];

	if (!job->name[0])
		snprintf(job->name, sizeof(job->name), "%u-%.6f", job->job_id,
			 isnan(job->node_started_s) ? job->node_ended_s
						    : job->node_started_s);
	run_text(job, run, sizeof(run));

	/* Numbers that are not known are written as "nan", which is no number
	 * to the reader. */
	int size = snprintf(
		text, sizeof(text),
		"job=%u\nuser=%u\nposition=%d\nnode=%s\nnodes=%s\n"
		"cluster=%s\npartition=%s\nprediction=%s\n"
		"restarts=%d\n"
		"node_started=%.6f\nnode_ended=%.6f\n"
		"exit_code=%d\ntasks=%u\nsignal=%d\nannounced=%d\n"
		"superseded=%d\npeak_memory=%.1f\nown_memory=%.1f\n"
		"mapped_memory=%.1f\ncached_memory=%.1f\n"
		"script_ended=%.6f\nrun=%s\nend=1\n",
		job->job_id, job->user_id, job->position, job->node, job->nodes,
		job->cluster, job->partition, job->prediction_id, job->restarts,
		job->node_started_s, job->node_ended_s, job->exit_code,
		job->tasks, job->signal, job->announced, job->superseded,
		job->memory.resident_mb, job->memory.own_mb,
		job->memory.mapped_mb, job->memory.cached_mb,
		job->script_ended_s, run);

	if (size < 0 || (size_t)size >= sizeof(text))
		return sp_error_set(err, "job %u: too much to keep",
				    job->job_id);
	return durable_write_spare(jobs_fd, job->name, text, (size_t)size, err);
}

static int load_text(const struct pairs *pairs, const char *key, char *ret,
		     size_t size, struct sp_error *err)
{
	const char *text = pairs_text(pairs, key);

	if (strlen(text) >= size)
		return sp_error_set(err, "%s is too long", key);
	strcpy(ret, text);
	return 0;
}

static void load_run(const char *text, struct open_job *job)
{
	struct json_object *object = wire_parse(text, strlen(text), NULL);

	job->has_run = object && wire_run_decode(object, &job->run, NULL) == 0;
	json_object_put(object);
}

static int from_pairs(const struct pairs *pairs, struct open_job *job,
		      struct sp_error *err)
{
	job->job_id = (uint32_t)pairs_number(pairs, "job", 1, UINT32_MAX, 0);
	job->user_id = (uint32_t)pairs_number(pairs, "user", 0, UINT32_MAX,
					      UINT32_MAX);
	job->position =
		(enum position)pairs_number(pairs, "position", POSITION_UNKNOWN,
					    POSITION_OTHER, POSITION_UNKNOWN);
	job->restarts = (int)pairs_number(pairs, "restarts", 0, 1e6, -1);
	job->node_started_s = pairs_number(pairs, "node_started", 1, 1e11, NAN);
	job->node_ended_s = pairs_number(pairs, "node_ended", 1, 1e11, NAN);
	job->script_ended_s = pairs_number(pairs, "script_ended", 1, 1e11, NAN);
	job->exit_code = (int)pairs_number(pairs, "exit_code", 0, 255, -1);
	job->tasks = (uint32_t)pairs_number(pairs, "tasks", 0, UINT32_MAX, 0);
	job->signal = (int)pairs_number(pairs, "signal", 0, 255, 0);
	job->announced = pairs_number(pairs, "announced", 0, 1, 0) > 0;
	job->superseded = pairs_number(pairs, "superseded", 0, 1, 0) > 0;
	job->memory = (struct job_memory){
		pairs_number(pairs, "peak_memory", 0, 1e12, NAN),
		pairs_number(pairs, "own_memory", 0, 1e12, NAN),
		pairs_number(pairs, "mapped_memory", 0, 1e12, NAN),
		pairs_number(pairs, "cached_memory", 0, 1e12, NAN),
	};
	load_run(pairs_text(pairs, "run"), job);
	if (!job->job_id ||
	    (isnan(job->node_started_s) && isnan(job->node_ended_s)))
		return sp_error_set(err, "no job or no time");
	if (load_text(pairs, "node", job->node, sizeof(job->node), err) ||
	    load_text(pairs, "nodes", job->nodes, sizeof(job->nodes), err) ||
	    load_text(pairs, "cluster", job->cluster, sizeof(job->cluster),
		      err) ||
	    load_text(pairs, "partition", job->partition,
		      sizeof(job->partition), err) ||
	    load_text(pairs, "prediction", job->prediction_id,
		      sizeof(job->prediction_id), err))
		return -1;
	return 0;
}

int open_job_load(const char *name, int jobs_fd, struct open_job *ret,
		  struct sp_error *err)
{
	struct open_job job;
	struct pairs pairs;
	char *text = NULL;
	size_t size;
	int rc = -1;

	open_job_init(&job);
	if (durable_read(jobs_fd, name, PAIRS_BYTES_MAX, &text, &size, err))
		return -1;
	if (strlen(name) >= sizeof(job.name)) {
		sp_error_set(err, "no name of ours");
		goto out;
	}
	strcpy(job.name, name);
	if (pairs_parse(&pairs, text, size, err) ||
	    from_pairs(&pairs, &job, err))
		goto out;
	*ret = job;
	rc = 0;
out:
	free(text);
	return rc;
}

void open_job_remove(struct open_job *job, int jobs_fd)
{
	if (job->name[0])
		unlinkat(jobs_fd, job->name, 0);
	job->name[0] = '\0';
}
