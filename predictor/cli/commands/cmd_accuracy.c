/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_accuracy.c - spredict accuracy: how accurate the predictions have been
 *
 * Without options the figures of the predictions and of what they are compared
 * with, or of each model, from the memory of predictd; with any option groups
 * of runs, from the whole history.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/cli/reply_list.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/timestamp.h"
#include "predictor/cli/url_path.h"

/* --- Models, from memory -------------------------------------------------- */

static const char model_columns[] = "MODEL, >RUNS, >ERROR_%, >WITHIN_%";

static void add_model(const struct cli *cli, struct json_object *row,
		      struct table *table)
{
	const char *model = reply_text(row, "model");

	if (!cli->verbose && !show_has_model(model))
		return;
	table_cell(table, "%s",
		   strcmp(model, "chosen") == 0 ? "predicted" : model);
	table_number(table, "%.0f", reply_number(row, "runs"));
	table_number(table, "%.1f", 100 * reply_number(row, "error"));
	table_number(table, "%.1f", 100 * reply_number(row, "coverage"));
}

static const struct reply_list by_model = {
	.path = "/v1/accuracy",
	.array = "accuracy",
	.columns = model_columns,
	.add = add_model,
};

/* --- Groups, from the history --------------------------------------------- */

static const char group_columns[] =
	"GROUP, STAGE, >RUNS, >PREDICTED_%, >ERROR_%, >MEDIAN_%, "
	">ACCURACY_%, >WITHIN_%, >LIMIT_MISSED_%, >LIMIT/RUN";

static void add_group(const struct cli *cli UNUSED, struct json_object *row,
		      struct table *table)
{
	const char *group = reply_text(row, "group");
	double runs = reply_number(row, "runs");

	table_cell(table, "%s", *group ? group : "(none)");
	table_cell(table, "%s", reply_text(row, "stage"));
	table_number(table, "%.0f", runs);
	table_number(table, "%.1f",
		     100 * reply_number(row, "predicted") / runs);
	table_number(table, "%.1f", 100 * reply_number(row, "error"));
	table_number(table, "%.1f", 100 * reply_number(row, "median_error"));
	table_number(table, "%.1f", 100 * reply_number(row, "accuracy"));
	table_number(table, "%.1f", 100 * reply_number(row, "coverage"));
	table_number(table, "%.1f", 100 * reply_number(row, "limit_missed"));
	table_number(table, "%.1f", reply_number(row, "limit_factor"));
}

/* --- What was advised at submission --------------------------------------- */

static const char advice_columns[] =
	"GROUP, >RUNS, >TIME_%, >TIME/USED, >MEMORY_%, >MEMORY/USED, >CPUS_%, "
	">CPUS/USED";

static void add_advice(const struct cli *cli UNUSED, struct json_object *row,
		       struct table *table)
{
	const char *group = reply_text(row, "group");

	if (strcmp(reply_text(row, "stage"), "submission") != 0)
		return;
	table_cell(table, "%s", *group ? group : "(none)");
	table_number(table, "%.0f", reply_number(row, "advised"));
	table_number(table, "%.1f", 100 * reply_number(row, "time_covered"));
	table_number(table, "%.2f", reply_number(row, "time_factor"));
	table_number(table, "%.1f", 100 * reply_number(row, "memory_covered"));
	table_number(table, "%.2f", reply_number(row, "memory_factor"));
	table_number(table, "%.1f", 100 * reply_number(row, "cpus_covered"));
	table_number(table, "%.2f", reply_number(row, "cpus_factor"));
}

/* --- The request ---------------------------------------------------------- */

/* Values of the options, not yet checked. */
struct accuracy_query {
	const char *by, *since, *until;
	const char *partition, *user, *application, *model;
	bool completed, advice;
	char path[URL_PATH_SIZE]; /* of the request */
};

static const struct cli_option options[] = {
	{ "by",
	  .argument = "all|cluster|partition|user|application|model|month",
	  CLI_TEXT(struct accuracy_query, by),
	  .help = "a line for each; default: all" },
	{ "since", .argument = "TIME", CLI_TEXT(struct accuracy_query, since),
	  .help = "only runs that ended at that time or later" },
	{ "until", .argument = "TIME", CLI_TEXT(struct accuracy_query, until),
	  .help = "only runs that ended before that time" },
	{ "partition", .argument = "NAME",
	  CLI_TEXT(struct accuracy_query, partition),
	  .help = "only runs in this partition" },
	{ "user", .argument = "NAME", CLI_TEXT(struct accuracy_query, user),
	  .help = "only runs of this user, a name or a uid" },
	{ "application", .argument = "NAME",
	  CLI_TEXT(struct accuracy_query, application),
	  .help = "only runs of this application" },
	{ "model", .argument = "NAME", CLI_TEXT(struct accuracy_query, model),
	  .help = "only runs predicted by this model" },
	{ "completed", CLI_FLAG(struct accuracy_query, completed),
	  .help = "only runs that completed" },
	{ "advice", CLI_FLAG(struct accuracy_query, advice),
	  .help = "instead, what was advised at submission, and used" },
	{ .name = NULL },
};

static int append_time(char path[URL_PATH_SIZE], const char *name,
		       const char *text, struct sp_error *err)
{
	double moment_s;

	if (!text)
		return 0;
	if (timestamp_parse(text, clock_now_s(), &moment_s, err))
		return -1;
	return url_path_add_number(path, name, moment_s, err);
}

/* Any option makes it a query of the history, which needs `by`. */
static int accuracy_path(struct cli *cli, void *given, struct sp_error *err)
{
	struct accuracy_query *query = given;
	char *path = query->path;
	const struct {
		const char *name, *value;
	} texts[] = {
		{ "cluster", cli->cluster },
		{ "partition", query->partition },
		{ "user", query->user },
		{ "application", query->application },
		{ "model", query->model },
		{ "completed", query->completed ? "true" : NULL },
		{ "advice", query->advice ? "true" : NULL },
	};
	bool any = query->by || query->since || query->until;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		any |= texts[i].value != NULL;
	snprintf(path, URL_PATH_SIZE, "%s", by_model.path);
	if (!any)
		return 0;
	if (url_path_add(path, "by", query->by ? query->by : "all", err) ||
	    append_time(path, "since", query->since, err) ||
	    append_time(path, "until", query->until, err))
		return -1;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (url_path_add(path, texts[i].name, texts[i].value, err))
			return -1;
	return 0;
}

/* While the history is not available, the reply has models instead
 * of groups. */
static int fetch_accuracy(struct cli *cli, void *given, struct sp_error *err)
{
	const struct accuracy_query *query = given;
	struct reply_list list = by_model;
	struct json_object *reply;

	list.path = query->path;
	if (reply_list_read(&list, cli, &reply, err))
		return -1;

	struct json_object *rows = reply_array(reply, list.array);
	struct json_object *first = json_object_array_get_idx(rows, 0);

	if (json_object_object_get_ex(first, "group", NULL)) {
		list.columns = query->advice ? advice_columns : group_columns;
		list.add = query->advice ? add_advice : add_group;
	}

	return reply_list_print(&list, cli, reply, err);
}

const struct subcommand subcommand_accuracy = {
	.name = "accuracy",
	.options_size = sizeof(struct accuracy_query),
	.check = accuracy_path,
	.act = fetch_accuracy,
	.options = options,
	.clusters = CLI_CLUSTERS_ALL,
	.group = CLI_ADMINS,
	.help = "show how accurate the predictions have been",
};
