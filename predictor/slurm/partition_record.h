/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_record.h - partitions as `scontrol --oneliner show
 * partition` prints
 * them, and which jobs they take */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/features/submission.h"

struct partition_record {
	char name[RUN_NAME_SIZE];
	bool is_default;
	uint32_t nodes;     /* that it has */
	uint32_t nodes_max; /* of a job; UINT32_MAX: all */
	double limit_s;     /* of a job; HUGE_VAL: none */
	char state[16];     /* "UP", "DOWN", "DRAIN", "INACTIVE" */
};

/* Read a line of `length` bytes. */
int partition_record_parse(const char *line, size_t length,
			   struct partition_record *ret, struct sp_error *err);

/* Return the least MaxTime of the partitions in a list ("a,b"), in seconds; 0:
 * one is not in `text`, which scontrol printed. */
double partition_records_limit_s(const char *text, const char *names);

/* Write the name of the default partition; -1: there is none. */
int partition_records_default(const char *text, char ret_name[RUN_NAME_SIZE]);

/* What Slurm does with a job when it is submitted. */
enum submission_verdict {
	SUBMISSION_TAKEN,
	SUBMISSION_WAITS, /* until the job or the partition is changed */
	SUBMISSION_NEVER, /* waits, too, unless limits are enforced; but there
			     are too few nodes */
	SUBMISSION_REFUSED,
};

/* What becomes of a job in the best of the partitions that it names ("a,b"), or
 * in the default one.  `text`: what scontrol printed; `enforced`:
 * EnforcePartLimits.  If it is not taken, *why has a sentence. */
enum submission_verdict partition_records_judge(const char *text, bool enforced,
						const struct submission *job,
						struct sp_error *why);
