/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter.c - the runs of the history that are nearest to a query point
 *
 * Groups of the accepted sizes are scanned, newest runs first; then distances
 * are computed over the ranges of what was scanned, the k-th smallest is
 * selected ([1] section 2.2 in filter.h), and all within it are kept.
 */
#include <math.h>

#include "predictor/models/filter.h"
#include "predictor/models/lee_schopf/trait_effects.h"

/* If an application has run in many sizes, only the newest are scanned. */
#define GROUPS_MAX 256

uint32_t filter_processors(uint32_t tasks, uint32_t cpus)
{
	uint32_t processors = tasks > cpus ? tasks : cpus;

	return processors ? processors : 1;
}

double filter_distance(const double d[], const double q[], const double range[],
		       int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		double part = fabs(d[i] - q[i]) / range[i];

		/* No range, or an infinite one. */
		if (!isfinite(part))
			part = d[i] != q[i];
		sum += part;
	}
	return sum;
}

static bool conditions_known(const struct history_run *run)
{
	return run->cpu_load >= 0 && isfinite(run->cpu_load) &&
	       run->cpu_load_max >= 0 && isfinite(run->cpu_load_max);
}

static void scan_group(struct filter *f, const struct history_group *g,
		       int width, bool with_conditions)
{
	uint32_t processors = filter_processors(g->tasks, g->cpus);

	for (uint32_t i = g->count;
	     i-- > 0 && f->scanned_count < FILTER_SCAN_MAX;) {
		const struct history_run *run = &g->runs[i];

		if (run->end != OUTCOME_COMPLETED ||
		    (with_conditions && !conditions_known(run)))
			continue;
		f->scanned[f->scanned_count++] = (struct filter_run){
			.run = run,
			.values = g->values + (size_t)i * (size_t)width,
			.processors = processors,
		};
	}
}

static bool is_like(const struct history_group *g, const struct query *q,
		    enum filter_processors like)
{
	if (g->names != q->names)
		return false;
	switch (like) {
	case FILTER_SAME_SIZE:
		return g->tasks == q->tasks && g->nodes == q->nodes &&
		       g->cpus == q->cpus;
	case FILTER_SAME_TASKS:
		return g->tasks == q->tasks &&
		       filter_processors(g->tasks, g->cpus) ==
			       filter_processors(q->tasks, q->cpus);
	default:
		return true;
	}
}

uint32_t filter_scan(struct filter *f, const struct history *h,
		     const struct query *q, enum filter_processors like,
		     bool with_conditions)
{
	f->scanned_count = 0;
	f->kept_count = 0;
	if (q->application == INDEX_NONE || q->names == INDEX_NONE)
		return 0;

	int width = h->names[q->names].count;

	if (like == FILTER_SAME_SIZE) {
		uint32_t g = history_group(h, q->application, q->names,
					   q->nodes, q->tasks, q->cpus);

		if (g != INDEX_NONE)
			scan_group(f, &h->groups[g], width, with_conditions);
		return f->scanned_count;
	}

	uint32_t g = h->applications[q->application].groups;

	for (int n = 0; g != INDEX_NONE && n < GROUPS_MAX; n++) {
		if (is_like(&h->groups[g], q, like))
			scan_group(f, &h->groups[g], width, with_conditions);
		g = h->groups[g].next;
	}
	return f->scanned_count;
}

/* Return the k-th smallest (from 1) of n numbers, which are moved about:
 * Hoare's FIND, Communications of the ACM 4 (1961) 321. */
static double kth_smallest(double *a, uint32_t n, uint32_t k)
{
	int64_t low = 0;
	int64_t high = (int64_t)n - 1;
	int64_t target = (int64_t)k - 1;

	while (low < high) {
		double pivot = a[target];
		int64_t i = low;
		int64_t j = high;

		while (i <= j) {
			while (a[i] < pivot)
				i++;
			while (a[j] > pivot)
				j--;
			if (i > j)
				break;

			double swap = a[i];

			a[i++] = a[j];
			a[j--] = swap;
		}
		if (j < target)
			low = i;
		if (target < i)
			high = j;
	}
	return a[target];
}

static void measure_distances(struct filter *f, const struct query *q)
{
	const struct parameters *p = q->parameters;
	double query[PARAMETERS_MAX];
	double low[PARAMETERS_MAX];
	double range[PARAMETERS_MAX];

	for (int j = 0; j < p->count; j++) {
		double high = f->scanned[0].values[j];

		query[j] = p->of[j].value;
		low[j] = high;
		for (uint32_t i = 1; i < f->scanned_count; i++) {
			double value = f->scanned[i].values[j];

			high = value > high ? value : high;
			low[j] = value < low[j] ? value : low[j];
		}
		range[j] = high - low[j];
	}
	for (uint32_t i = 0; i < f->scanned_count; i++) {
		f->scanned[i].distance = filter_distance(
			f->scanned[i].values, query, range, p->count);
		f->distances[i] = f->scanned[i].distance;
	}
}

void filter_keep(struct filter *f, const struct query *q, uint32_t k)
{
	f->kept_count = 0;
	if (!f->scanned_count || !k)
		return;
	measure_distances(f, q);

	double farthest = HUGE_VAL;

	if (k < f->scanned_count)
		farthest = kth_smallest(f->distances, f->scanned_count, k);

	/* Nearer ones first: many at the farthest distance displace none. */
	for (uint32_t i = 0; i < f->scanned_count; i++)
		if (f->scanned[i].distance < farthest &&
		    f->kept_count < FILTER_KEPT_MAX)
			f->kept[f->kept_count++] = f->scanned[i];
	for (uint32_t i = 0; i < f->scanned_count; i++)
		if (f->scanned[i].distance == farthest &&
		    f->kept_count < FILTER_KEPT_MAX)
			f->kept[f->kept_count++] = f->scanned[i];
	for (uint32_t i = 0; i < f->kept_count; i++) {
		const struct history_run *run = f->kept[i].run;
		double ln = trait_effects_ln(q->trait_effects, run->traits);

		f->kept[i].runtime_s = run->runtime_s * exp(ln);
	}
}
