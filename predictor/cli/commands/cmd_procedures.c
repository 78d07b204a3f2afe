/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_procedures.c - spredict procedures: what if a procedure ran elsewhere
 *
 * The columns are those of figures 3 and 4 of
 * [1] H. Eom and J. K. Hollingsworth, Load Balancing Factor (LBF): A Workload
 *     Migration Metric, CS-TR-4375, University of Maryland, 1998,
 * and the run time on the nodes of the job by a replay, in which servers do not
 * keep the order that was recorded.  Below these, which procedures do the work,
 * by samples: those that are worth being measured.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/cli/fetch.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/table.h"
#include "predictor/cli/traced_run.h"
#include "predictor/replay/procedure_move.h"

struct procedures_options {
	struct traced_source source;
};

static const struct cli_option options[] = {
	TRACED_OPTIONS(struct procedures_options),
	{ .name = NULL },
};

/* Figures of one procedure, in seconds. */
struct row {
	double time_s;
	double path_s;   /* critical path, as with a processor for each rank */
	double moved_s;  /* the same with the procedure at the other side */
	double zeroed_s; /* and without its time */
	double there_s;  /* run time on the job's nodes, moved; NAN: none */
};

static int replay(const struct run_trace *run,
		  const struct matched_trace *trace,
		  const struct traced_place *place, bool open_order,
		  struct replay_result *ret, struct sp_error *err)
{
	struct replay_placement placement =
		traced_placement(run, place, run->node);
	struct rank_result *ranks = calloc((size_t)run->ranks, sizeof(*ranks));
	int rc;

	if (!ranks)
		return sp_error_set(err, "out of memory for a replay");
	placement.open_order = open_order;
	rc = trace_replay(trace, &placement, ret, ranks, NULL, err);
	free(ranks);
	return rc;
}

/* In open order a program that relies on the recorded one may not end: then
 * there is no number. */
static double time_moved(const struct run_trace *run,
			 const struct traced_place *place)
{
	struct matched_trace *moved = procedure_move(run->trace);
	struct replay_result now, then;
	double time_s = NAN;

	if (moved && !replay(run, run->trace, place, true, &now, NULL) &&
	    !replay(run, moved, place, true, &then, NULL) && now.run_s > 0)
		time_s = run->runtime_s * then.run_s / now.run_s;
	matched_trace_destroy(moved);
	return time_s;
}

static int row_make(const struct run_trace *run, struct row *ret,
		    struct sp_error *err)
{
	struct traced_place place;
	struct replay_result result;

	if (traced_place_create(run, NULL, 0, 1, &place, err))
		return -1;

	int rc = replay(run, run->trace, &place, false, &result, err);

	if (!rc) {
		*ret = (struct row){
			.path_s = result.critical_path_s,
			.moved_s = result.moved_s,
			.zeroed_s = result.zeroed_s,
			.there_s = time_moved(run, &place),
		};
		for (int g = 0; g < run->trace->count; g++)
			ret->time_s += run->trace->events[g].procedure_s;
	}
	traced_place_clear(&place);
	return rc;
}

/* --- Output --------------------------------------------------------------- */

enum part { MEASURED, UNMEASURED, WORK, PARTS };

/* Names in JSON, and columns. */
static const struct {
	const char *name, *columns;
} parts[PARTS] = {
	[MEASURED] = { "procedures",
		       "PROCEDURE, >TIME_S, >PATH_S, >MOVED_S, >LESS, "
		       ">ZEROED_S, >LESS, >RUN_S, >MOVED_RUN_S, >ONLINE_S, "
		       ">SEEN, >CALLS, BY" },
	/* Procedures that were named and are not known. */
	[UNMEASURED] = { "unmeasured", "UNMEASURED, REASON" },
	/* Functions of the newest trace that has samples. */
	[WORK] = { "work", "WORK_OF, >TIME_S, >SHARE" },
};

struct output {
	struct table *table[PARTS];
	struct json_object *rows[PARTS];
};

static int output_create(struct output *ret, struct sp_error *err)
{
	*ret = (struct output){ .table = { NULL } };
	for (int i = 0; i < PARTS; i++) {
		ret->table[i] = table_create_heads(parts[i].columns);
		ret->rows[i] = json_object_new_array();
		if (!ret->table[i] || !ret->rows[i])
			return sp_error_set(err, "out of memory");
	}
	return 0;
}

static void output_destroy(struct output *output)
{
	for (int i = 0; i < PARTS; i++) {
		json_object_put(output->rows[i]);
		table_destroy(output->table[i]);
	}
}

static size_t rows_count(const struct output *output, enum part part)
{
	return json_object_array_length(output->rows[part]);
}

static double less_pct(double before, double after)
{
	return 100 * (1 - after / before);
}

static const char *measured_by(const struct run_trace *run)
{
	if (run->by_hooks && run->by_uprobes)
		return "both";
	return run->by_uprobes ? "uprobes" : "hooks";
}

static void add_measured(struct output *output, const struct run_trace *run,
			 const struct row *row)
{
	struct json_object *object = reply_add_row(output->rows[MEASURED]);
	struct table *table = output->table[MEASURED];

	reply_add_text(object, "procedure", run->procedure);
	reply_add_text(object, "by", measured_by(run));
	reply_add_count(object, "calls", run->calls);
	reply_add_number(object, "seen", run->seen);
	reply_add_number(object, "online_path_s", run->online_s[0]);
	reply_add_number(object, "online_moved_s", run->online_s[1]);
	reply_add_number(object, "time_s", row->time_s);
	reply_add_number(object, "path_s", row->path_s);
	reply_add_number(object, "moved_s", row->moved_s);
	reply_add_number(object, "zeroed_s", row->zeroed_s);
	reply_add_number(object, "runtime_s", run->runtime_s);
	reply_add_number(object, "moved_runtime_s", row->there_s);

	table_cell(table, "%s", run->procedure);
	table_number(table, "%.3f", row->time_s);
	table_number(table, "%.3f", row->path_s);
	table_number(table, "%.3f", row->moved_s);
	table_number(table, "%.1f %%", less_pct(row->path_s, row->moved_s));
	table_number(table, "%.3f", row->zeroed_s);
	table_number(table, "%.1f %%", less_pct(row->path_s, row->zeroed_s));
	table_number(table, "%.3f", run->runtime_s);
	table_number(table, "%.3f", row->there_s);
	table_number(table, "%.3f", run->online_s[1]);
	table_number(table, "%.3g %%", 100 * run->seen);
	table_number(table, "%.0f", run->calls ? (double)run->calls : NAN);
	table_cell(table, "%s", measured_by(run));
}

static void add_work(struct output *output, const struct run_trace *run)
{
	double all_s = 0;

	for (int g = 0; g < run->trace->count; g++)
		all_s += run->trace->events[g].work_s / run->seen;
	for (int i = 0; i < run->procedures_count; i++) {
		const struct procedure_work *p = &run->procedures[i];
		struct json_object *object = reply_add_row(output->rows[WORK]);
		struct table *table = output->table[WORK];

		table_cell(table, "%s", p->name);
		table_number(table, "%.3f", p->work_s);
		table_number(table, "%.1f %%", 100 * p->work_s / all_s);
		reply_add_text(object, "procedure", p->name);
		reply_add_number(object, "time_s", p->work_s);
		reply_add_number(object, "share", p->work_s / all_s);
	}
}

static void add_unmeasured(struct output *output, const struct run_trace *run)
{
	struct json_object *object = reply_add_row(output->rows[UNMEASURED]);

	table_cell(output->table[UNMEASURED], "%s", run->procedure);
	table_cell(output->table[UNMEASURED], "%s", run->unmeasured);
	reply_add_text(object, "procedure", run->procedure);
	reply_add_text(object, "reason", run->unmeasured);
}

static int add_trace(const struct run_trace *run, void *argument,
		     struct sp_error *err)
{
	struct output *output = argument;
	struct row row;

	if (!rows_count(output, WORK))
		add_work(output, run);
	if (*run->unmeasured) {
		add_unmeasured(output, run);
		return 0;
	}
	if (row_make(run, &row, err))
		return -1;
	if (row.time_s > 0)
		add_measured(output, run, &row);
	return 0;
}

static int print_json(struct output *output, struct sp_error *err)
{
	struct json_object *reply = json_object_new_object();

	if (!reply)
		return sp_error_set(err, "out of memory");
	for (int i = 0; i < PARTS; i++)
		json_object_object_add(reply, parts[i].name,
				       json_object_get(output->rows[i]));
	reply_print(reply);
	json_object_put(reply);
	return 0;
}

static int print_tables(struct output *output, struct sp_error *err)
{
	const char *between = "";

	for (int i = 0; i < PARTS; i++) {
		if (!rows_count(output, (enum part)i))
			continue;
		fputs(between, stdout);
		if (table_print(output->table[i], stdout, err))
			return -1;
		between = "\n";
	}
	return 0;
}

static int show_procedures(struct cli *cli, void *given, struct sp_error *err)
{
	const struct procedures_options *o = given;
	struct output output;
	int rc = output_create(&output, err);
	size_t count = 0;

	if (!rc)
		rc = traced_runs_each(cli, &o->source, add_trace, &output, err);
	for (int i = 0; !rc && i < PARTS; i++)
		count += rows_count(&output, (enum part)i);
	if (!rc && !count)
		rc = sp_error_set(err,
				  "no procedure was measured in the trace, and "
				  "no samples were taken: see spredict(1)");
	if (!rc)
		rc = cli->json ? print_json(&output, err)
			       : print_tables(&output, err);
	output_destroy(&output);
	return rc;
}

const struct subcommand subcommand_procedures = {
	.name = "procedures",
	.options_size = sizeof(struct procedures_options),
	.check = traced_run_check,
	.act = show_procedures,
	.options = options,
	.operands = "[JOB]",
	.operands_max = 1,
};
