/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_nodes.c - spredict nodes: the state of the nodes, as measured
 * and forecast
 *
 * Three tables show the same list: the state, samples of one resource as a
 * line, and slow nodes with their speeds.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/reply_list.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/url_path.h"
#include "predictor/features/measurement.h"
#include "predictor/plot/sparkline.h"

#define NOTE_SIZE 256

/* --- Cells ---------------------------------------------------------------- */

static void add_names(const struct cli *cli, struct json_object *row,
		      struct table *table)
{
	table_cell(table, "%s",
		   cli->cluster ? cli->cluster : reply_text(row, "cluster"));
	table_cell(table, "%s", reply_text(row, "node"));
}

/* Megabytes have none, loads and shares two. */
static int decimals(double value)
{
	return fabs(value) < 100 ? 2 : 0;
}

/* The forecast mean and its interval. */
static void add_forecast(struct json_object *row, const char *resource,
			 struct table *table)
{
	struct json_object *f = json_object_object_get(
		json_object_object_get(row, "forecast"), resource);
	double value = reply_number(f, "value");

	if (isnan(value))
		table_cell(table, "-");
	else if (isnan(reply_number(f, "low")))
		table_cell(table, "%.*f", decimals(value), value);
	else
		table_cell(table, "%.*f (%.*f to %.*f)", decimals(value), value,
			   decimals(value), reply_number(f, "low"),
			   decimals(value), reply_number(f, "high"));
}

/* Append "spool full, 3 reports lost". */
static void note_spool(struct json_object *row, char note[NOTE_SIZE],
		       size_t used)
{
	double free_mb = reply_number(row, "spool_free_mb");
	double failed = reply_number(row, "spool_failed");

	if (free_mb < SPOOL_FULL_MB && used < NOTE_SIZE)
		used += (size_t)snprintf(note + used, NOTE_SIZE - used,
					 "%sspool full", used ? ", " : "");
	if (failed > 0 && used < NOTE_SIZE)
		snprintf(note + used, NOTE_SIZE - used,
			 "%s%.0f files of the spool lost", used ? ", " : "",
			 failed);
}

/* "cpu_load sticks, slow". */
static void add_note(struct json_object *row, struct table *table)
{
	static const struct {
		const char *array, *verb;
	} marks[] = { { "stuck", "sticks" }, { "jumping", "jumps" } };
	char note[NOTE_SIZE] = "";
	size_t used = 0;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		struct json_object *list = reply_array(row, marks[i].array);
		size_t count = list ? json_object_array_length(list) : 0;

		for (size_t k = 0; k < count && used < sizeof(note); k++)
			used += (size_t)snprintf(
				note + used, sizeof(note) - used, "%s%s %s",
				used ? ", " : "",
				json_object_get_string(
					json_object_array_get_idx(list, k)),
				marks[i].verb);
	}
	if (reply_flag(json_object_object_get(row, "speed"), "slow") &&
	    used < sizeof(note))
		used += (size_t)snprintf(note + used, sizeof(note) - used,
					 "%sslow", used ? ", " : "");
	note_spool(row, note, used);
	table_cell(table, "%s", note);
}

/* --- The state of each ---------------------------------------------------- */

static const char state_columns[] =
	"CLUSTER, NODE, >CPU_LOAD, >CPU_AVAIL, FORECAST, >MEM_AVAIL_MB, "
	">AGE, USED, NOTE";

static void add_state(const struct cli *cli, struct json_object *row,
		      struct table *table)
{
	add_names(cli, row, table);
	table_number(table, "%.2f", reply_number(row, "cpu_load"));
	table_number(table, "%.2f", reply_number(row, "cpu_available"));
	add_forecast(row, "cpu_available", table);
	table_number(table, "%.0f", reply_number(row, "memory_available_mb"));
	reply_list_age(row, table);
	table_cell(table, "%s", reply_flag(row, "fresh") ? "yes" : "too old");
	add_note(row, table);
}

/* --- Samples of one resource ---------------------------------------------- */

static const char history_columns[] =
	"CLUSTER, NODE, >NEWEST, HISTORY, FORECAST, >AGE";

/* {"cpu_load": [...]}: there is one. */
static struct json_object *history_of(struct json_object *row,
				      const char **ret_resource)
{
	struct json_object *history = json_object_object_get(row, "history");

	*ret_resource = "";
	if (!json_object_is_type(history, json_type_object))
		return NULL;
	json_object_object_foreach(history, resource, list) {
		*ret_resource = resource;
		return json_object_is_type(list, json_type_array) ? list : NULL;
	}
	return NULL;
}

static void add_history(const struct cli *cli, struct json_object *row,
			struct table *table)
{
	double values[SPARKLINE_POINTS];
	char text[SPARKLINE_SIZE];
	const char *resource;
	struct json_object *list = history_of(row, &resource);
	size_t count = list ? json_object_array_length(list) : 0;
	bool share = strncmp(resource, "cpu_available", 13) == 0;
	double newest = reply_number(row, resource);

	if (count > SPARKLINE_POINTS)
		count = SPARKLINE_POINTS;
	for (size_t i = 0; i < count; i++)
		values[i] = json_object_get_double(
			json_object_array_get_idx(list, i));
	add_names(cli, row, table);
	table_number(table, decimals(newest) ? "%.2f" : "%.0f", newest);
	table_cell(table, "%s",
		   sparkline(values, count, 0, share ? 1 : 0, text));
	add_forecast(row, resource, table);
	reply_list_age(row, table);
}

/* --- Slow ones ------------------------------------------------------------ */

static const char slow_columns[] =
	"CLUSTER, NODE, >SPEED, >ITS_PAST, >ITS_PEERS, >BELOW_%, >AGE";

static void add_slow(const struct cli *cli, struct json_object *row,
		     struct table *table)
{
	struct json_object *speed = json_object_object_get(row, "speed");
	double now = reply_number(speed, "now");
	double past = reply_number(speed, "past");
	double peers = reply_number(speed, "peers");

	add_names(cli, row, table);
	table_number(table, "%.3f", now);
	table_number(table, "%.3f", past);
	table_number(table, "%.3f", peers);
	table_number(table, "%.0f", 100 * (1 - now / fmax(past, peers)));
	reply_list_age(row, table);
}

/* --- The request ---------------------------------------------------------- */

struct nodes_query {
	bool slow, history;
	const char *resource, *horizon;
};

static const struct cli_option options[] = {
	{ "slow", CLI_FLAG(struct nodes_query, slow),
	  .help = "only nodes that have become slow" },
	{ "history", CLI_FLAG(struct nodes_query, history),
	  .help = "draw the latest samples of one resource" },
	{ "resource", .argument = "NAME",
	  CLI_TEXT(struct nodes_query, resource),
	  .help = "resource to draw; default: cpu_available" },
	{ "horizon", .argument = "TIME", CLI_TEXT(struct nodes_query, horizon),
	  .help = "time span of forecasts; default: 5 minutes" },
	{ .name = NULL },
};

static int nodes_path(const struct cli *cli, const struct nodes_query *query,
		      char path[URL_PATH_SIZE], struct sp_error *err)
{
	double horizon_s = 300;

	if (query->horizon && duration_parse(query->horizon, &horizon_s, err))
		return -1;
	if (!isfinite(horizon_s))
		return sp_error_set(err, "--horizon: not a time: %s",
				    query->horizon);
	snprintf(path, URL_PATH_SIZE,
		 "/v1/nodes?horizon=%.0f&slow=%d&history=%d", horizon_s,
		 query->slow, query->history ? SPARKLINE_POINTS : 0);
	if (url_path_add(path, "resource", query->resource, err))
		return -1;
	return url_path_add(path, "cluster", cli->cluster, err);
}

static int show_nodes(struct cli *cli, void *given, struct sp_error *err)
{
	struct nodes_query *query = given;
	char path[URL_PATH_SIZE];
	const struct reply_list list = {
		.path = path,
		.array = "nodes",
		.columns = query->history ? history_columns
			   : query->slow  ? slow_columns
					  : state_columns,
		.add = query->history ? add_history
		       : query->slow  ? add_slow
				      : add_state,
	};
	struct json_object *reply;

	if (!query->resource)
		query->resource = "cpu_available";
	if (nodes_path(cli, query, path, err) ||
	    reply_list_read(&list, cli, &reply, err))
		return -1;

	return reply_list_print(&list, cli, reply, err);
}

const struct subcommand subcommand_nodes = {
	.name = "nodes",
	.options_size = sizeof(struct nodes_query),
	.act = show_nodes,
	.options = options,
	.clusters = CLI_CLUSTERS_ALL,
	.help = "show the state of the nodes, as measured and as forecast",
};
