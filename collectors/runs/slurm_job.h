/* slurm_job.h - a job as `scontrol --oneliner show job ID` tells it
 *
 * Asked with SLURM_TIME_FORMAT=%s, so that times are seconds since the epoch.
 * Pure: what it reads is a text of unknown origin in parts, as job names,
 * paths and comments are the user's.  A name that imitates one of the fields
 * that are wanted here makes the text ambiguous, and it is refused.
 */
#ifndef COLLECTORS_RUNS_SLURM_JOB_H
#define COLLECTORS_RUNS_SLURM_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/features/run.h"

enum slurm_phase {
	SLURM_WAITING, /* (again) in the queue */
	SLURM_RUNNING,
	SLURM_ENDING, /* COMPLETING: its end state doesn't show yet */
	SLURM_ENDED,
};

struct slurm_job {
	enum slurm_phase phase;
	int restarts;
	/* Without cluster.  submitted_at_s and started_at_s are NAN where Slurm
	 * says Unknown; ended_at_s is NAN unless the phase is SLURM_ENDED, as
	 * Slurm tells the expected end of a running job. */
	struct run run;
};

/* Finds the line of `job_id` among those in `text` (an array has several). */
int slurm_job_parse(const char *text, size_t size, uint32_t job_id,
		    struct slurm_job *ret, struct sp_error *err);

/* ClusterName from `scontrol show config`. */
int slurm_cluster_parse(const char *text, size_t size,
			char ret_name[RUN_NAME_SIZE], struct sp_error *err);

#endif
