/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queued_job.h - what squeue says of a job that has not ended, for people */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/slurm/squeue_record.h"

struct queued_job {
	uint32_t job_id;
	uint32_t het_job_id; /* 0: it is not heterogeneous */
	uint32_t het_offset;
	char name[RUN_NAME_SIZE], state[32], reason[64];
	char prediction_id[PREDICTION_ID_SIZE]; /* empty: none */
};

/* Make the command that prints it; the texts are lent to *ret.  `cluster` may
 * be NULL. */
void queued_job_args(const char *job_id, const char *cluster,
		     struct squeue_args *ret);

/* Read the first record of `text`. */
int queued_job_parse(const char *text, size_t size, struct queued_job *ret,
		     struct sp_error *err);
