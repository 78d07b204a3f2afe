/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.c - a prediction in words
 *
 * Each function adds the rows of one subject to a table of names and values:
 * the expected time, the application, the conditions, what it rests on.
 * What is not known gets no row.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "predictor/base/duration.h"
#include "predictor/cli/show.h"

static const struct table_column facts_columns[] = {
	{ .header = "" },
	{ .header = "" },
	{ .header = NULL },
};

struct table *show_facts(void)
{
	return table_create(facts_columns);
}

const char *show_span(double seconds, char ret_text[SHOW_TEXT_SIZE])
{
	char whole[DURATION_TEXT_SIZE], brief[DURATION_TEXT_SIZE];

	duration_format(seconds, whole);
	if (seconds >= 0 && seconds < 9.95)
		snprintf(ret_text, SHOW_TEXT_SIZE, "%s (%s)", whole,
			 duration_format_brief(seconds, brief));
	else
		snprintf(ret_text, SHOW_TEXT_SIZE, "%s", whole);
	return ret_text;
}

const char *show_time(double time_s, char ret_text[SHOW_TEXT_SIZE])
{
	/* Numbers beyond the range of time_t must not be converted. */
	time_t t = fabs(time_s) < 1e15 ? (time_t)time_s : 0;
	struct tm local;

	if (!(fabs(time_s) < 1e15) || !localtime_r(&t, &local) ||
	    !strftime(ret_text, SHOW_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &local)) {
		ret_text[0] = '-';
		ret_text[1] = '\0';
	}
	return ret_text;
}

/* Append to a text, which is truncated when it is full. */
__attribute__((format(printf, 2, 3))) static void
append_text(char text[SHOW_TEXT_SIZE], const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + used, SHOW_TEXT_SIZE - used, format, arguments);
	va_end(arguments);
}

static void add_fact(struct table *facts, const char *name, const char *text)
{
	table_cell(facts, "%s", name);
	table_cell(facts, "%s", text);
}

static const char *limit_text(double limit_s, char text[DURATION_TEXT_SIZE])
{
	return isinf(limit_s) ? "UNLIMITED" : duration_format(limit_s, text);
}

/* The quantile at one of prediction_knots[]; NAN: not known. */
static double knot_s(const struct prediction *p, double probability)
{
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		if (prediction_knots[i] == probability)
			return p->knots_s[i];
	return NAN;
}

static void show_range(struct table *facts, const struct prediction *p)
{
	char low[SHOW_TEXT_SIZE], high[SHOW_TEXT_SIZE];
	double low_s = knot_s(p, 0.1);
	double high_s = knot_s(p, 0.9);

	if (isnan(low_s) || isnan(high_s) || p->unbounded)
		return;
	table_cell(facts, "80 %% between");
	table_cell(facts, "%s and %s", show_span(low_s, low),
		   show_span(high_s, high));
}

void show_answer(struct table *facts, const struct prediction *p)
{
	char span[DURATION_TEXT_SIZE];
	char text[SHOW_TEXT_SIZE];
	char name[32];

	if (p->basis == BASIS_NOTHING) {
		add_fact(facts, "Expected",
			 "nothing is known yet about this job");
		return;
	}
	if (p->basis == BASIS_LIMIT) {
		table_cell(facts, "Expected");
		table_cell(facts,
			   "no similar run is known yet; at most its limit, %s",
			   limit_text(p->limit_s, span));
		return;
	}
	add_fact(facts, "Expected", show_span(p->median_s, text));
	if (p->nodes_best) {
		table_cell(facts, "Nodes");
		table_cell(facts, "%u, the best number for this job",
			   p->nodes_best);
	}
	snprintf(name, sizeof(name), "%g %% under", 100 * p->quantile);
	add_fact(facts, name,
		 p->unbounded ? "not known" : show_span(p->quantile_s, text));
	show_range(facts, p);
	if (p->over_limit) {
		table_cell(facts, "Limit too low");
		table_cell(facts,
			   "%u of %u similar runs would not have ended within "
			   "%s",
			   p->over_limit, p->similar_runs,
			   limit_text(p->limit_s, span));
	}
}

static void show_application(struct table *facts,
			     const struct application *application)
{
	const struct parameters *set = &application->parameters;
	char text[SHOW_TEXT_SIZE] = "";

	for (int i = 0; i < set->count; i++)
		append_text(text, " %s=%g", set->of[i].name, set->of[i].value);
	if (*application->traits)
		append_text(text, " %s", application->traits);
	table_cell(facts, "Application");
	table_cell(facts, "%s%s%s%s", application->name, *text ? " (" : "",
		   *text ? text + 1 : "", *text ? ")" : "");
}

/* Else it could not be more than the mean. */
static bool least_for_work(const struct conditions *c)
{
	return c->cpu_available_min > c->cpu_available + 0.005;
}

static void show_conditions(struct table *facts, const struct prediction *p)
{
	const struct conditions *c = &p->conditions;
	char text[SHOW_TEXT_SIZE] = "";

	if (!isnan(c->cpu_load))
		append_text(text, ", CPU load %.2f (at most %.2f)", c->cpu_load,
			    c->cpu_load_max);
	if (!isnan(c->cpu_available))
		append_text(text, ", CPU available %.0f %% (%s%.0f %%)",
			    100 * c->cpu_available,
			    least_for_work(c) ? "for its unequal work "
					      : "at least ",
			    100 * c->cpu_available_min);
	if (!isnan(c->bandwidth_bps))
		append_text(text, ", %.3g Mbit/s", c->bandwidth_bps / 1e6);
	if (!isnan(c->latency_s))
		append_text(text, ", %.3g ms", c->latency_s * 1e3);
	add_fact(facts, "Conditions", text[0] ? text + 2 : "not known");
}

static void show_evidence(struct table *facts, const struct prediction *p)
{
	char text[SHOW_TEXT_SIZE] = "";
	char span[SHOW_TEXT_SIZE];

	for (int i = 0; i < p->evidence_count; i++) {
		const struct prediction_evidence *e = &p->evidence[i];

		append_text(text, ", %u %s (%.0f %%)", e->job_id,
			    show_span(e->runtime_s, span), 100 * e->weight);
	}
	if (text[0])
		add_fact(facts, "Main runs", text + 2);
}

static void show_others(struct table *facts, const struct prediction *p)
{
	char text[SHOW_TEXT_SIZE] = "";
	char span[SHOW_TEXT_SIZE];

	for (int i = 0; i < p->candidates_count; i++) {
		const struct prediction_candidate *c = &p->candidates[i];

		if (strcmp(c->model, p->model) != 0 && !isnan(c->median_s))
			append_text(text, ", %s %s", c->model,
				    isinf(c->median_s)
					    ? "UNLIMITED"
					    : show_span(c->median_s, span));
	}
	if (text[0])
		add_fact(facts, "Other models", text + 2);
}

/* Appended to the number of runs. */
static const char *const whose[EVIDENCE_COUNT] = {
	[EVIDENCE_NONE] = "",
	[EVIDENCE_SITE] = ", all of other users",
	[EVIDENCE_USER] = ", none of this application by this user",
	[EVIDENCE_APPLICATION] = "",
};

void show_reasons(struct table *facts, const struct prediction *p)
{
	char text[SHOW_TEXT_SIZE];

	show_application(facts, &p->application);
	if (p->basis == BASIS_HISTORY) {
		snprintf(text, sizeof(text), "%s", p->model);
		if (!isnan(p->last_error))
			append_text(text, ", last error %.0f %%",
				    100 * p->last_error);
		add_fact(facts, "Model", text);
		snprintf(text, sizeof(text), "%u finished run%s%s%s%s", p->runs,
			 p->runs == 1 ? "" : "s", whose[p->evidence_level],
			 *p->outside ? "; "
			 : p->extrapolated
				 ? ", none of this size and with such "
				   "parameters"
				 : "",
			 p->outside);
		add_fact(facts, "Based on", text);
		show_evidence(facts, p);
	}
	table_cell(facts, "Size");
	table_cell(facts, "%u node%s, %u task%s", p->nodes,
		   p->nodes == 1 ? "" : "s", p->tasks,
		   p->tasks == 1 ? "" : "s");
	add_fact(facts, p->stage == STAGE_START ? "On nodes" : "Assumed nodes",
		 p->assumed_nodes[0] ? p->assumed_nodes : "none known");
	show_conditions(facts, p);
	show_others(facts, p);
}
