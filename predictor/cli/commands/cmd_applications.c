/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_applications.c - spredict applications: those with recorded runs
 *
 * With --unclear only those whose runs differ though nothing tells them apart,
 * by how much they differ, each with what its users can do.
 */

#include "predictor/cli/reply_list.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/url_path.h"

static const char columns[] = "APPLICATION, CLUSTER, >RUNS, >MEDIAN, LAST_END";

static void add_application(const struct cli *cli UNUSED,
			    struct json_object *row, struct table *table)
{
	table_cell(table, "%s", reply_text(row, "name"));
	table_cell(table, "%s", reply_text(row, "cluster"));
	table_number(table, "%.0f", reply_number(row, "runs"));
	table_span(table, reply_number(row, "median_s"));
	table_time(table, reply_number(row, "last_ended_at_s"));
}

/* --- Those that are not understood ---------------------------------------- */

/* Fewer pairs may differ by chance; less than half as long again is the noise
 * of shared machines. */
#define UNCLEAR_PAIRS_MIN  5
#define UNCLEAR_FACTOR_MIN 1.5

static const char unclear_columns[] =
	"APPLICATION, CLUSTER, >RUNS, >DIFFER, PARAMETERS, PROPOSAL";

static void add_unclear(const struct cli *cli UNUSED, struct json_object *row,
			struct table *table)
{
	const char *names = reply_text(row, "parameters");

	table_cell(table, "%s", reply_text(row, "name"));
	table_cell(table, "%s", reply_text(row, "cluster"));
	table_number(table, "%.0f", reply_number(row, "runs"));
	table_number(table, "x %.1f", reply_number(row, "alike_factor"));
	table_cell(table, "%s", *names ? names : "-");
	table_cell(table, "%s",
		   *names ? "#PREDICT NAME=VALUE of what else sets the time"
			  : "#PREDICT NAME=VALUE of what sets the time");
}

static bool is_unclear(struct json_object *row)
{
	return reply_number(row, "alike_pairs") >= UNCLEAR_PAIRS_MIN &&
	       reply_number(row, "alike_factor") >= UNCLEAR_FACTOR_MIN;
}

static int compare_factors(const void *a, const void *b)
{
	double x =
		reply_number(*(struct json_object *const *)a, "alike_factor");
	double y =
		reply_number(*(struct json_object *const *)b, "alike_factor");

	return x > y ? -1 : x < y;
}

/* Leave only these in the reply. */
static void keep_unclear(struct json_object *reply)
{
	struct json_object *rows = reply_array(reply, "applications");

	for (size_t i = json_object_array_length(rows); i-- > 0;)
		if (!is_unclear(json_object_array_get_idx(rows, i)))
			json_object_array_del_idx(rows, i, 1);
	json_object_array_sort(rows, compare_factors);
	reply_add_count(reply, "total", json_object_array_length(rows));
}

/* --- The subcommand ------------------------------------------------------- */

struct applications_options {
	bool unclear;
};

static const struct cli_option options[] = {
	{ "unclear", CLI_FLAG(struct applications_options, unclear),
	  .help = "only those whose runs differ for no known reason" },
	{ .name = NULL },
};

static int show_applications(struct cli *cli, void *given, struct sp_error *err)
{
	const struct applications_options *o = given;
	char path[URL_PATH_SIZE] = "/v1/applications";
	struct reply_list list = { path, "applications", columns,
				   add_application };
	struct json_object *reply;

	if (url_path_add(path, "cluster", cli->cluster, err) ||
	    reply_list_read(&list, cli, &reply, err))
		return -1;
	if (o->unclear) {
		keep_unclear(reply);
		list.columns = unclear_columns;
		list.add = add_unclear;
	}

	return reply_list_print(&list, cli, reply, err);
}

const struct subcommand subcommand_applications = {
	.name = "applications",
	.options_size = sizeof(struct applications_options),
	.act = show_applications,
	.options = options,
	.clusters = CLI_CLUSTERS_ALL,
	.help = "list the applications with recorded runs",
};
