/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_applications.c - spredict applications: those with recorded runs */
#include <math.h>

#include "predictor/base/duration.h"
#include "predictor/cli/reply_list.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"

static const struct table_column columns[] = {
	{ .header = "APPLICATION" },
	{ .header = "RUNS", .right = true },
	{ .header = "MEDIAN", .right = true },
	{ .header = "LAST_END" },
	{ .header = NULL },
};

static void add_application(const struct cli *cli, struct json_object *row,
			    struct table *table)
{
	char span[DURATION_TEXT_SIZE];
	char when[SHOW_TEXT_SIZE];

	(void)cli;
	table_cell(table, "%s", reply_text(row, "name"));
	table_number(table, "%.0f", reply_number(row, "runs"));
	table_cell(table, "%s",
		   duration_format(reply_number(row, "median_s"), span));
	table_cell(table, "%s",
		   show_time(reply_number(row, "last_ended_at_s"), when));
}

static const struct reply_list applications = {
	.path = "/v1/applications",
	.array = "applications",
	.columns = columns,
	.add = add_application,
};

static int run_applications(struct cli *cli, int argc, char **argv)
{
	return reply_list_run(&applications, cli, argc, argv);
}

const struct subcommand subcommand_applications = {
	.name = "applications",
	.function = run_applications,
	.operands = "",
	.help = "list the applications with recorded runs",
};
