/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_list.h - subcommands that print a list from predictd as a table */
#pragma once

#include "predictor/cli/fetch.h"
#include "predictor/cli/table.h"

struct reply_list {
	const char *path;    /* of the request, perhaps with a query */
	const char *array;   /* name of the list in the reply */
	const char *columns; /* as for table_create_heads() */
	/* Add the cells of one object of the array. */
	void (*add)(const struct cli *cli, struct json_object *row,
		    struct table *table);
};

/* Add a cell with the time since the row's "time_s". */
void reply_list_age(struct json_object *row, struct table *table);

/* Fetch all pages as one reply, to be released with json_object_put(). */
int reply_list_read(const struct reply_list *list, struct cli *cli,
		    struct json_object **ret_reply, struct sp_error *err);
/* Print it as a table or as JSON, after its warnings, and release it. */
int reply_list_print(const struct reply_list *list, const struct cli *cli,
		     struct json_object *reply, struct sp_error *err);
