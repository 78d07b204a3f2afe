/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queued_job.h - what `scontrol --oneliner show job` says of a job that has
 * not ended, for people
 *
 * Forgiving where slurm_job.h is strict: nothing is recorded from it, so of a
 * text that a user forged no more is asked than not to do harm.
 */
#ifndef PREDICTOR_SLURM_QUEUED_JOB_H
#define PREDICTOR_SLURM_QUEUED_JOB_H

#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/features/run.h"

struct queued_job {
	uint32_t job_id;
	char name[RUN_NAME_SIZE];
	char state[32];
	char reason[64];
	char prediction_id[PREDICTION_ID_SIZE]; /* empty: none */
};

/* Read the first record of `text`, terminated. */
int queued_job_parse(const char *text, struct queued_job *ret,
		     struct sp_error *err);

#endif
