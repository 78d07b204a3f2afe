/* SPDX-License-Identifier: GPL-2.0-or-later */
/* similar_runs.c - which runs are like a job, and whether they would fit it
 *
 * The newest runs of the job's own group are compared with its limit.
 */
#include <math.h>

#include "predictor/ensemble/similar_runs.h"

/* On the path of each prediction, so not all are visited. */
#define VISITS_MAX 256
#define GROUPS_MAX 256 /* of an application */

/* Fewer say little of a limit. */
#define BOUND_RUNS_MIN 3
#define ALIKE_RUNS_MIN 8
/* Run times within this factor are about the same. */
#define ALIKE 1.25
/* This share of such jobs must have reached their limit. */
#define BELIEVED_MIN 0.5

/* Values that differ by less, as a share, count as equal. */
#define NEAR 0.05

/* --- Runs that are longer than the limit ---------------------------------- */

static bool is_near(double a, double b)
{
	return fabs(a - b) <= NEAR * fmax(fabs(a), fabs(b));
}

static bool has_values(const double *values, const struct parameters *p)
{
	for (int i = 0; i < p->count; i++)
		if (!is_near(values[i], p->of[i].value))
			return false;
	return true;
}

static void runs_count(const struct history_group *g, const struct query *q,
		       double limit_s, struct similar_runs *ret)
{
	int width = q->parameters->count;
	int visits = 0;

	for (uint32_t i = g->count;
	     i-- > 0 && visits < VISITS_MAX && ret->count < SIMILAR_RUNS_MAX;
	     visits++) {
		const struct history_run *run = &g->runs[i];
		/* At its own limit, a run ends a little before or after. */
		bool over = run->runtime_s >
			    limit_s * (run->end == OUTCOME_TIMEOUT ? 0.99 : 1);

		if (!has_values(g->values + (size_t)i * (size_t)width,
				q->parameters) ||
		    (!width && run->user != q->user))
			continue;
		/* How long the others would have taken is not known. */
		if (!over && run->end != OUTCOME_COMPLETED)
			continue;
		ret->shortest_s =
			ret->count ? fmin(ret->shortest_s, run->runtime_s)
				   : run->runtime_s;
		ret->longest_s = fmax(ret->longest_s, run->runtime_s);
		ret->count++;
		ret->over_limit += over;
	}
}

void similar_runs_find(const struct history *h, const struct query *query,
		       double limit_s, struct similar_runs *ret)
{
	*ret = (struct similar_runs){
		.precise = query->parameters->count > 0,
	};
	if (query->application == INDEX_NONE || query->names == INDEX_NONE)
		return;

	uint32_t group = history_group(h, query->application, query->names,
				       query->nodes, query->tasks, query->cpus);

	if (group != INDEX_NONE)
		runs_count(&h->groups[group], query, limit_s, ret);
}

bool similar_runs_need_more(const struct similar_runs *similar)
{
	if (similar->precise)
		return similar->count >= BOUND_RUNS_MIN &&
		       2 * similar->over_limit > similar->count;
	return similar->count >= ALIKE_RUNS_MIN &&
	       similar->over_limit == similar->count &&
	       similar->longest_s < ALIKE * similar->shortest_s;
}

/* The share of runs that end within the limit is at least a little, since few
 * runs are known. */
void similar_runs_bound(const struct similar_runs *similar, double limit_s,
			double believed, double *median_s,
			double knots_s[PREDICTION_KNOTS])
{
	double within = similar->count - similar->over_limit + 0.5;
	double share = within / (similar->count + 1);

	if (!similar_runs_need_more(similar) || !isfinite(limit_s) ||
	    (!similar->precise && believed < BELIEVED_MIN))
		return;
	*median_s = fmax(*median_s, limit_s);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		if (prediction_knots[i] > share)
			knots_s[i] = fmax(knots_s[i], limit_s);
}

/* --- The same parameters, any size ---------------------------------------- */

static void newest_note(const struct history_group *g,
			const struct history_run *run,
			struct runs_of_parameters *ret)
{
	ret->nodes = g->nodes;
	ret->tasks = g->tasks;
	ret->cpus = g->cpus;
	ret->before = (struct conditions){
		.nodes_known = (int)g->nodes,
		.cpu_load = (double)run->cpu_load,
		.cpu_load_max = (double)run->cpu_load_max,
		.cpu_available = (double)run->cpu_available,
		.cpu_available_min = (double)run->cpu_available_min,
		.bandwidth_bps = (double)run->bandwidth_bps,
		.latency_s = (double)run->latency_s,
	};
}

static int group_read(const struct history_group *g, const struct query *q,
		      int visits, struct runs_of_parameters *ret)
{
	size_t width = (size_t)q->parameters->count;

	for (uint32_t i = g->count; i-- > 0 && visits < VISITS_MAX; visits++) {
		const struct history_run *run = &g->runs[i];

		if (run->end != OUTCOME_COMPLETED ||
		    !has_values(g->values + (size_t)i * width, q->parameters) ||
		    (!width && run->user != q->user))
			continue;
		if (!ret->count++)
			newest_note(g, run, ret);
		ret->shortest_s = fmin(ret->shortest_s, run->runtime_s);
		ret->longest_s = fmax(ret->longest_s, run->runtime_s);
	}
	return visits;
}

void similar_runs_of_parameters(const struct history *h, const struct query *q,
				struct runs_of_parameters *ret)
{
	int steps = 0, visits = 0;

	*ret = (struct runs_of_parameters){ .shortest_s = HUGE_VAL };
	if (q->application == INDEX_NONE || q->names == INDEX_NONE)
		return;
	for (uint32_t i = h->applications[q->application].groups;
	     i != INDEX_NONE && steps < GROUPS_MAX;
	     i = h->groups[i].next, steps++)
		if (h->groups[i].names == q->names)
			visits = group_read(&h->groups[i], q, visits, ret);
}
