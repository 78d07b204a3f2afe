/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_whatif.c - spredict whatif: a job's run time if it ran elsewhere
 *
 * predictd has the trace and replays it within limits.  One in a file, of any
 * size, is replayed here, by the same library.
 */
#include <stdio.h>
#include <stdlib.h>

#include "predictor/base/duration.h"
#include "predictor/base/small_file.h"
#include "predictor/cli/fetch.h"
#include "predictor/cli/show.h"
#include "predictor/cli/subcommands.h"
#include "predictor/cli/traced_run.h"
#include "predictor/replay/placement_list.h"
#include "predictor/whatif/whatif_answer.h"

#define DEADLINE_S  20  /* of a search for the best placement, in a file */
#define FACTOR_SAID 1.2 /* measured / replayed: above, the answer says it */

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

/* Show what the time elsewhere rests on, and so how far off it may be. */
static void show_interval(struct table *facts,
			  const struct whatif_answer *answer)
{
	char factor[64] = "";

	if (!(answer->low_s > 0)) /* an older predictd */
		return;
	table_fact(facts, "9 of 10", "%s to %s", DURATION_BRIEF(answer->low_s),
		   DURATION_BRIEF(answer->high_s));
	if (answer->factor > FACTOR_SAID)
		snprintf(factor, sizeof(factor),
			 ", a run of %.2f times its replay", answer->factor);
	table_fact(facts, "rests on", "%s%s%s",
		   answer->traces > 1 ? "two traces" : "one trace", factor,
		   answer->denser ? ", with fewer ranks on a node" : "");
}

static int print_answer(const struct run_trace *run,
			const struct whatif_options *o,
			const struct whatif_answer *answer,
			struct sp_error *err)
{
	struct table *facts = show_facts();

	table_fact(facts, "application", "%s", run->application);
	table_fact(facts, "measured", "%s, %d ranks%s",
		   DURATION_BRIEF(run->runtime_s), run->ranks,
		   answer->is_farm ? ", a farm" : "");
	traced_run_show(facts, run);
	table_fact(facts, o->as_recorded ? "there again" : "there now", "%s",
		   DURATION_BRIEF(answer->here_s));
	table_fact(facts, "elsewhere", "%s", DURATION_BRIEF(answer->there_s));
	show_interval(facts, answer);
	table_fact(facts, "gain", "%.1f %%",
		   100 * (answer->here_s / answer->there_s - 1));
	if (answer->cut)
		table_fact(facts, "search",
			   "not ended: this is the best so far");
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

	reply_add_fields(object, whatif_run_fields, run);
	reply_add_fields(object, whatif_answer_fields, answer);
	reply_add_number(object, "gain", answer->here_s / answer->there_s);

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
	if (file)
		write(file, answer->names, answer->ranks);
	return small_file_finish(file, path, 0, err);
}

/* --- predictd's answer ---------------------------------------------------- */

static int add_number(struct json_object *body, const char *name,
		      const char *text, struct sp_error *err)
{
	char *end = NULL;
	long long number = text ? strtoll(text, &end, 10) : 0;

	if (text && (end == text || *end || number < 1))
		return sp_error_set(err, "%s: %s is none", name, text);
	if (text)
		reply_add_count(body, name, (size_t)number);
	return 0;
}

static void add_text(struct json_object *body, const char *name,
		     const char *text)
{
	if (text && *text)
		reply_add_text(body, name, text);
}

static int write_question(struct cli *cli, const struct whatif_options *o,
			  struct json_object *body, struct sp_error *err)
{
	const struct whatif_question *q = &o->question;

	if (add_number(body, "job_id", o->source.job, err) ||
	    add_number(body, "ranks", o->source.ranks, err))
		return -1;
	add_text(body, "application", o->source.application);
	add_text(body, "cluster", cli_cluster(cli));
	add_text(body, "place", q->place);
	add_text(body, "nodes", q->nodes);
	add_text(body, "conditions", o->as_recorded ? "then" : "now");
	if (q->swap)
		reply_add_flag(body, "swap", true);
	if (q->best)
		reply_add_flag(body, "best", true);
	if (q->best_nodes)
		reply_add_count(body, "best_nodes", (size_t)q->best_nodes);
	return 0;
}

/* Read an array of names of nodes.  -1: one is not known, or memory ran out. */
static int read_ranks(struct json_object *array,
		      const struct traced_place *place, int ranks, int **ret)
{
	*ret = calloc((size_t)ranks + 1, sizeof(**ret));
	for (int r = 0; *ret && r < ranks; r++) {
		struct json_object *name =
			json_object_array_get_idx(array, (size_t)r);

		(*ret)[r] = traced_place_find(
			place, name ? json_object_get_string(name) : "");
		if ((*ret)[r] < 0)
			return -1;
	}
	return *ret ? 0 : -1;
}

static int read_places(struct json_object *whatif, struct run_trace *run,
		       struct whatif_answer *answer)
{
	struct json_object *nodes = reply_array(whatif, "nodes");
	struct json_object *ranks = reply_array(whatif, "ranks");
	struct json_object *before = reply_array(whatif, "ranks_before");
	struct json_object *swap = reply_array(whatif, "swap");
	struct traced_place *place = &answer->place;

	if (!nodes || !ranks || !before)
		return -1;
	place->count = (int)json_object_array_length(nodes);
	place->nodes = calloc((size_t)place->count + 1, sizeof(*place->nodes));
	place->replay =
		calloc((size_t)place->count + 1, sizeof(*place->replay));
	run->ranks = answer->ranks = (int)json_object_array_length(ranks);
	answer->names = calloc((size_t)run->ranks + 1, sizeof(*answer->names));
	if (!place->nodes || !place->replay || !answer->names)
		return -1;
	for (int n = 0; n < place->count; n++) {
		struct json_object *row =
			json_object_array_get_idx(nodes, (size_t)n);

		snprintf(place->nodes[n].name, sizeof(place->nodes[n].name),
			 "%s", reply_text(row, "node"));
		place->nodes[n].cores = reply_number(row, "cores");
		place->replay[n].speed = reply_number(row, "speed");
	}
	if (read_ranks(before, place, run->ranks, &run->node) ||
	    read_ranks(ranks, place, run->ranks, &answer->node) ||
	    !answer->node)
		return -1;
	for (int r = 0; r < run->ranks; r++)
		answer->names[r] = place->nodes[answer->node[r]].name;
	for (size_t i = 0; i < 2; i++)
		answer->swap[i] =
			swap ? json_object_get_int(
				       json_object_array_get_idx(swap, i))
			     : -1;
	return 0;
}

static int read_answer(struct json_object *reply, struct run_trace *run,
		       struct whatif_answer *answer, struct sp_error *err)
{
	struct json_object *whatif;

	if (!json_object_object_get_ex(reply, "whatif", &whatif) ||
	    fields_decode(whatif_run_fields, whatif, run, err) ||
	    fields_decode(whatif_answer_fields, whatif, answer, err) ||
	    read_places(whatif, run, answer))
		return sp_error_set(err, "predictd's answer is not understood");
	run->begun_at = reply_number(whatif, "begun_at");
	return 0;
}

static int ask_predictd(struct cli *cli, const struct whatif_options *o,
			struct run_trace *ret_run, struct whatif_answer *ret,
			struct sp_error *err)
{
	struct json_object *body = json_object_new_object(), *reply = NULL;
	int rc = -1;

	if (!body)
		sp_error_set(err, "out of memory");
	else if (!write_question(cli, o, body, err) &&
		 !fetch(cli, "/v1/whatif", body, &reply, NULL, err))
		rc = read_answer(reply, ret_run, ret, err);
	json_object_put(body);
	json_object_put(reply);
	return rc;
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

static int replay_here(struct cli *cli, const struct whatif_options *o,
		       struct run_trace *ret_run, struct whatif_answer *ret,
		       struct sp_error *err)
{
	struct whatif_question question = o->question;

	if (traced_run_read(cli, &o->source, ret_run, err))
		return -1;
	question.deadline_s = DEADLINE_S;
	if (!o->as_recorded) {
		question.conditions = traced_place_now;
		question.context = cli;
	}
	return whatif_answer_find(ret_run, &question, ret, err);
}

static int show_whatif(struct cli *cli, void *given, struct sp_error *err)
{
	const struct whatif_options *o = given;
	struct run_trace run = { 0 };
	struct whatif_answer answer = { 0 };
	int rc = o->source.trace ? replay_here(cli, o, &run, &answer, err)
				 : ask_predictd(cli, o, &run, &answer, err);

	if (!rc) {
		rc = cli->json ? print_json(&run, &answer, err)
			       : print_answer(&run, o, &answer, err);
		if (!rc)
			rc = write_file(o->hostfile, &answer,
					placement_write_hostfile, err);
		if (!rc)
			rc = write_file(o->rankfile, &answer,
					placement_write_rankfile, err);
	}
	whatif_answer_clear(&answer);
	run_trace_clear(&run);
	return rc;
}

const struct subcommand subcommand_whatif = {
	.name = "whatif",
	.options_size = sizeof(struct whatif_options),
	.check = check_question,
	.act = show_whatif,
	.options = options,
	.operands = "[JOB]",
	.operands_max = 1,
};
