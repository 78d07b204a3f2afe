/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_import.h - what imports from sacct and from files share */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/cli/import/import_sender.h"
#include "predictor/cli/progress.h"
#include "predictor/logs/joblog.h"

struct import {
	struct cli *cli;
	bool restart;
	double since_s, until_s;      /* of the end of jobs; NAN: no bound */
	const char *cluster;          /* of runs without one in the log */
	struct import_sender *sender; /* NULL: a dry run */
	bool has_licenses;            /* sacct has that field */

	struct progress progress;
	double printed_s; /* when progress was last printed */
	size_t runs;
	size_t no_runs; /* jobs that never ran, or have not ended */
	size_t outside; /* ended before since_s or after until_s */
	size_t bad;
	size_t printed; /* bad lines that were printed */
};

/* Import a log, and destroy it.  Messages about its lines begin with `name`.
 * share_from and share_to (0 to 1) are for the progress of the whole import. */
int import_log(struct import *import, struct joblog *log, const char *name,
	       double share_from, double share_to, struct sp_error *err);

/* Import from sacct, one slice of time after the other (import_sacct.c). */
int import_sacct(struct import *import, struct sp_error *err);
