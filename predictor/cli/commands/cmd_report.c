/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_report.c - spredict report: what runs used, and what to request */
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/cli/commands/show_use.h"
#include "predictor/cli/reply_list.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/timestamp.h"
#include "predictor/cli/url_path.h"

struct report_query {
	const char *by, *since, *until, *user, *application;
	bool me, suggest;
	char path[URL_PATH_SIZE];
};

static const struct cli_option options[] = {
	{ "me", CLI_FLAG(struct report_query, me),
	  .help = "own runs, the default" },
	{ "user", .argument = "NAME", CLI_TEXT(struct report_query, user),
	  .help = "runs of this user, or of all; for operators" },
	{ "since", .argument = "TIME", CLI_TEXT(struct report_query, since),
	  .help = "runs that ended since then; default: now-7days" },
	{ "until", .argument = "TIME", CLI_TEXT(struct report_query, until),
	  .help = "runs that ended before that time" },
	{ "by", .argument = "application|day|user|account",
	  CLI_TEXT(struct report_query, by),
	  .help = "a row for each of these; default: application" },
	{ "application", .argument = "NAME",
	  CLI_TEXT(struct report_query, application),
	  .help = "only runs of this application" },
	{ "suggest", CLI_FLAG(struct report_query, suggest),
	  .help = "print the #SBATCH lines to paste" },
	{ .name = NULL },
};

static int report_path(struct cli *cli, void *given, struct sp_error *err)
{
	struct report_query *query = given;
	char *path = query->path;
	double since_s, until_s;

	if (query->me && query->user)
		return sp_error_set(err, "give one of --me and --user");
	if (timestamp_parse_range(query->since ? query->since : "now-7days",
				  query->until, clock_now_s(), &since_s,
				  &until_s, err))
		return -1;
	strcpy(path, "/v1/report");
	if (url_path_add(path, "by", query->by, err) ||
	    url_path_add(path, "user", query->user, err) ||
	    url_path_add_number(path, "since", since_s, err) ||
	    url_path_add_number(path, "until", until_s, err) ||
	    url_path_add(path, "application", query->application, err))
		return -1;
	return url_path_add(path, "cluster", cli->cluster, err);
}

static void add_group(const struct cli *cli UNUSED, struct json_object *row,
		      struct table *table)
{
	struct json_object *advice = json_object_object_get(row, "advice");
	char text[32];

	table_cell(table, "%s", reply_text(row, "group"));
	table_number(table, "%.0f", reply_number(row, "runs"));
	table_span(table, reply_number(row, "runtime_s"));
	table_number(table, "%.0f", 100 * reply_number(row, "time_used"));
	table_number(table, "%.0f", 100 * reply_number(row, "cpu_used"));
	table_cell(table, "%s",
		   memory_format(reply_number(row, "peak_memory_mb"), text));
	table_number(table, "%.0f", 100 * reply_number(row, "memory_used"));
	table_cell(table, "%s", advice ? reply_text(advice, "options") : "");
}

/* Fails if there is no advice for any group. */
static int print_suggestions(struct cli *cli, struct json_object *rows,
			     struct sp_error *err)
{
	size_t count = json_object_array_length(rows), advised = 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		advised += !print_suggestion(cli, reply_text(row, "group"), row,
					     err);
	}
	if (count == 0) {
		cli->no_advice = true;
		return sp_error_set(err, "no run is known");
	}
	return advised ? 0 : -1;
}

static int fetch_report(struct cli *cli, void *given, struct sp_error *err)
{
	const struct report_query *query = given;
	const char *by = query->by ? query->by : "application";
	char columns[128];
	const struct reply_list list = { .path = query->path,
					 .array = "report",
					 .columns = columns,
					 .add = add_group };
	struct json_object *reply;
	int rc;

	snprintf(columns, sizeof(columns),
		 "%s, >RUNS, >TIME, >TIME_%%, >CPU_%%, >MEMORY, >MEMORY_%%, "
		 "ASK NEXT TIME",
		 by);
	for (char *c = columns; *c != ','; c++)
		*c = (char)(*c & ~0x20);
	if (fetch(cli, query->path, NULL, &reply, NULL, err))
		return -1;
	if (!query->suggest || cli->json)
		return reply_list_print(&list, cli, reply, err);
	rc = print_suggestions(cli, reply_array(reply, "report"), err);
	json_object_put(reply);
	return rc;
}

const struct subcommand subcommand_report = {
	.name = "report",
	.options_size = sizeof(struct report_query),
	.check = report_path,
	.act = fetch_report,
	.options = options,
	.clusters = CLI_CLUSTERS_ALL,
	.help = "show what runs used, and what to request next time",
};
