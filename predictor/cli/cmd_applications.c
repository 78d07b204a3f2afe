/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_applications.c - spredict applications: those with recorded runs */
#include <math.h>

#include "predictor/base/duration.h"
#include "predictor/cli/reply_list.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/url_path.h"

static const struct table_column columns[] = {
	{ .header = "APPLICATION" },
	{ .header = "CLUSTER" },
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
	table_cell(table, "%s", reply_text(row, "cluster"));
	table_number(table, "%.0f", reply_number(row, "runs"));
	table_cell(table, "%s",
		   duration_format(reply_number(row, "median_s"), span));
	table_cell(table, "%s",
		   show_time(reply_number(row, "last_ended_at_s"), when));
}

static int run_applications(struct cli *cli, int argc, char **argv)
{
	char path[URL_PATH_SIZE] = "/v1/applications";
	const struct reply_list applications = { path, "applications", columns,
						 add_application };
	struct json_object *reply;
	struct sp_error err;
	int first;

	if (cli_arguments(cli, NULL, argc, argv, &first, &err))
		return cli_usage(cli, &err);
	if (cli_only_about(cli))
		return CLI_OK;
	if (url_path_add(path, "cluster", cli->cluster, &err) ||
	    reply_list_read(&applications, cli, &reply, &err))
		return cli_fail(cli, &err);

	int rc = reply_list_print(&applications, cli, reply, &err);

	json_object_put(reply);
	return rc ? cli_fail(cli, &err) : CLI_OK;
}

const struct subcommand subcommand_applications = {
	.name = "applications",
	.function = run_applications,
	.operands = "",
	.help = "list the applications with recorded runs",
};
