/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_probes.c - spredict probes: the schedule by which links are probed
 *
 * The schedule is computed here as every collector computes it: from the roster
 * of predictd, or from given nodes and a given topology.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/probes/schedule.h"
#include "predictor/base/clock.h"
#include "predictor/base/small_file.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/wire/json_roster.h"

#define INTERVAL_S 10 /* the default of ProbeInterval */
#define SLOTS_MAX  100000

/* Values of the options, first as given, then parsed. */
struct probes_request {
	bool plan;
	const char *nodes, *topology, *interval, *slots, *node;
	double interval_s;
	unsigned long slots_count;
};

/* --- The schedule -------------------------------------------------------- */

static struct schedule *create_schedule(const char *nodes, const char *topology,
					size_t topology_size,
					struct sp_error *err)
{
	struct hostlist list = { 0 };
	struct topology tree = { 0 };
	struct schedule *schedule = NULL;

	if (!*nodes)
		sp_error_set(err, "no node probes links");
	else if (!hostlist_expand(nodes, &list, err) &&
		 !topology_parse(topology, topology_size, &tree, err))
		schedule = schedule_create(&list, &tree, err);
	hostlist_clear(&list);
	topology_clear(&tree);
	return schedule;
}

static struct schedule *
schedule_from_options(const struct probes_request *request,
		      struct sp_error *err)
{
	struct schedule *schedule;
	size_t size = 0;
	char *topology = NULL;

	if (request->topology) {
		topology = small_file_text(request->topology,
					   TOPOLOGY_BYTES_MAX + 1, &size, err);
		if (!topology)
			return NULL;
	}
	schedule = create_schedule(request->nodes, topology ? topology : "",
				   size, err);
	free(topology);
	return schedule;
}

static struct schedule *schedule_from_predictd(struct cli *cli,
					       struct sp_error *err)
{
	struct schedule *schedule = NULL;
	struct json_object *reply, *value;
	struct probe_roster roster;
	char path[128];

	snprintf(path, sizeof(path), "/v1/probes?cluster=%s", cli_cluster(cli));
	if (fetch(cli, path, NULL, &reply, NULL, err))
		return NULL;
	if (!json_object_object_get_ex(reply, "roster", &value)) {
		sp_error_set(err, "predictd's reply has no roster");
	} else if (!wire_roster_decode(value, &roster, err)) {
		const char *topology = roster.topology ? roster.topology : "";

		schedule = create_schedule(roster.nodes ? roster.nodes : "",
					   topology, strlen(topology), err);
		probe_roster_clear(&roster);
	}
	json_object_put(reply);
	return schedule;
}

/* --- Output --------------------------------------------------------------- */

static int print_levels(const struct schedule *s,
			const struct probes_request *request,
			struct sp_error *err)
{
	static const char columns[] =
		">LEVEL, BETWEEN, >GROUPS, >MEMBERS, >PAIRS, >EACH AFTER";
	struct table *table = table_create_heads(columns);

	for (size_t i = 0; i < schedule_levels(s); i++) {
		struct schedule_level level;

		schedule_level(s, i, &level);
		table_cell(table, "%zu", i);
		table_cell(table, "%s",
			   i ? "representatives of groups" : "nodes");
		table_cell(table, "%zu", level.vertices);
		table_cell(table, "%zu", level.children_max);
		table_cell(table, "%zu", level.pairs);
		table_span(table, (double)level.period * request->interval_s);
	}
	return table_finish(table, err);
}

/* The mean number of probes in a slot, over one slot for each level. */
static void print_summary(const struct schedule *s,
			  const struct probes_request *request)
{
	size_t levels = schedule_levels(s), turns = 0;
	uint64_t slot = (uint64_t)(clock_now_s() / request->interval_s);
	struct schedule_turn turn;

	for (size_t t = 0; t < levels; t++)
		for (size_t i = 0; i < schedule_count(s); i++)
			turns += schedule_turn(s, i, slot + t, &turn);
	printf("\n%zu nodes, a turn every %g s; a node is in %.2f probes in a "
	       "minute\n",
	       schedule_count(s), request->interval_s,
	       levels && schedule_count(s)
		       ? 60 / request->interval_s * (double)turns /
				 (double)(levels * schedule_count(s))
		       : 0);
}

static int print_slots(const struct schedule *s,
		       const struct probes_request *request,
		       struct sp_error *err)
{
	static const char columns[] = "AT, NODE, PROBES";
	uint64_t slot = (uint64_t)(clock_now_s() / request->interval_s);
	size_t only =
		request->node ? schedule_find(s, request->node) : SIZE_MAX;
	struct table *table;

	if (request->node && only == SIZE_MAX)
		return sp_error_set(err, "%s: not a node of the schedule",
				    request->node);
	table = table_create_heads(columns);
	for (uint64_t t = slot; t < slot + request->slots_count; t++)
		for (size_t i = 0; i < schedule_count(s); i++) {
			struct schedule_turn turn;

			if ((request->node && i != only) ||
			    !schedule_turn(s, i, t, &turn) ||
			    (!request->node && !turn.begins))
				continue;
			table_cell(table, "+%gs",
				   (double)(t - slot) * request->interval_s);
			table_cell(table, "%s", schedule_name(s, i));
			table_cell(table, "%s", schedule_name(s, turn.partner));
		}
	putchar('\n');
	return table_finish(table, err);
}

/* --- As JSON -------------------------------------------------------------- */

static int print_json(const struct schedule *s,
		      const struct probes_request *request,
		      struct sp_error *err)
{
	struct json_object *reply = wire_reply_create();

	if (!reply)
		return sp_error_set(err, "out of memory");
	reply_add_count(reply, "nodes", schedule_count(s));
	reply_add_number(reply, "interval_s", request->interval_s);

	struct json_object *levels = reply_add_array(reply, "levels");

	for (size_t i = 0; i < schedule_levels(s); i++) {
		struct json_object *row = reply_add_row(levels);
		struct schedule_level level;

		schedule_level(s, i, &level);
		reply_add_count(row, "groups", level.vertices);
		reply_add_count(row, "members", level.children_max);
		reply_add_count(row, "pairs", level.pairs);
		reply_add_number(row, "period_s",
				 (double)level.period * request->interval_s);
	}
	reply_print(reply);
	json_object_put(reply);
	return 0;
}

static int print_tables(const struct schedule *s,
			const struct probes_request *request,
			struct sp_error *err)
{
	if (print_levels(s, request, err))
		return -1;
	print_summary(s, request);
	return request->slots_count ? print_slots(s, request, err) : 0;
}

static int parse_numbers(struct cli *cli UNUSED, void *given,
			 struct sp_error *err)
{
	struct probes_request *request = given;
	char *end;

	request->interval_s = INTERVAL_S;
	if (request->interval) {
		request->interval_s = strtod(request->interval, &end);
		if (end == request->interval || *end ||
		    !(request->interval_s >= 1) ||
		    !(request->interval_s <= 3600))
			return sp_error_set(err, "%.40s: not 1 to 3600 seconds",
					    request->interval);
	}
	if (request->slots) {
		request->slots_count = strtoul(request->slots, &end, 10);
		if (end == request->slots || *end ||
		    request->slots_count > SLOTS_MAX)
			return sp_error_set(err, "%.40s: not 0 to %d",
					    request->slots, SLOTS_MAX);
	}
	if (request->topology && !request->nodes)
		return sp_error_set(err, "--topology requires --nodes");
	if (!request->plan)
		return sp_error_set(err, "--plan is required");
	return 0;
}

static const struct cli_option options[] = {
	{ "plan", CLI_FLAG(struct probes_request, plan),
	  .help = "show the schedule of the probes (required)" },
	{ "slots", .argument = "NUMBER", CLI_TEXT(struct probes_request, slots),
	  .help = "also list the probes of that many turns from now on" },
	{ "node", .argument = "NODE", CLI_TEXT(struct probes_request, node),
	  .help = "list only the probes of this node" },
	{ "nodes", .argument = "LIST", CLI_TEXT(struct probes_request, nodes),
	  .help = "nodes to schedule, if not those of predictd" },
	{ "topology", .argument = "FILE",
	  CLI_TEXT(struct probes_request, topology),
	  .help = "with --nodes: switches, as in topology.conf" },
	{ "interval", .argument = "SECONDS",
	  CLI_TEXT(struct probes_request, interval),
	  .help = "ProbeInterval of the collectors; default: 10" },
	{ .name = NULL },
};

static int show_probes(struct cli *cli, void *given, struct sp_error *err)
{
	const struct probes_request *request = given;
	struct schedule *schedule =
		request->nodes ? schedule_from_options(request, err)
			       : schedule_from_predictd(cli, err);
	int rc;

	if (!schedule)
		return -1;
	rc = cli->json ? print_json(schedule, request, err)
		       : print_tables(schedule, request, err);
	schedule_destroy(schedule);
	return rc;
}

const struct subcommand subcommand_probes = {
	.name = "probes",
	.options_size = sizeof(struct probes_request),
	.check = parse_numbers,
	.act = show_probes,
	.options = options,
	.group = CLI_DEVELOPERS,
	.help = "show the schedule by which collectors probe links",
};
