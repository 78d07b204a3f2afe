/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.h - the runs of a dataset, as dataset.py writes it
 *
 * Columns that are not known are left out; see README.md for those that are.
 */
#ifndef CONTRIB_EXPERIMENTS_REGRESSION_ROWS_H
#define CONTRIB_EXPERIMENTS_REGRESSION_ROWS_H

#include "predictor/ensemble/ensemble.h"

enum { ROWS_MAX = 20000 };

/* Times in files begin at 0; models may know that jobs are of this century. */
#define ROWS_EPOCH_S 1.6e9

struct row {
	char background[RUN_NAME_SIZE];
	char account[RUN_NAME_SIZE];
	char partition[RUN_NAME_SIZE];
	struct application application;
	struct past_job job;       /* lends the texts above */
	struct conditions assumed; /* nodes_known -1: it was not predicted */
	double known_s;            /* when its end was known */

	/* For replay: what was said, and each model's median, NAN: nothing. */
	struct verdict submitted, started;
	double models_s[MODELS_MAX];
};

/* Read the runs into rows[ROWS_MAX], which must stay where they are.  Returns
 * how many; -1 with the error printed to stderr. */
int rows_load(const char *path, struct row *rows);

#endif
