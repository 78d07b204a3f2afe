/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.c - a prediction in words
 *
 * Each function adds the rows of one subject to a table of names and values.
 * The first rows are for everybody, then come details, and what only developers
 * read.  What is not known gets no row.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/cli/fold.h"
#include "predictor/cli/quantity.h"
#include "predictor/cli/show.h"

#define PIECES_SIZE 4096

/* A lower chance to reach the limit is not worth a line. */
#define CHANCE_SHOWN 0.05

/* An operator sees other users' jobs. */
#define WHOSE "the user's"

static const char facts_columns[] = ", ~";

struct table *show_facts(void)
{
	struct table *facts = table_create_heads(facts_columns);

	table_fit(facts, fold_width());
	return facts;
}

/* A row whose value is appended to piece by piece. */
struct pieces {
	size_t used;
	char text[PIECES_SIZE];
};

/* What does not fit as a whole is left out. */
__attribute__((format(printf, 2, 3))) static void
append(struct pieces *to, const char *format, ...)
{
	size_t room = sizeof(to->text) - to->used;
	va_list arguments;

	va_start(arguments, format);

	int length = vsnprintf(to->text + to->used, room, format, arguments);

	va_end(arguments);
	if (length > 0 && (size_t)length < room)
		to->used += (size_t)length;
	to->text[to->used] = '\0';
}

double knot_s(const struct prediction *p, double probability)
{
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		if (prediction_knots[i] == probability)
			return p->knots_s[i];
	return NAN;
}

/* --- The first lines: how long, how sure, from what, where ---------------- */

/* A time from runs of something else has no quantile. */
static void show_guess(struct table *facts, const struct prediction *p)
{
	if (p->limit_s > 0)
		table_cell(facts, "a guess: about %s; the limit is %s",
			   DURATION_BRIEF(p->median_s),
			   DURATION_BRIEF(p->limit_s));
	else
		table_cell(facts, "a guess: about %s",
			   DURATION_BRIEF(p->median_s));
}

static void show_expected(struct table *facts, const struct prediction *p)
{
	table_cell(facts, "Expected");
	if (p->basis == BASIS_NOTHING)
		table_cell(facts, "nothing is known yet about this job");
	else if (p->basis == BASIS_LIMIT)
		table_cell(facts,
			   "no similar run is known yet; at most its limit, %s",
			   DURATION_BRIEF(p->limit_s));
	else if (prediction_is_guess(p->basis, p->evidence_level))
		show_guess(facts, p);
	else if (p->unbounded)
		table_cell(facts, "%s, %.4g %% not known",
			   DURATION_BRIEF(p->median_s), 100 * p->quantile);
	else
		table_cell(facts, "%s, under %s with %.4g %%",
			   DURATION_BRIEF(p->median_s),
			   DURATION_BRIEF(p->quantile_s), 100 * p->quantile);
}

static void show_ground(struct table *facts, const struct prediction *p)
{
	struct pieces text = { .used = 0 };
	char words[EVIDENCE_WORDS_SIZE];

	if (p->basis != BASIS_HISTORY)
		return;
	append(&text, "%s%s%s",
	       evidence_words(p->evidence_level, p->evidence_runs, p->own_runs,
			      WHOSE, words),
	       *p->outside       ? "; "
	       : p->extrapolated ? ", none of this size and with such "
				   "parameters"
				 : "",
	       p->outside);
	if (!isnan(p->last_error))
		append(&text, "; last error %.0f %%", 100 * p->last_error);
	table_fact(facts, "Based on", "%s", text.text);
}

void show_answer(struct table *facts, const struct prediction *p,
		 const char *nodes)
{
	show_expected(facts, p);
	show_ground(facts, p);
	if (nodes)
		table_fact(facts, "On nodes", "%s", nodes);
	else
		table_fact(facts, "Assumed nodes", "%s",
			   p->assumed_nodes[0] ? p->assumed_nodes
					       : "none known");
}

/* --- Details -------------------------------------------------------------- */

static void show_range(struct table *facts, const struct prediction *p)
{
	double low_s = knot_s(p, 0.1);
	double high_s = knot_s(p, 0.9);

	if (p->basis != BASIS_HISTORY || isnan(low_s) || isnan(high_s) ||
	    p->unbounded || prediction_is_guess(p->basis, p->evidence_level))
		return;
	table_fact(facts, "80 % between", "%s and %s", DURATION_BRIEF(low_s),
		   DURATION_BRIEF(high_s));
}

static void show_limit(struct table *facts, const struct prediction *p)
{
	if (p->basis != BASIS_HISTORY || !p->over_limit)
		return;
	table_fact(facts, "Limit too low",
		   "%u of %u runs of this size and parameters would not have "
		   "ended within %s",
		   p->over_limit, p->similar_runs, DURATION_BRIEF(p->limit_s));
}

/* As a share of runs that people can picture: "1 of 3". */
static void show_limit_chance(struct table *facts, const struct prediction *p)
{
	double of = round(1 / p->limit_chance);

	if (p->basis != BASIS_HISTORY || !(p->limit_chance >= CHANCE_SHOWN))
		return;
	if (of < 2 || fabs(1 / of - p->limit_chance) > 0.06)
		of = 10;
	table_fact(facts, "At the limit",
		   "about %.0f of %.0f such runs reach it, %s",
		   fmax(1, of * p->limit_chance), of,
		   DURATION_BRIEF(p->limit_s));
}

static void show_unlike(struct table *facts, const struct prediction *p)
{
	static const char *const because[UNLIKE_COUNT] = {
		[UNLIKE_LAST] = "the last runs were off as much",
		[UNLIKE_CONDITIONS] = "under other load",
		[UNLIKE_SIZE] = "on another number of nodes or tasks",
		[UNLIKE_TRAITS] = "with other options",
		[UNLIKE_FEW] = "too few to go by",
		[UNLIKE_MODEL] = "the model weighs other runs more",
	};
	bool several = p->unlike_runs > 1;

	if (p->unlike == UNLIKE_NOT)
		return;
	table_fact(facts, "Unlike",
		   "%u run%s with these parameters, %s%s%s: %s", p->unlike_runs,
		   several ? "s" : "", DURATION_BRIEF(p->unlike_shortest_s),
		   several ? " to " : "",
		   several ? DURATION_BRIEF(p->unlike_longest_s) : "",
		   because[p->unlike]);
}

static void show_application(struct table *facts,
			     const struct application *application)
{
	const struct parameters *set = &application->parameters;
	struct pieces text = { .used = 0 };

	for (int i = 0; i < set->count; i++)
		append(&text, " %s=%.6g", set->of[i].name, set->of[i].value);
	if (*application->traits)
		append(&text, " %s", application->traits);
	table_fact(facts, "Application", "%s%s%s%s", application->name,
		   text.used ? " (" : "", text.used ? text.text + 1 : "",
		   text.used ? ")" : "");
}

static void show_size(struct table *facts, const struct prediction *p)
{
	table_fact(facts, "Size", "%u node%s%s, %u task%s", p->nodes,
		   p->nodes == 1 ? "" : "s",
		   p->nodes_best ? ", the best number for this job" : "",
		   p->tasks, p->tasks == 1 ? "" : "s");
}

/* Else it could not be more than the mean. */
static bool least_for_work(const struct conditions *c)
{
	return c->cpu_available_min > c->cpu_available + 0.005;
}

static void show_conditions(struct table *facts, const struct prediction *p)
{
	const struct conditions *c = &p->conditions;
	struct pieces text = { .used = 0 };

	if (!isnan(c->cpu_load))
		append(&text, ", CPU load %.2f (at most %.2f)", c->cpu_load,
		       c->cpu_load_max);
	if (!isnan(c->cpu_available))
		append(&text, ", CPU available %.0f %% (%s%.0f %%)",
		       100 * c->cpu_available,
		       least_for_work(c) ? "for its unequal work "
					 : "at least ",
		       100 * c->cpu_available_min);
	if (!isnan(c->bandwidth_bps))
		append(&text, ", %s", QUANTITY(c->bandwidth_bps, "bit/s"));
	if (!isnan(c->latency_s))
		append(&text, ", %s", QUANTITY(c->latency_s, "s"));
	table_fact(facts, "Conditions", "%s",
		   text.used ? text.text + 2 : "not known");
}

/* --- For developers ------------------------------------------------------- */

static void show_evidence(struct table *facts, const struct prediction *p)
{
	struct pieces text = { .used = 0 };

	for (int i = 0; i < p->evidence_count; i++) {
		const struct prediction_evidence *e = &p->evidence[i];

		append(&text, ", %u %s (%.0f %%)", e->job_id,
		       DURATION_BRIEF(e->runtime_s), 100 * e->weight);
	}
	if (text.used)
		table_fact(facts, "Main runs", "%s", text.text + 2);
}

static void show_others(struct table *facts, const struct prediction *p)
{
	struct pieces text = { .used = 0 };

	for (int i = 0; i < p->candidates_count; i++) {
		const struct prediction_candidate *c = &p->candidates[i];

		if (strcmp(c->model, p->model) != 0 && !isnan(c->median_s))
			append(&text, ", %s %s", c->model,
			       DURATION_BRIEF(c->median_s));
	}
	if (text.used)
		table_fact(facts, "Other models", "%s", text.text + 2);
}

void show_reasons(struct table *facts, const struct prediction *p, bool verbose)
{
	show_unlike(facts, p);
	show_range(facts, p);
	show_limit(facts, p);
	show_limit_chance(facts, p);
	show_application(facts, &p->application);
	show_size(facts, p);
	show_conditions(facts, p);
	if (p->basis == BASIS_HISTORY)
		table_fact(facts, "Model", "%s", p->model);
	if (!verbose)
		return;
	if (p->basis == BASIS_HISTORY)
		show_evidence(facts, p);
	show_others(facts, p);
}

bool show_has_model(const char *name)
{
	return !strcmp(name, "chosen") || !strcmp(name, "avg2") ||
	       !strcmp(name, "limit");
}
