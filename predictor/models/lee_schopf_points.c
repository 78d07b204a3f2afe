/* lee_schopf_points.c - the runs of an application as points, and the query */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "predictor/models/lee_schopf_points.h"

/* Of an application that runs in ever new sizes, so many sizes only. */
#define GROUPS_MAX 128
/* Of sizes other than the query's, so many runs each: all sizes shall be seen.
 */
#define OTHERS_MAX 96
/* What runs of the query's size leave to the others. */
#define OTHERS_SHARE 4
/* So many runs, or half of them, must know a condition. */
#define KNOWN_MIN 16

uint32_t points_processors(uint32_t tasks, uint32_t cpus)
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

static void resources_of_run(const struct history_run *run, double ret[SLOTS])
{
	ret[SLOT_LOAD] = (double)run->cpu_load;
	ret[SLOT_LOAD_MAX] = (double)run->cpu_load_max;
	ret[SLOT_AVAILABLE] = (double)run->cpu_available;
	ret[SLOT_AVAILABLE_MIN] = (double)run->cpu_available_min;
	ret[SLOT_BANDWIDTH] = (double)run->bandwidth_bps;
	ret[SLOT_LATENCY] = (double)run->latency_s;
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

bool points_possible(const struct query *q)
{
	double x[SLOTS];

	if (q->application == INDEX_NONE || q->names == INDEX_NONE)
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
		       int width, uint32_t max)
{
	uint32_t processors = points_processors(g->tasks, g->cpus);

	for (uint32_t i = g->count; i-- > 0 && p->count < max;) {
		const struct history_run *run = &g->runs[i];

		if (run->end != OUTCOME_COMPLETED)
			continue;

		double *x = p->x[p->count];

		for (int j = 0; j < width; j++)
			x[j] = g->values[(size_t)i * (size_t)width + (size_t)j];
		x[SLOT_PROCESSORS] = processors;
		resources_of_run(run, x);
		p->runtime_s[p->count] = run->runtime_s;
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
		uint32_t most = alike ? max - max / OTHERS_SHARE
				      : p->count + OTHERS_MAX;

		if (g->names == q->names &&
		    (points_processors(g->tasks, g->cpus) == processors) ==
			    alike)
			read_group(p, g, width, most < max ? most : max);
		at = g->next;
	}
}

static void drop_unknown_conditions(struct points *p)
{
	uint32_t known[SLOTS] = { 0 };
	uint32_t enough =
		p->count / 2 < KNOWN_MIN ? (p->count + 1) / 2 : KNOWN_MIN;

	for (uint32_t i = 0; i < p->count; i++)
		for (int s = SLOT_LOAD; s < SLOTS; s++)
			known[s] += is_known(p->x[i][s]);
	for (int s = SLOT_LOAD; s < SLOTS; s++)
		if (known[s] < enough)
			p->slots &= ~SLOT_BIT(s);
}

/* Runs that don't know what is in use. */
static void drop_runs(struct points *p)
{
	uint32_t wanted = p->slots & SLOTS_RESOURCES;
	uint32_t count = 0;
	uint32_t alike = 0;

	if (!wanted)
		return;
	for (uint32_t i = 0; i < p->count; i++) {
		if ((resources_known(p->x[i]) & wanted) != wanted)
			continue;
		alike += i < p->alike;
		if (i != count) {
			memcpy(p->x[count], p->x[i], sizeof(p->x[i]));
			p->runtime_s[count] = p->runtime_s[i];
			p->job_id[count] = p->job_id[i];
		}
		count++;
	}
	p->count = count;
	p->alike = alike;
}

static void find_ranges(struct points *p)
{
	for (int s = 0; s < SLOTS; s++) {
		if (!(p->slots & SLOT_BIT(s)) || !p->count)
			continue;

		double low = p->x[0][s];
		double high = low;

		for (uint32_t i = 1; i < p->count; i++) {
			double value = p->x[i][s];

			high = value > high ? value : high;
			low = value < low ? value : low;
		}
		p->low[s] = low;
		p->range[s] = high - low;
	}
}

void points_read(struct points *p, const struct history *h,
		 const struct query *q, uint32_t max)
{
	p->count = 0;
	p->alike = 0;
	p->slots = 0;
	if (!points_possible(q))
		return;
	if (max > POINTS_MAX)
		max = POINTS_MAX;
	read_query(p, q);
	read_groups(p, h, q, true, max);
	p->alike = p->count;
	read_groups(p, h, q, false, max);
	drop_unknown_conditions(p);
	drop_runs(p);
	find_ranges(p);
}
