/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_pages.h - all finished runs of the history, a page at a time */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/features/run.h"

struct history_query {
	const char *cluster;     /* NULL: all */
	double since_s, until_s; /* bounds of the end; NAN: none */
};

/* Call `visit`, which may fail, for each finished run in the order of ends.
 * For operators only. */
int history_visit(struct cli *cli, const struct history_query *query,
		  int (*visit)(void *context, const struct run *run,
			       struct sp_error *err),
		  void *context, struct sp_error *err);
