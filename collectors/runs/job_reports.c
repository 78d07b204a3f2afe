/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_reports.c - what is sent of a job: its run, and this node's share */
#include <math.h>
#include <string.h>

#include "collectors/runs/job_reports.h"
#include "collectors/runs/steps.h"
#include "predictor/base/log.h"
#include "predictor/wire/wire.h"

static int json_put(struct spool *spool, enum record_kind kind,
		    struct json_object *object, struct sp_error *err)
{
	size_t size;
	const char *text =
		object ? json_object_to_json_string_length(
				 object, JSON_C_TO_STRING_PLAIN, &size)
		       : NULL;
	int rc = text ? spool_put(spool, kind, text, size, err)
		      : sp_error_set(err, "out of memory");

	json_object_put(object);
	return rc;
}

/* What counts is memory of its own.  A sample misses a short peak, which the
 * greatest process shows, but for files that it had mapped.  Without a line of
 * a task only samples are known.  Without a group, what processes share counts
 * for each of them. */
static void memory_find(const struct job_memory *sampled,
			struct run_share *share)
{
	double task_mb = share->task_memory_mb - fmax(0, sampled->mapped_mb);

	share->own_memory_mb = sampled->own_mb;
	share->cached_memory_mb =
		fmax(share->cached_memory_mb, sampled->cached_mb);
	if (isnan(sampled->own_mb))
		share->peak_memory_mb = fmax(task_mb, sampled->resident_mb);
	else if (isnan(task_mb))
		share->peak_memory_mb = sampled->own_mb;
	else
		share->peak_memory_mb =
			fmax(sampled->own_mb,
			     fmin(task_mb, share->cached_memory_mb));
}

void job_put_share(struct spool *spool, struct open_job *job)
{
	struct run_share share = { .job_id = job->job_id,
				   .started_at_s = job->node_started_s,
				   .ended_at_s = job->node_ended_s };
	struct sp_error err;

	if (isnan(job->node_started_s))
		return;
	strcpy(share.cluster, job->cluster);
	strcpy(share.node, job->node);
	if (share.ended_at_s < share.started_at_s) /* the clock was set */
		share.ended_at_s = share.started_at_s;
	steps_read(spool_folders(spool)->steps, job->job_id,
		   job->node_started_s, job->node_ended_s, &share,
		   &job->script_ended_s);
	memory_find(&job->memory, &share);
	job->signal = share.exit_signal;
	job->tasks = share.tasks;
	if (json_put(spool, RECORD_SHARE, wire_share_encode(&share), &err))
		log_debug("job %u: its share is dropped: %s", job->job_id,
			  err.text);
}

int job_put_run(struct spool *spool, const struct open_job *job,
		const struct run *reported)
{
	struct run run = *reported;
	struct sp_error err;

	if (*job->application.name)
		run.application = job->application;
	if (json_put(spool, RECORD_RUN, wire_run_encode(&run), &err) == 0) {
		log_debug("job %u: %s", job->job_id, run_state_name(run.state));
		return 0;
	}
	log_debug("job %u: %s", job->job_id, err.text);
	return -1;
}
