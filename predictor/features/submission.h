/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submission.h - a job as the user submitted it
 *
 * What the submission plugin sees and predictd reads.  The struct lends all of
 * its texts: they belong to whoever filled it (Slurm's job description, or a
 * decoded message) and must outlive it.  NULL or 0 mean "not given" unless
 * said otherwise.
 */
#pragma once

#include "predictor/features/gres.h"
#include "predictor/features/job_size.h"

#define SUBMISSION_SCRIPT_MAX    65536 /* bytes; a longer script is cut */
#define SUBMISSION_TEXT_MAX      4096  /* bytes of any other text */
#define SUBMISSION_ARGUMENTS_MAX 128
#define SUBMISSION_SETTINGS_MAX  64

/* A name and its value: an option of the SPANK plugin ("param", "mode") or a
 * variable PREDICT_* of the job's environment. */
struct setting {
	const char *name, *value;
};

struct submission {
	const char *cluster;
	uint32_t user_id;
	const char *account;
	const char *partition; /* "a,b" where the user named several */
	const char *qos;
	const char *name;
	const char *script;         /* need not end in a newline */
	const char *features;       /* of nodes: Slurm's --constraint */
	const char *required_nodes; /* hostlist of -w */
	const char *excluded_nodes; /* hostlist of -x */
	struct gres_request gres;
	struct job_size size;
	double limit_s;         /* NAN: not given, HUGE_VAL: unlimited */
	bool test_only;         /* sbatch --test-only: nothing will run */
	bool placed;            /* our select plugin chooses the nodes */
	const char *nodes_goal; /* it chooses their number, too, for this goal
				   (placement/moldable.h) */

	/* Behind the counts nothing is set but what they count. */
	size_t arguments_count, settings_count;
	const char *arguments[SUBMISSION_ARGUMENTS_MAX]; /* [0]: the command */
	struct setting settings[SUBMISSION_SETTINGS_MAX];
};

/* Everything not given. */
void submission_init(struct submission *ret);

/* All that is given of `job`, with marks for secrets in its arguments; less
 * than the whole struct.  Returns the size of the script. */
size_t submission_copy(const struct submission *job, struct submission *ret);
