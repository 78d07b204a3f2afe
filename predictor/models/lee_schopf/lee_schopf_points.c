/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_points.c - the runs of an application as points, and the query
 *
 * Groups of the query's number of processors are read first, then others,
 * newest runs first.  Conditions that few runs have are dropped, then runs
 * without those that are left.  At last the range of each variable is found.
 */
#include <math.h>

#include "predictor/models/lee_schopf/lee_schopf_points.h"
#include "predictor/models/lee_schopf/trait_effects.h"

/* Sizes of an application that are read. */
#define GROUPS_MAX 128
/* Runs of each size other than the query's, so that all sizes are read. */
#define OTHERS_MAX 96
/* One part in this many of all points is for other sizes. */
#define OTHERS_SHARE 4
/* Runs, or half of them if fewer, with which a condition is used. */
#define KNOWN_MIN 16

/* Return the processors of a run or job. */
static uint32_t points_processors(uint32_t tasks, uint32_t cpus)
{
	uint32_t processors = tasks > cpus ? tasks : cpus;

	return processors ? processors : 1;
}

static void resources_of_query(const struct conditions *c, double ret[SLOTS])
{
	ret[SLOT_LOAD] = c->cpu_load;
	ret[SLOT_LOAD_MAX] = c->cpu_load_max;
	ret[SLOT_AVAILABLE] = c->cpu_available;
	ret[SLOT_AVAILABLE_MIN] = c->cpu_available_min;
	ret[SLOT_BANDWIDTH] = c->bandwidth_bps;
	ret[SLOT_LATENCY] = c->latency_s;
}

static double resource_of_run(const struct history_run *run, int slot)
{
	const float resources[SLOTS] = {
		[SLOT_LOAD] = run->cpu_load,
		[SLOT_LOAD_MAX] = run->cpu_load_max,
		[SLOT_AVAILABLE] = run->cpu_available,
		[SLOT_AVAILABLE_MIN] = run->cpu_available_min,
		[SLOT_BANDWIDTH] = run->bandwidth_bps,
		[SLOT_LATENCY] = run->latency_s,
	};

	return (double)resources[slot];
}

/* No condition is negative. */
static bool is_known(double resource)
{
	return resource >= 0 && isfinite(resource);
}

static uint32_t resources_known(const double x[SLOTS])
{
	uint32_t known = 0;

	for (int s = SLOT_LOAD; s < SLOTS; s++)
		if (is_known(x[s]))
			known |= SLOT_BIT(s);
	return known;
}

static bool has_runs(const struct query *q)
{
	return q->application != INDEX_NONE && q->names != INDEX_NONE;
}

bool points_possible(const struct query *q)
{
	double x[SLOTS];

	if (!has_runs(q))
		return false;
	resources_of_query(&q->conditions, x);
	return q->parameters->count > 0 || resources_known(x) != 0;
}

static void read_query(struct points *p, const struct query *q)
{
	resources_of_query(&q->conditions, p->query);
	p->slots = resources_known(p->query) | SLOT_BIT(SLOT_PROCESSORS);
	p->query[SLOT_PROCESSORS] = points_processors(q->tasks, q->cpus);
	for (int j = 0; j < q->parameters->count; j++) {
		p->slots |= SLOT_BIT(SLOT_PARAMETERS + j);
		p->query[SLOT_PARAMETERS + j] = q->parameters->of[j].value;
	}
}

static void read_group(struct points *p, const struct history_group *g,
		       const struct trait_effects *effects, int width,
		       uint32_t max)
{
	uint32_t processors = points_processors(g->tasks, g->cpus);

	for (uint32_t i = g->count; i-- > 0 && p->count < max;) {
		const struct history_run *run = &g->runs[i];

		if (run->end != OUTCOME_COMPLETED)
			continue;

		for (int j = 0; j < width; j++)
			p->x[j][p->count] =
				g->values[(size_t)i * (size_t)width +
					  (size_t)j];
		p->x[SLOT_PROCESSORS][p->count] = processors;
		for (int s = SLOT_LOAD; s < SLOTS; s++)
			if (p->slots & SLOT_BIT(s))
				p->x[s][p->count] = resource_of_run(run, s);
		p->traits[p->count] = run->traits;
		p->ln_traits[p->count] = trait_effects_ln(effects, run->traits);
		p->runtime_s[p->count] =
			effects ? run->runtime_s * exp(p->ln_traits[p->count])
				: run->runtime_s;
		p->job_id[p->count] = run->job_id;
		p->count++;
	}
}

static void read_groups(struct points *p, const struct history *h,
			const struct query *q, bool alike, uint32_t max)
{
	uint32_t processors = points_processors(q->tasks, q->cpus);
	int width = h->names[q->names].count;
	uint32_t at = h->applications[q->application].groups;

	for (int n = 0; at != INDEX_NONE && n < GROUPS_MAX; n++) {
		const struct history_group *g = &h->groups[at];
		uint32_t limit = alike ? max - max / OTHERS_SHARE
				       : p->count + OTHERS_MAX;

		if (g->names == q->names &&
		    (points_processors(g->tasks, g->cpus) == processors) ==
			    alike)
			read_group(p, g, q->trait_effects, width,
				   limit < max ? limit : max);
		at = g->next;
	}
}

/* Drop conditions of few runs only.  True: all runs have those left. */
static bool drop_unknown_conditions(struct points *p)
{
	uint32_t enough =
		p->count / 2 < KNOWN_MIN ? (p->count + 1) / 2 : KNOWN_MIN;
	bool all = true;

	for (int s = SLOT_LOAD; s < SLOTS; s++) {
		uint32_t known = 0;

		if (!(p->slots & SLOT_BIT(s)))
			continue;
		for (uint32_t i = 0; i < p->count; i++)
			known += is_known(p->x[s][i]);
		if (known < enough)
			p->slots &= ~SLOT_BIT(s);
		else if (known < p->count)
			all = false;
	}
	return all;
}

static bool knows_all(const struct points *p, uint32_t point, uint32_t slots)
{
	for (int s = SLOT_LOAD; s < SLOTS; s++)
		if ((slots & SLOT_BIT(s)) && !is_known(p->x[s][point]))
			return false;
	return true;
}

static void move_point(struct points *p, uint32_t from, uint32_t to)
{
	for (int s = 0; s < SLOTS; s++)
		if (p->slots & SLOT_BIT(s))
			p->x[s][to] = p->x[s][from];
	p->runtime_s[to] = p->runtime_s[from];
	p->ln_traits[to] = p->ln_traits[from];
	p->traits[to] = p->traits[from];
	p->job_id[to] = p->job_id[from];
}

/* Drop runs without a condition in use. */
static void drop_runs(struct points *p)
{
	uint32_t required = p->slots & SLOTS_RESOURCES;
	uint32_t count = 0, alike = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		if (!knows_all(p, i, required))
			continue;
		alike += i < p->alike;
		if (i != count)
			move_point(p, i, count);
		count++;
	}
	p->count = count;
	p->alike = alike;
}

/* Two independent chains of minima and maxima, for speed. */
static void find_range(const double x[], uint32_t n, double *ret_low,
		       double *ret_range)
{
	double low[2] = { x[0], x[n / 2] };
	double high[2] = { x[0], x[n / 2] };

	for (uint32_t i = 0; i < (n + 1) / 2; i++)
		for (int half = 0; half < 2; half++) {
			double value = x[i + (uint32_t)half * (n / 2)];

			low[half] = value < low[half] ? value : low[half];
			high[half] = value > high[half] ? value : high[half];
		}
	*ret_low = low[0] < low[1] ? low[0] : low[1];
	*ret_range = (high[0] > high[1] ? high[0] : high[1]) - *ret_low;
}

static void find_ranges(struct points *p)
{
	for (int s = 0; s < SLOTS; s++)
		if ((p->slots & SLOT_BIT(s)) && p->count)
			find_range(p->x[s], p->count, &p->low[s], &p->range[s]);
}

void points_read(struct points *p, const struct history *h,
		 const struct query *q, uint32_t max)
{
	p->count = 0;
	p->alike = 0;
	p->slots = 0;
	if (!has_runs(q))
		return;
	if (max > POINTS_MAX)
		max = POINTS_MAX;
	read_query(p, q);
	read_groups(p, h, q, true, max);
	p->alike = p->count;
	read_groups(p, h, q, false, max);
	if (!drop_unknown_conditions(p))
		drop_runs(p);
	find_ranges(p);
}

void points_get(const struct points *p, uint32_t point, double ret[SLOTS])
{
	for (int s = 0; s < SLOTS; s++)
		ret[s] = p->slots & SLOT_BIT(s) ? p->x[s][point] : NAN;
}
