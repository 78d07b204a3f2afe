/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_critical.c - spredict critical: where the time of a traced job is
 *
 * The trace is replayed where it was recorded; all times are multiplied by the
 * measured run time over the replayed one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "predictor/base/duration.h"
#include "predictor/base/small_file.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/traced_run.h"
#include "predictor/cli/commands/timeline_plot.h"

struct critical_options {
	struct traced_source source;
	const char *svg;
};

static const struct cli_option options[] = {
	{ "svg", .argument = "FILE", CLI_TEXT(struct critical_options, svg),
	  .help = "plot the ranks over time, with the path" },
	TRACED_OPTIONS(struct critical_options),
	{ .name = NULL },
};

struct analysis {
	const struct run_trace *run;
	struct traced_place place;
	struct replay_result result;
	struct rank_result *ranks;
	struct replay_step *steps;
	struct model_factors factors;
	struct critical_path path;
	double factor;         /* measured / replayed */
	double on[PATH_KINDS]; /* path: parts of the run time */
	const char **names;    /* [ranks]: nodes */
};

static void analysis_clear(struct analysis *a)
{
	traced_place_clear(&a->place);
	critical_path_clear(&a->path);
	free(a->ranks);
	free(a->steps);
	free(a->names);
}

static int analysis_make(const struct run_trace *run, struct analysis *ret,
			 struct sp_error *err)
{
	struct analysis a = {
		.run = run,
		.ranks = calloc((size_t)run->ranks, sizeof(*a.ranks)),
		.steps = calloc((size_t)run->trace->count, sizeof(*a.steps)),
		.names = calloc((size_t)run->ranks, sizeof(*a.names)),
	};
	int rc = traced_place_create(run, NULL, 0, 1, &a.place, err);
	struct replay_placement placement;

	if (!rc && (!a.ranks || !a.steps || !a.names))
		rc = sp_error_set(err, "out of memory for a replay");
	if (!rc) {
		placement = traced_placement(run, &a.place, run->node);
		rc = trace_replay(run->trace, &placement, &a.result, a.ranks,
				  a.steps, err);
	}
	if (!rc && !(a.result.time_s > 0))
		rc = sp_error_set(err, "the trace has no time in it");
	if (!rc)
		rc = replay_factors(run->trace, &placement, &a.factors, err);
	if (!rc)
		rc = critical_path_find(run->trace, a.steps, &a.path, err);
	if (rc) {
		analysis_clear(&a);
		return -1;
	}
	a.factor = run->runtime_s / a.result.time_s;
	for (int r = 0; r < run->ranks; r++) {
		a.names[r] = run->nodes[run->node[r]].name;
		for (int kind = 0; kind < PATH_KINDS; kind++)
			a.on[kind] += a.path.by_rank[r][kind] / a.result.time_s;
	}
	*ret = a;
	return 0;
}

/* --- Output --------------------------------------------------------------- */

static const char columns[] =
	">RANK, NODE, >COMPUTES_S, >WAITS_S, >ON_PATH_S, >ON_PATH";

static int print_ranks(const struct analysis *a, struct sp_error *err)
{
	struct table *table = table_create_heads(columns);

	for (int r = 0; r < a->run->ranks; r++) {
		double on_path_s = a->path.by_rank[r][PATH_COMPUTES];

		table_cell(table, "%d", r);
		table_cell(table, "%s", a->names[r]);
		table_number(table, "%.3f", a->factor * a->ranks[r].computed_s);
		/* The others' end is waited for, too. */
		table_number(table, "%.3f",
			     a->factor *
				     (a->ranks[r].waited_s + a->result.time_s -
				      a->ranks[r].end_s));
		table_number(table, "%.3f", a->factor * on_path_s);
		table_number(table, "%.1f %%",
			     100 * on_path_s / a->result.time_s);
	}
	return table_finish(table, err);
}

static int print_analysis(const struct analysis *a, struct sp_error *err)
{
	struct table *facts = show_facts();
	const struct model_factors *f = &a->factors;

	table_fact(facts, "application", "%s", a->run->application);
	table_fact(facts, "run time", "%s, %d ranks",
		   DURATION_BRIEF(a->run->runtime_s), a->run->ranks);
	traced_run_show(facts, a->run);
	table_fact(facts, "efficiency",
		   "%.1f %% = load balance %.1f %% x serialisation %.1f %% "
		   "x transfer %.1f %%",
		   100 * f->load_balance * f->serialisation * f->transfer,
		   100 * f->load_balance, 100 * f->serialisation,
		   100 * f->transfer);
	table_fact(facts, "critical path",
		   "computes %.1f %%, messages %.1f %%, waits %.1f %%",
		   100 * a->on[PATH_COMPUTES], 100 * a->on[PATH_TRANSFER],
		   100 * a->on[PATH_WAITS]);

	int rc = table_finish(facts, err);

	puts("");
	return rc ? rc : print_ranks(a, err);
}

static int print_json(const struct analysis *a, struct sp_error *err)
{
	struct json_object *reply = json_object_new_object();

	if (!reply)
		return sp_error_set(err, "out of memory");

	struct json_object *object = reply_add_object(reply, "critical");

	reply_add_number(object, "runtime_s", a->run->runtime_s);
	reply_add_number(object, "seen", a->run->seen);
	reply_add_number(object, "load_balance", a->factors.load_balance);
	reply_add_number(object, "serialisation", a->factors.serialisation);
	reply_add_number(object, "transfer", a->factors.transfer);
	reply_add_number(object, "path_computes", a->on[PATH_COMPUTES]);
	reply_add_number(object, "path_messages", a->on[PATH_TRANSFER]);
	reply_add_number(object, "path_waits", a->on[PATH_WAITS]);

	struct json_object *ranks = reply_add_array(object, "ranks");

	for (int r = 0; r < a->run->ranks; r++) {
		struct json_object *rank = reply_add_row(ranks);

		reply_add_text(rank, "node", a->names[r]);
		reply_add_number(rank, "computes_s",
				 a->factor * a->ranks[r].computed_s);
		reply_add_number(rank, "waits_s",
				 a->factor * a->ranks[r].waited_s);
		reply_add_number(rank, "on_path_s",
				 a->factor * a->path.by_rank[r][PATH_COMPUTES]);
	}
	reply_print(reply);
	json_object_put(reply);
	return 0;
}

static int write_plot(const struct analysis *a, const char *path,
		      struct sp_error *err)
{
	const struct timeline_plot plot = {
		.title = a->run->application,
		.trace = a->run->trace,
		.steps = a->steps,
		.path = &a->path,
		.names = a->names,
		.time_s = a->result.time_s,
		.factor = a->factor,
	};
	FILE *file = fopen(path, "we");
	int rc = file ? timeline_plot_write(file, &plot, err) : 0;

	return small_file_finish(file, path, rc, err);
}

/* --- The subcommand ------------------------------------------------------- */

static int show_critical(struct cli *cli, void *given, struct sp_error *err)
{
	const struct critical_options *o = given;
	struct run_trace run;
	struct analysis a;

	if (traced_run_read(cli, &o->source, &run, err))
		return -1;

	int rc = analysis_make(&run, &a, err);

	if (!rc) {
		if (o->svg)
			rc = write_plot(&a, o->svg, err);
		if (!rc)
			rc = cli->json ? print_json(&a, err)
				       : print_analysis(&a, err);
		analysis_clear(&a);
	}
	run_trace_clear(&run);
	return rc;
}

const struct subcommand subcommand_critical = {
	.name = "critical",
	.options_size = sizeof(struct critical_options),
	.check = traced_run_check,
	.act = show_critical,
	.options = options,
	.operands = "[JOB]",
	.operands_max = 1,
};
