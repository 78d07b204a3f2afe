/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibration.c - quantiles that hold what they promise
 *
 * Levels are read by interpolation, and moved by what each job shows: when
 * it passes a quantile that is watched, or ends before it.  Jobs under way
 * are in a heap by the time at which they pass the next one.  One thread at
 * a time; the engine has the lock.
 *
 * [1] is in calibration.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/ensemble/calibration.h"

/* How far a level moves: so much in the end, and faster at first, when it is
 * off by more than by chance. */
#define GAMMA       0.001
#define GAMMA_FIRST 0.01
/* Jobs after which the first pace has halved. */
#define GAMMA_JOBS 200.0

/* Upper quantiles aim a little higher than they promise, by this share of what
 * is beyond: jobs that were submitted together miss together, and the level
 * follows only then. */
#define CAUTION 0.015

/* Beyond these a distribution is stretched, by exp(STRETCH) for each 1: where
 * no limit bounds it, 20 led to quantiles of years. */
#define LEVEL_TOP    0.98
#define LEVEL_BOTTOM 0.02
#define STRETCH      4.0

/* Levels stay on their side of the median, and go so far beyond the
 * distribution that a bound is reached first: at a stop what is missed would
 * be forgotten, and never made up for. */
#define OUTWARD_MAX 1.0

/* Positions among prediction_knots[], which holds all of them. */
#define MEDIAN_KNOT 10

static const double watched[CALIBRATION_LEVELS] = { 0.1, 0.25, 0.75,
						    0.9, 0.95, 0.99 };
static const int watched_knot[CALIBRATION_LEVELS] = { 3, 6, 14, 17, 18, 20 };

#define NOWHERE UINT32_MAX /* in the heap: not there */

struct watch {
	bool used;
	uint8_t group;
	uint8_t passed; /* of the watched levels, from below */
	uint8_t capped; /* those from here on can't be passed */
	float pace;     /* at which it moves the levels */
	float quantile_s[CALIBRATION_LEVELS];
	double started_at_s;
	double due_s; /* when it passes the next */
	uint32_t heap_at;
};

struct calibration {
	struct group {
		double level[CALIBRATION_LEVELS];
		double jobs;
	} groups[CALIBRATION_GROUPS];
	uint32_t jobs_max;
	struct watch *watches; /* by the job's number */
	uint32_t *heap;        /* of these numbers, the next due first */
	uint32_t heap_count;
};

struct calibration *calibration_create(uint32_t jobs_max)
{
	struct calibration *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->jobs_max = jobs_max;
	c->watches = calloc(jobs_max, sizeof(c->watches[0]));
	c->heap = calloc(jobs_max, sizeof(c->heap[0]));
	for (int g = 0; g < CALIBRATION_GROUPS; g++)
		for (int i = 0; i < CALIBRATION_LEVELS; i++)
			c->groups[g].level[i] = watched[i];
	if (c->watches && c->heap)
		return c;
	calibration_destroy(c);
	return NULL;
}

void calibration_destroy(struct calibration *c)
{
	if (!c)
		return;
	free(c->watches);
	free(c->heap);
	free(c);
}

/* --- Reading -------------------------------------------------------------- */

/* Return the group that has the levels. */
static const struct group *group_find(const struct calibration *c, int group)
{
	if (!(c->groups[group].jobs > 0))
		group %= CALIBRATION_BATCH;
	if (!(c->groups[group].jobs > 0))
		group %= CALIBRATION_KNOWN;
	return &c->groups[group];
}

/* Find the level of each knot, ascending: straight between those that are
 * watched, the median and 0. */
static void levels_of(const double levels[CALIBRATION_LEVELS],
		      double ret[PREDICTION_KNOTS])
{
	double p0 = 0;
	double level0 = fmin(levels[0], 0);
	int knot = 0;

	for (int i = 0; i <= CALIBRATION_LEVELS; i++) {
		/* The median lies between the second and the third. */
		int w = i < 2 ? i : i - 1;
		bool median = i == 2;
		int to = median ? MEDIAN_KNOT : watched_knot[w];
		double p = median ? 0.5 : watched[w];
		double level = median ? 0.5 : levels[w];

		for (; knot <= to; knot++)
			ret[knot] =
				level0 + (level - level0) *
						 (prediction_knots[knot] - p0) /
						 (p - p0);
		p0 = p;
		level0 = level;
	}
	for (int k = 1; k < PREDICTION_KNOTS; k++)
		ret[k] = fmax(ret[k], ret[k - 1]);
}

void calibration_levels(const struct calibration *c, int group,
			double ret[CALIBRATION_LEVELS])
{
	memcpy(ret, group_find(c, group)->level,
	       CALIBRATION_LEVELS * sizeof(ret[0]));
}

/* Where it is stretched, its tail is a power law, of steepness 1. */
void calibration_undo(const double levels[CALIBRATION_LEVELS],
		      double ret[PREDICTION_KNOTS])
{
	levels_of(levels, ret);
	for (int k = 0; k < PREDICTION_KNOTS; k++)
		if (k <= MEDIAN_KNOT)
			ret[k] = prediction_knots[k];
		else if (ret[k] > LEVEL_TOP)
			ret[k] =
				1 - (1 - LEVEL_TOP) *
					    exp(STRETCH * (LEVEL_TOP - ret[k]));
}

/* Read ascending levels off the middles of the atoms' weights, between which
 * it is straight. */
static void read_off(const struct distribution *d,
		     const double levels[PREDICTION_KNOTS],
		     double ret_ln[PREDICTION_KNOTS])
{
	double middle = d->atoms[0].weight / 2;
	double before = 0; /* middle of the atom below */
	double done = d->atoms[0].weight;
	int i = 0;

	for (int k = 0; k < PREDICTION_KNOTS; k++) {
		double level = fmin(fmax(levels[k], LEVEL_BOTTOM), LEVEL_TOP);

		while (middle < level && i + 1 < d->count) {
			double weight = d->atoms[++i].weight;

			before = middle;
			middle = done + weight / 2;
			done += weight;
		}
		ret_ln[k] = d->atoms[i].value;
		if (i && level < middle)
			ret_ln[k] -=
				(d->atoms[i].value - d->atoms[i - 1].value) *
				(middle - level) / (middle - before);
		ret_ln[k] += STRETCH * (levels[k] - level);
	}
}

/* An atom at the limit is there but for rounding. */
static double within(double seconds, double most_s)
{
	return seconds < most_s * (1 - 1e-6) ? seconds : most_s;
}

void calibration_read(const struct calibration *c, int group,
		      const struct distribution *ln_runtime, double median_s,
		      double most_s, double ret_knots_s[PREDICTION_KNOTS])
{
	double levels[PREDICTION_KNOTS] = { 0 };
	double ln[PREDICTION_KNOTS];
	double least = median_s;

	levels_of(group_find(c, group)->level, levels);
	read_off(ln_runtime, levels, ln);
	ret_knots_s[MEDIAN_KNOT] = median_s;
	for (int k = MEDIAN_KNOT + 1; k < PREDICTION_KNOTS; k++) {
		least = fmax(least, within(exp(ln[k]), most_s));
		ret_knots_s[k] = least;
	}
	least = median_s;
	for (int k = MEDIAN_KNOT; k-- > 0;) {
		least = fmin(least, exp(ln[k]));
		ret_knots_s[k] = least;
	}
}

/* --- Learning ------------------------------------------------------------- */

static double aim_of(int i)
{
	double p = watched[i];

	return p < 0.5 ? p : p + CAUTION * (1 - p);
}

static void move(struct group *g, int i, double by)
{
	double p = watched[i];
	double low = p < 0.5 ? -OUTWARD_MAX : 0.5;
	double high = p < 0.5 ? 0.5 : 1 + OUTWARD_MAX;
	double gamma = fmax(GAMMA, GAMMA_FIRST / (1 + g->jobs / GAMMA_JOBS));

	g->level[i] = fmin(fmax(g->level[i] + gamma * by, low), high);
}

/* --- The heap ------------------------------------------------------------- */

static void heap_put(struct calibration *c, uint32_t at, uint32_t job)
{
	c->heap[at] = job;
	c->watches[job].heap_at = at;
}

static double due_at(const struct calibration *c, uint32_t at)
{
	return c->watches[c->heap[at]].due_s;
}

/* Restore the order around one place whose job has changed. */
static void heap_settle(struct calibration *c, uint32_t at)
{
	uint32_t job = c->heap[at];
	double due_s = c->watches[job].due_s;

	while (at && due_at(c, (at - 1) / 2) > due_s) {
		heap_put(c, at, c->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	for (uint32_t next; (next = 2 * at + 1) < c->heap_count; at = next) {
		if (next + 1 < c->heap_count &&
		    due_at(c, next + 1) < due_at(c, next))
			next++;
		if (due_at(c, next) >= due_s)
			break;
		heap_put(c, at, c->heap[next]);
	}
	heap_put(c, at, job);
}

static void heap_remove(struct calibration *c, struct watch *w)
{
	uint32_t at = w->heap_at;

	if (at == NOWHERE)
		return;
	w->heap_at = NOWHERE;
	if (at == --c->heap_count)
		return;
	heap_put(c, at, c->heap[c->heap_count]);
	heap_settle(c, at);
}

/* When the job passes the next quantile, if ever. */
static void schedule(struct calibration *c, uint32_t job)
{
	struct watch *w = &c->watches[job];

	if (w->passed >= w->capped) {
		heap_remove(c, w);
		return;
	}
	w->due_s = w->started_at_s + (double)w->quantile_s[w->passed];
	if (w->heap_at == NOWHERE)
		heap_put(c, c->heap_count++, job);
	heap_settle(c, w->heap_at);
}

/* --- A job's life --------------------------------------------------------- */

void calibration_watch(struct calibration *c, uint32_t job, int group,
		       double pace, const double knots_s[PREDICTION_KNOTS],
		       double limit_s)
{
	struct watch *w = &c->watches[job];

	calibration_end(c, job, NAN);
	if (!(c->groups[group].jobs > 0) && group_find(c, group)->jobs > 0)
		c->groups[group] = *group_find(c, group);
	*w = (struct watch){ .used = true,
			     .group = (uint8_t)group,
			     .pace = (float)pace,
			     .capped = CALIBRATION_LEVELS,
			     .heap_at = NOWHERE };
	for (int i = CALIBRATION_LEVELS; i-- > 0;) {
		double quantile_s = knots_s[watched_knot[i]];

		w->quantile_s[i] = (float)quantile_s;
		if (quantile_s >= limit_s)
			w->capped = (uint8_t)i;
	}
}

void calibration_start(struct calibration *c, uint32_t job, double started_at_s)
{
	struct watch *w = &c->watches[job];

	if (!w->used || w->passed)
		return;
	w->started_at_s = started_at_s;
	schedule(c, job);
}

static void pass(struct calibration *c, struct watch *w)
{
	int i = w->passed++;

	move(&c->groups[w->group], i, (double)w->pace * aim_of(i));
}

static void unpass(struct calibration *c, struct watch *w)
{
	int i = --w->passed;

	move(&c->groups[w->group], i, -(double)w->pace * aim_of(i));
}

void calibration_advance(struct calibration *c, double now_s)
{
	while (c->heap_count && due_at(c, 0) < now_s) {
		uint32_t job = c->heap[0];

		pass(c, &c->watches[job]);
		schedule(c, job);
	}
}

void calibration_end(struct calibration *c, uint32_t job, double runtime_s)
{
	struct watch *w = &c->watches[job];

	if (!w->used)
		return;
	heap_remove(c, w);
	w->used = false;
	if (isnan(runtime_s))
		return;

	struct group *g = &c->groups[w->group];

	/* The end may be reported late: take back levels taken for passed. */
	while (w->passed && runtime_s <= (double)w->quantile_s[w->passed - 1])
		unpass(c, w);
	while (w->passed < w->capped &&
	       runtime_s > (double)w->quantile_s[w->passed])
		pass(c, w);
	for (int i = w->passed; i < CALIBRATION_LEVELS; i++)
		move(g, i, (double)w->pace * (aim_of(i) - 1));
	g->jobs++;
}

void calibration_cancel(struct calibration *c, uint32_t job, double runtime_s)
{
	struct watch *w = &c->watches[job];

	if (!w->used)
		return;
	while (w->passed && (watched[w->passed - 1] > 0.5 ||
			     runtime_s <= (double)w->quantile_s[w->passed - 1]))
		unpass(c, w);
	while (w->passed < w->capped && watched[w->passed] < 0.5 &&
	       runtime_s > (double)w->quantile_s[w->passed])
		pass(c, w);
	calibration_end(c, job, NAN);
}
