/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - follows the jobs of this node until their runs are in the spool
 *
 * Input: the plugin's events and the output of squeue.  Output: records in the
 * spool, and which job to request next.  The node on which a run starts (the
 * head) reports the run, once at the start as RUNNING and once when slurmctld
 * knows its end; the second node (the deputy) reports the end again a minute
 * later; every node reports its share.  A run's key, cluster, job and start
 * time by slurmctld, is kept on disk from the first reply on, so however often
 * a run is sent, it is the same run.
 *
 * All times named now_s are of the monotonic clock.
 */
#pragma once

#include "collectors/runs/events.h"
#include "collectors/runs/spool.h"
#include "predictor/base/error.h"
#include "predictor/base/job_memory.h"

struct jobs;

/* `cluster` and `node` are for events without them.  NULL: out of
 * memory. */
struct jobs *jobs_create(struct spool *spool, const char *cluster,
			 const char *node);
void jobs_destroy(struct jobs *jobs);

/* Go on with what an earlier collector left. */
void jobs_load(struct jobs *jobs, double now_s);

/* Fails only if nothing could be written: the event must come again. */
int jobs_event(struct jobs *jobs, const struct job_event *event, double now_s,
	       struct sp_error *err);

/* A sample of the memory of a running job. */
void jobs_memory(struct jobs *jobs, uint32_t job_id,
		 const struct job_memory *sample);

/* Return the time of the next request to slurmctld, HUGE_VAL: none is due; and
 * its job. */
double jobs_ask_at_s(const struct jobs *jobs, uint32_t *ret_job_id);

enum answer {
	ANSWER_JOB,     /* `text` is what squeue printed (slurm_job_args()) */
	ANSWER_UNKNOWN, /* slurmctld has no record of the job, or no more */
	ANSWER_NONE,    /* slurmctld did not reply */
};

/* Return whether slurmctld is asked for the job's batch script, not for
 * its record. */
bool jobs_want_script(const struct jobs *jobs, uint32_t job_id);

/* The script; NULL: the job has none, or slurmctld did not give it. */
void jobs_script(struct jobs *jobs, uint32_t job_id, const char *script,
		 double now_s);

void jobs_answer(struct jobs *jobs, uint32_t job_id, enum answer answer,
		 const char *text, size_t size, double now_s);

size_t jobs_count(const struct jobs *jobs);

/* Return whether it is open. */
bool jobs_has(const struct jobs *jobs, uint32_t job_id);
