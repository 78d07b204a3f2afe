/* list.h - subcommands that print a list of predictd's as a table */
#ifndef PREDICTOR_CLI_LIST_H
#define PREDICTOR_CLI_LIST_H

#include "predictor/cli/fetch.h"
#include "predictor/cli/table.h"

struct list {
	const char *path;  /* to be asked for, perhaps with a query */
	const char *array; /* its name in the reply */
	const struct table_column *columns;
	/* Add the cells of an object of the array, or none. */
	void (*add)(const struct cli *cli, struct json_object *row,
		    struct table *table);
};

/* A whole subcommand: takes no arguments, prints table or JSON.  Returns the
 * exit status. */
int list_run(const struct list *list, struct cli *cli, int argc, char **argv);

/* Its two halves: read all pages into one reply, to be released with
 * json_object_put(), and print that as table or JSON, after its warnings. */
int list_read(const struct list *list, struct cli *cli,
	      struct json_object **ret_reply, struct sp_error *err);
int list_print(const struct list *list, const struct cli *cli,
	       struct json_object *reply, struct sp_error *err);

#endif
