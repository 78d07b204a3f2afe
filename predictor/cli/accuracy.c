/* accuracy.c - spredict accuracy: how good the predictions have been */
#include <string.h>

#include "predictor/cli/list.h"

static const struct table_column columns[] = {
	{ .header = "MODEL" },
	{ .header = "RUNS", .right = true },
	{ .header = "ERROR_%", .right = true },
	{ .header = "WITHIN_%", .right = true },
	{ .header = NULL },
};

static void add(const struct cli *cli, struct json_object *row,
		struct table *table)
{
	const char *model = ask_text(row, "model");

	(void)cli;
	table_cell(table, "%s",
		   strcmp(model, "chosen") == 0 ? "(as told)" : model);
	table_number(table, "%.0f", ask_number(row, "runs"));
	table_number(table, "%.1f", 100 * ask_number(row, "error"));
	table_number(table, "%.1f", 100 * ask_number(row, "coverage"));
}

static const struct list accuracy = {
	.path = "/v1/accuracy",
	.array = "accuracy",
	.columns = columns,
	.add = add,
};

int cli_accuracy(struct cli *cli, int argc, char **argv)
{
	return list_run(&accuracy, cli, argc, argv);
}
