/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_whatif.c - spredict whatif: a job's run time if it ran elsewhere
 *
 * The trace is replayed here, not in predictd, whose predictions never wait for
 * a replay.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/traced_run.h"
#include "predictor/replay/placement_list.h"
#include "predictor/whatif/whatif_answer.h"

#define DEADLINE_S 20 /* of a search for the best placement */

struct whatif_options {
	struct whatif_question question;
	bool as_recorded;
	struct traced_source source;
	const char *hostfile;
	const char *rankfile;
};

/* --best or --best=N */
static int set_best(const struct cli_option *row, void *into, const char *value,
		    struct sp_error *err)
{
	struct whatif_options *options = into;
	char *end = NULL;
	long nodes = value ? strtol(value, &end, 10) : 0;

	if (value &&
	    (end == value || *end || nodes < 1 || nodes > RUN_TRACE_NODES_MAX))
		return sp_error_set(err, "option --%s: not a number of nodes",
				    row->name);
	options->question.best = true;
	options->question.best_nodes = (int)nodes;
	return 0;
}

static const struct cli_option options[] = {
	{ "place", .argument = "LIST",
	  CLI_TEXT(struct whatif_options, question.place),
	  .help = "ranks on nodes, as in n1:2,n[2-3]:1" },
	{ "nodes", .argument = "LIST",
	  CLI_TEXT(struct whatif_options, question.nodes),
	  .help = "equal blocks of ranks on these nodes" },
	{ "swap", CLI_FLAG(struct whatif_options, question.swap),
	  .help = "the exchange of two ranks that gains most" },
	{ "best", .argument = "[N]", .set = set_best,
	  .help = "the best placement, on N of the nodes" },
	{ "as-recorded", CLI_FLAG(struct whatif_options, as_recorded),
	  .help = "shares and links as they were, not as they are" },
	{ "hostfile", .argument = "FILE",
	  CLI_TEXT(struct whatif_options, hostfile),
	  .help = "write one for srun -m arbitrary (SLURM_HOSTFILE)" },
	{ "rankfile", .argument = "FILE",
	  CLI_TEXT(struct whatif_options, rankfile),
	  .help = "write one for mpirun --rankfile" },
	TRACED_OPTIONS(struct whatif_options),
	{ .name = NULL },
};

/* --- Output --------------------------------------------------------------- */

static const char columns[] =
	"NODE, >CPUS, >SPEED, >RANKS_BEFORE, >RANKS, WHICH";

/* "0-3,7" */
static void ranks_on(const int node[], int ranks, int n, char *ret, size_t size)
{
	size_t used = 0;

	ret[0] = '\0';
	for (int r = 0; r < ranks && used + 24 < size; r++) {
		int end = r;

		if (node[r] != n)
			continue;
		while (end + 1 < ranks && node[end + 1] == n)
			end++;
		used += (size_t)snprintf(ret + used, size - used, "%s%d",
					 used ? "," : "", r);
		if (end > r)
			used += (size_t)snprintf(ret + used, size - used, "-%d",
						 end);
		r = end;
	}
}

static int count_on(const int node[], int ranks, int n)
{
	int count = 0;

	for (int r = 0; r < ranks; r++)
		count += node[r] == n;
	return count;
}

static int print_nodes(const struct run_trace *run,
		       const struct whatif_answer *answer, struct sp_error *err)
{
	struct table *table = table_create_heads(columns);
	char which[256];

	for (int n = 0; n < answer->place.count; n++) {
		int before = count_on(run->node, run->ranks, n);
		int there = count_on(answer->node, run->ranks, n);

		if (!before && !there)
			continue;
		ranks_on(answer->node, run->ranks, n, which, sizeof(which));
		table_cell(table, "%s", answer->place.nodes[n].name);
		table_number(table, "%.3g", answer->place.nodes[n].cores);
		table_number(table, "%.2f", answer->place.replay[n].speed);
		table_cell(table, "%d", before);
		table_cell(table, "%d", there);
		table_cell(table, "%s", which);
	}
	return table_finish(table, err);
}

static int print_answer(const struct run_trace *run,
			const struct whatif_options *o,
			const struct whatif_answer *answer,
			struct sp_error *err)
{
	struct table *facts = show_facts();
	char text[DURATION_TEXT_SIZE];

	table_fact(facts, "application", "%s", run->application);
	table_fact(facts, "measured", "%s, %d ranks%s",
		   duration_format_brief(run->runtime_s, text), run->ranks,
		   answer->is_farm ? ", a farm" : "");
	traced_run_show(facts, run);
	table_fact(facts, o->as_recorded ? "there again" : "there now", "%s",
		   duration_format_brief(answer->here_s, text));
	table_fact(facts, "elsewhere", "%s",
		   duration_format_brief(answer->there_s, text));
	table_fact(facts, "gain", "%.1f %%",
		   100 * (answer->here_s / answer->there_s - 1));
	if (o->question.swap && answer->swap[0] < 0)
		table_fact(facts, "exchange", "none is better");
	else if (o->question.swap)
		table_fact(facts, "exchange", "ranks %d and %d",
			   answer->swap[0], answer->swap[1]);

	int rc = table_finish(facts, err);

	puts("");
	return rc ? rc : print_nodes(run, answer, err);
}

static int print_json(const struct run_trace *run,
		      const struct whatif_answer *answer, struct sp_error *err)
{
	struct json_object *reply = json_object_new_object();

	if (!reply)
		return sp_error_set(err, "out of memory");

	struct json_object *object = reply_add_object(reply, "whatif");

	reply_add_count(object, "job_id", run->job_id);
	if (*run->user)
		reply_add_text(object, "user", run->user);
	if (*run->program)
		reply_add_text(object, "program", run->program);
	reply_add_count(object, "programs", (size_t)run->programs);
	reply_add_number(object, "job_s", run->job_s);
	reply_add_number(object, "measured_s", run->runtime_s);
	reply_add_number(object, "here_s", answer->here_s);
	reply_add_number(object, "there_s", answer->there_s);
	reply_add_number(object, "gain", answer->here_s / answer->there_s);
	reply_add_flag(object, "farm", answer->is_farm);
	reply_add_number(object, "seen", run->seen);

	struct json_object *ranks = reply_add_array(object, "ranks");

	for (int r = 0; r < answer->ranks; r++)
		json_object_array_add(ranks,
				      json_object_new_string(answer->names[r]));
	reply_print(reply);
	json_object_put(reply);
	return 0;
}

static int write_file(const char *path, const struct whatif_answer *answer,
		      void (*write)(FILE *file, const char *const names[],
				    int ranks),
		      struct sp_error *err)
{
	FILE *file = path ? fopen(path, "we") : NULL;

	if (!path)
		return 0;
	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	write(file, answer->names, answer->ranks);

	bool failed = ferror(file);

	if (fclose(file) || failed)
		return sp_error_set(err, "%s: not written: %s", path,
				    strerror(errno));
	return 0;
}

/* --- The subcommand ------------------------------------------------------- */

static int check_question(struct cli *cli, void *given, struct sp_error *err)
{
	struct whatif_options *o = given;
	const struct whatif_question *q = &o->question;
	int asked =
		(q->place != NULL) + q->swap + (q->best || q->nodes != NULL);

	if (traced_run_check(cli, &o->source, err))
		return -1;
	if (asked != 1)
		return sp_error_set(err,
				    "whatif takes one of --place, --nodes, "
				    "--swap and --best");
	return 0;
}

static int show_whatif(struct cli *cli, void *given, struct sp_error *err)
{
	const struct whatif_options *o = given;
	struct run_trace run;
	struct whatif_answer answer;

	if (traced_run_read(cli, &o->source, &run, err))
		return -1;

	struct whatif_question question = o->question;

	question.deadline_s = DEADLINE_S;
	if (!o->as_recorded) {
		question.conditions = traced_place_now;
		question.context = cli;
	}

	int rc = whatif_answer_find(&run, &question, &answer, err);

	if (!rc) {
		rc = cli->json ? print_json(&run, &answer, err)
			       : print_answer(&run, o, &answer, err);
		if (!rc)
			rc = write_file(o->hostfile, &answer,
					placement_write_hostfile, err);
		if (!rc)
			rc = write_file(o->rankfile, &answer,
					placement_write_rankfile, err);
		whatif_answer_clear(&answer);
	}
	run_trace_clear(&run);
	return rc;
}

static int run_whatif(struct cli *cli, int argc, char **argv)
{
	struct whatif_options o = { 0 };

	return cli_run(cli, argc, argv, &o, check_question, show_whatif);
}

const struct subcommand subcommand_whatif = {
	.name = "whatif",
	.function = run_whatif,
	.options = options,
	.operands = "[JOB]",
	.operands_max = 1,
};
