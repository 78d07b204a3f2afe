/* cmd_import.h - what the ways of importing share */
#ifndef PREDICTOR_CLI_CMD_IMPORT_H
#define PREDICTOR_CLI_CMD_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "predictor/cli/cli.h"
#include "predictor/cli/progress.h"
#include "predictor/cli/import_sender.h"
#include "predictor/logs/joblog.h"

struct import {
	struct cli *cli;
	bool restart;
	double since_s, until_s; /* of the end of jobs; NAN: no bound */
	const char *cluster;     /* of runs whose log does not say theirs */
	struct sender *sender;   /* NULL: nothing is stored */

	struct progress progress;
	double said_s; /* when a line was last printed */
	size_t runs;
	size_t no_runs; /* jobs that never ran, or have not ended */
	size_t outside; /* of since and until */
	size_t bad;
	size_t named; /* of the bad ones */
};

/* Import all of a log, which is destroyed; `name` is for what is said about its
 * lines.  It is the part from share_from to share_to (0 to 1) of everything. */
int import_log(struct import *import, struct joblog *log, const char *name,
	       double share_from, double share_to, struct sp_error *err);

/* Import what sacct says, slice after slice of time (import_sacct.c). */
int import_sacct(struct import *import, struct sp_error *err);

#endif
