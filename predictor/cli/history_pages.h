/* history_pages.h - the runs that predictd keeps, page after page
 */
#ifndef PREDICTOR_CLI_HISTORY_PAGES_H
#define PREDICTOR_CLI_HISTORY_PAGES_H

#include "predictor/cli/cli.h"
#include "predictor/features/run.h"

struct history_query {
	const char *cluster;     /* NULL: all */
	double since_s, until_s; /* of their ends; NAN: no bound */
};

/* Call `visit` for each run that has ended, in the order of ends; it may fail.
 * For operators only. */
int history_visit(struct cli *cli, const struct history_query *query,
		  int (*visit)(void *context, const struct run *run,
			       struct sp_error *err),
		  void *context, struct sp_error *err);

#endif
