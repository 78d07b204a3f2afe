/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_job.h - a job as `scontrol --oneliner show job ID` prints it
 *
 * Strict, as runs are recorded from it.  Job names, paths and comments are
 * the user's: where one of them imitates a field that is read here, the text
 * is ambiguous and refused.
 */
#ifndef PREDICTOR_SLURM_SLURM_JOB_H
#define PREDICTOR_SLURM_SLURM_JOB_H

#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/slurm/slurm_values.h"

struct slurm_job {
	enum slurm_phase phase;
	int restarts;
	/* Without cluster.  submitted_at_s and started_at_s are NAN where Slurm
	 * says Unknown; ended_at_s is NAN unless the phase is SLURM_ENDED, as
	 * Slurm prints the expected end of a running job. */
	struct run run;
};

/* Finds the line of `job_id` among those in `text` (an array has several),
 * which is terminated. */
int slurm_job_parse(const char *text, uint32_t job_id, struct slurm_job *ret,
		    struct sp_error *err);

#endif
