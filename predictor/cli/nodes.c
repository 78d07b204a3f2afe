/* nodes.c - spredict nodes: the state of the nodes as last measured */
#include <math.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/duration.h"
#include "predictor/cli/list.h"

static const struct table_column columns[] = {
	{ .header = "CLUSTER" },
	{ .header = "NODE" },
	{ .header = "CPU_LOAD", .right = true },
	{ .header = "CPU_AVAIL", .right = true },
	{ .header = "MEM_AVAIL_MB", .right = true },
	{ .header = "AGE", .right = true },
	{ .header = "USED" },
	{ .header = NULL },
};

static bool is_fresh(struct json_object *row)
{
	struct json_object *fresh;

	return json_object_object_get_ex(row, "fresh", &fresh) &&
	       json_object_get_boolean(fresh);
}

static bool wanted(const struct cli *cli, struct json_object *row)
{
	return json_object_is_type(row, json_type_object) &&
	       (!cli->cluster ||
		strcmp(cli->cluster, ask_text(row, "cluster")) == 0);
}

static void add(const struct cli *cli, struct json_object *row,
		struct table *table)
{
	char age[DURATION_TEXT_SIZE];
	double seconds = clock_now_s() - ask_number(row, "time_s");

	if (!wanted(cli, row))
		return;
	/* The node's clock may be a little ahead of ours. */
	duration_format_brief(seconds < 0 ? 0 : seconds, age);
	table_cell(table, "%s", ask_text(row, "cluster"));
	table_cell(table, "%s", ask_text(row, "node"));
	table_number(table, "%.2f", ask_number(row, "cpu_load"));
	table_number(table, "%.2f", ask_number(row, "cpu_available"));
	table_number(table, "%.0f", ask_number(row, "memory_available_mb"));
	table_cell(table, "%s", age);
	table_cell(table, "%s", is_fresh(row) ? "yes" : "too old");
}

static const struct list nodes = {
	.path = "/v1/nodes",
	.array = "nodes",
	.columns = columns,
	.add = add,
};

int cli_nodes(struct cli *cli, int argc, char **argv)
{
	return list_run(&nodes, cli, argc, argv);
}
