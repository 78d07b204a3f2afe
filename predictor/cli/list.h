/* list.h - subcommands that print a list of predictd's as a table */
#ifndef PREDICTOR_CLI_LIST_H
#define PREDICTOR_CLI_LIST_H

#include "predictor/cli/ask.h"
#include "predictor/cli/table.h"

struct list {
	const char *path;  /* to be asked for */
	const char *array; /* its name in the reply */
	const struct table_column *columns;
	/* Add the cells of an object of the array, or none. */
	void (*add)(const struct cli *cli, struct json_object *row,
		    struct table *table);
};

/* A whole subcommand: takes no arguments, prints table or JSON.  Returns the
 * exit status. */
int list_run(const struct list *list, struct cli *cli, int argc, char **argv);

#endif
