/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_profile.c - spredict profile: how an application uses CPUs and links
 *
 * One request; each profile becomes a heading, a table of its nodes and a
 * table of the pairs of nodes that exchange messages.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/quantity.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/cli/timestamp.h"
#include "predictor/cli/url_path.h"

/* --- The output ----------------------------------------------------------- */

static void print_parameters(struct json_object *profile)
{
	struct json_object *set = NULL;

	if (!json_object_object_get_ex(profile, "parameters", &set) ||
	    !json_object_is_type(set, json_type_object))
		return;
	json_object_object_foreach(set, name, value)
		printf(" %s=%g", name, json_object_get_double(value));
}

static void print_head(struct json_object *profile)
{
	printf("%s", reply_text(profile, "application"));
	print_parameters(profile);
	printf(" on %s", reply_text(profile, "cluster"));
	printf("\nnodes %.0f, tasks %.0f; runs %.0f, the last ended %s; "
	       "mean run time %s\n\n",
	       reply_number(profile, "nodes"), reply_number(profile, "tasks"),
	       reply_number(profile, "runs"),
	       TIMESTAMP(reply_number(profile, "measured_at_s")),
	       DURATION_BRIEF(reply_number(profile, "runtime_s")));
}

static const char node_columns[] =
	">NODE, >TASKS, >BUSY_%, >CPU_S, >NO_CPU_S, >IDLE_S, >SPIN_S, "
	">BUSY_MS, >IDLE_MS, >CPU_AVAIL, >CPU_LEFT";

static void add_node(struct json_object *node, size_t number,
		     struct table *table)
{
	double busy_s = reply_number(node, "busy_s");
	double ready_s = reply_number(node, "ready_s");
	double idle_s = reply_number(node, "idle_s");

	table_cell(table, "%zu", number + 1);
	table_number(table, "%.0f", reply_number(node, "tasks"));
	table_number(table, "%.1f",
		     100 * (busy_s + ready_s) / (busy_s + ready_s + idle_s));
	table_number(table, "%.3f", busy_s);
	table_number(table, "%.3f", ready_s);
	table_number(table, "%.3f", idle_s);
	table_number(table, "%.3f", reply_number(node, "spinning_s"));
	table_number(table, "%.1f", 1e3 * reply_number(node, "busy_phase_s"));
	table_number(table, "%.1f", 1e3 * reply_number(node, "idle_phase_s"));
	table_number(table, "%.2f", reply_number(node, "cpu_available"));
	table_number(table, "%.2f", reply_number(node, "cpu_left"));
}

static const char pair_columns[] =
	">FROM, >TO, >MESSAGES, >BYTES, >MEAN_BYTES, >LONG_%, "
	">REPLIES_%, >MBIT/S, >LATENCY_US";

static void add_pair(struct json_object *pair, size_t number UNUSED,
		     struct table *table)
{
	double messages = reply_number(pair, "messages");
	double bytes = reply_number(pair, "bytes");

	table_number(table, "%.0f", 1 + reply_number(pair, "from"));
	table_number(table, "%.0f", 1 + reply_number(pair, "to"));
	table_number(table, "%.0f", messages);
	table_number(table, "%.0f", bytes);
	table_number(table, "%.0f", bytes / messages);
	table_number(table, "%.0f",
		     100 * reply_number(pair, "long_messages") / messages);
	table_number(table, "%.0f",
		     100 * reply_number(pair, "replies") / messages);
	table_number(table, "%.1f", 1e-6 * reply_number(pair, "bandwidth_bps"));
	table_number(table, "%.0f", 1e6 * reply_number(pair, "latency_s"));
}

/* A table of an array of the profile, or the text `nothing`. */
static int print_table(struct json_object *profile, const char *name,
		       const char *columns,
		       void (*add)(struct json_object *row, size_t number,
				   struct table *table),
		       const char *nothing, struct sp_error *err)
{
	struct json_object *array = reply_array(profile, name);
	size_t count = array ? json_object_array_length(array) : 0;
	struct table *table;

	if (!count) {
		puts(nothing);
		return 0;
	}
	table = table_create_heads(columns);
	for (size_t i = 0; i < count; i++)
		add(json_object_array_get_idx(array, i), i, table);
	return table_finish(table, err);
}

/* Each task is a process. */
static void print_processes(struct json_object *farm)
{
	double tasks = reply_number(farm, "tasks");
	double seen = reply_number(farm, "tasks_seen");

	if (seen < tasks)
		printf("; estimated, as only %.0f were seen: the others lived "
		       "for less than the time between two searches",
		       seen);
	printf("\n\n");
}

static void print_messages(struct json_object *farm)
{
	printf("; %s, %.0f %% of it to workers; the master's own work %s; %s a "
	       "message, %s a long one\n\n",
	       QUANTITY(reply_number(farm, "bytes"), "B"),
	       100 * reply_number(farm, "alpha"),
	       QUANTITY(reply_number(farm, "master_s"), "s"),
	       QUANTITY(reply_number(farm, "message_s"), "s"),
	       QUANTITY(reply_number(farm, "long_message_s"), "s"));
}

/* Print the line of a program that hands out tasks. */
static void print_farm(struct json_object *profile)
{
	struct json_object *farm = NULL;

	if (!json_object_object_get_ex(profile, "farm", &farm))
		return;

	const char *known = reply_text(farm, "kind");
	const char *kind = known ? known : "?";
	bool processes = !strcmp(kind, "processes");
	double sigma_s = reply_number(farm, "sigma_s");

	printf("farm, %s: %.0f workers", kind, reply_number(farm, "workers"));
	if (!processes)
		printf(", master on node %.0f", 1 + reply_number(farm, "hub"));
	printf("; %.0f tasks of %s", reply_number(farm, "tasks"),
	       QUANTITY(reply_number(farm, "mu_s"), "s"));
	if (isfinite(sigma_s))
		printf(" (standard deviation %s)", QUANTITY(sigma_s, "s"));
	if (processes)
		print_processes(farm);
	else
		print_messages(farm);
}

static int print_profile(struct json_object *profile, struct sp_error *err)
{
	print_head(profile);
	print_farm(profile);
	if (print_table(profile, "node_profiles", node_columns, add_node,
			"phases were not measured", err))
		return -1;
	puts("");
	return print_table(profile, "pairs", pair_columns, add_pair,
			   "no messages between nodes", err);
}

static int print_all(const struct cli *cli, struct json_object *reply,
		     const char *application, struct sp_error *err)
{
	struct json_object *profiles = reply_array(reply, "profiles");
	size_t count = profiles ? json_object_array_length(profiles) : 0;

	if (!count)
		return sp_error_set(err, "no profile of %s", application);
	if (cli->json) {
		reply_print(reply);
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		if (i)
			puts("");
		if (print_profile(json_object_array_get_idx(profiles, i), err))
			return -1;
	}
	return 0;
}

static int check_profile(struct cli *cli, void *given UNUSED,
			 struct sp_error *err)
{
	return cli->operand
		       ? 0
		       : sp_error_set(err,
				      "profile takes the name of an "
				      "application: see spredict applications");
}

static int show_profile(struct cli *cli, void *given UNUSED,
			struct sp_error *err)
{
	char path[URL_PATH_SIZE] = "/v1/profiles";
	struct json_object *reply;

	if (url_path_add(path, "application", cli->operand, err) ||
	    url_path_add(path, "cluster", cli->cluster, err) ||
	    fetch(cli, path, NULL, &reply, NULL, err))
		return -1;

	int rc = print_all(cli, reply, cli->operand, err);

	json_object_put(reply);
	return rc;
}

const struct subcommand subcommand_profile = {
	.name = "profile",
	.check = check_profile,
	.act = show_profile,
	.clusters = CLI_CLUSTERS_ALL,
	.operands = "APPLICATION",
	.operands_max = 1,
	.help = "show how an application uses CPUs and links",
};
