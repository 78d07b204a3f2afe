/* SPDX-License-Identifier: GPL-2.0-or-later */
/* correction.c - what a past run would have taken under the query's conditions
 *
 * Points are converted to the query's traits when they are read; the rest is a
 * regression on them.
 *
 * Columns are differences from the query, so that the ratio of a run is their
 * sum with the coefficients.  Each coefficient has a prior, added as a weak
 * observation, as in regression.c.  Ratios are found by job id in a hash table.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/correction.h"
#include "predictor/models/prior.h"
#include "predictor/models/weights.h"

/* Runs that are corrected, the newest, and how many there must be. */
#define RUNS_MAX 128
#define RUNS_MIN 6
/* A power of 2, several times RUNS_MAX. */
#define RATIO_SLOTS 512
/* No run is shifted by more than a factor of 100. */
#define LN_MAX 4.6
/* How far out of a variable's range a query counts at most, in logarithms. */
#define LN_FARTHEST 2.1
/* As in regression.c. */
#define FAR_SIGMA 0.5

#define COLUMNS_MAX (1 + SLOTS)

static const struct prior priors[SLOTS] = {
	[SLOT_PROCESSORS] = { -0.5, 10 }, [SLOT_LOAD] = { 0, 5 },
	[SLOT_LOAD_MAX] = { 0.5, 10 },    [SLOT_AVAILABLE] = { 0, 5 },
	[SLOT_AVAILABLE_MIN] = { 0, 5 },  [SLOT_BANDWIDTH] = { 0, 3 },
	[SLOT_LATENCY] = { 0, 3 },
};

struct correction {
	struct regression *regression;
	struct points points;
	size_t columns;
	int slots[COLUMNS_MAX];     /* of the columns from 1 on */
	double at[COLUMNS_MAX];     /* the query */
	double beyond[COLUMNS_MAX]; /* the query, from there */
	double share;               /* of the ratios that is applied */
	uint32_t count;             /* runs that are corrected */
	double x[RUNS_MAX][COLUMNS_MAX];
	double ln_runtime[RUNS_MAX];
	struct ratio_slot {
		uint32_t job_id;
		uint32_t point; /* from 1; 0: empty */
	} ratio_slots[RATIO_SLOTS];
	double ln[RUNS_MAX];
};

struct correction *correction_create(void)
{
	struct correction *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->regression = regression_create(RUNS_MAX + SLOTS, COLUMNS_MAX);
	if (c->regression)
		return c;
	correction_destroy(c);
	return NULL;
}

void correction_destroy(struct correction *c)
{
	if (!c)
		return;
	regression_destroy(c->regression);
	free(c);
}

/* The variables that vary, and the query's values in logarithms. */
static void make_columns(struct correction *c)
{
	const struct points *p = &c->points;

	c->columns = 1;
	for (int s = 0; s < SLOTS; s++) {
		if (!(p->slots & SLOT_BIT(s)) || !(p->range[s] > 0) ||
		    !isfinite(p->range[s]))
			continue;

		double low = weights_logarithm(p, s, p->low[s]);
		double high = weights_logarithm(p, s, p->low[s] + p->range[s]);
		double q = weights_logarithm(p, s, p->query[s]);

		/* It has no logarithm, though those of the points have. */
		if (p->low[s] > 0 && !(p->query[s] > 0))
			q = low - LN_FARTHEST;
		c->slots[c->columns] = s;
		c->at[c->columns] =
			fmin(fmax(q, low - LN_FARTHEST), high + LN_FARTHEST);
		c->beyond[c->columns] = q - c->at[c->columns];
		c->columns++;
	}
}

static void make_rows(struct correction *c)
{
	const struct points *p = &c->points;

	for (uint32_t i = 0; i < c->count; i++) {
		c->x[i][0] = 1;
		c->ln_runtime[i] = log(p->runtime_s[i]);
		for (size_t j = 1; j < c->columns; j++) {
			int s = c->slots[j];

			c->x[i][j] =
				weights_logarithm(p, s, p->x[s][i]) - c->at[j];
		}
	}
}

static int solve_regression(struct correction *c)
{
	double x[COLUMNS_MAX] = { 0 };

	regression_begin(c->regression, c->columns);
	for (uint32_t i = 0; i < c->count; i++)
		regression_add(c->regression, c->x[i], c->ln_runtime[i], 1);
	for (size_t j = 1; j < c->columns; j++) {
		int s = c->slots[j];
		const struct prior *b =
			s < PARAMETERS_MAX ? &prior_of_parameter : &priors[s];
		/* A position in a range is not a power. */
		double power = c->points.low[s] > 0 || s == SLOT_LOAD_MAX
				       ? b->power
				       : 0;

		x[j] = 1 / b->looseness;
		regression_add(c->regression, x, power / b->looseness, 1);
		x[j] = 0;
	}
	return regression_solve(c->regression);
}

/* 1 - leave-one-out squared error of the regression, over that of the mean. */
static double explained_share(const struct correction *c)
{
	double n = c->count;
	double mean = 0, error = 0, error_of_mean = 0;

	for (uint32_t i = 0; i < c->count; i++)
		mean += c->ln_runtime[i] / n;
	for (uint32_t i = 0; i < c->count; i++) {
		double y = c->ln_runtime[i];
		double e = y - regression_at(c->regression, c->x[i], NULL);
		double rest = 1 - regression_leverage(c->regression, c->x[i]);
		double of_mean = (y - mean) * n / (n - 1);

		e /= fmax(rest, 1e-3);
		error += e * e;
		error_of_mean += of_mean * of_mean;
	}
	return error < error_of_mean ? 1 - error / error_of_mean : 0;
}

static struct ratio_slot *find_ratio_slot(const struct correction *c,
					  uint32_t job_id)
{
	uint32_t i = (job_id * 0x9e3779b1u) >> 16;

	while (c->ratio_slots[i % RATIO_SLOTS].point &&
	       c->ratio_slots[i % RATIO_SLOTS].job_id != job_id)
		i++;
	return (struct ratio_slot *)&c->ratio_slots[i % RATIO_SLOTS];
}

/* What is beyond LN_FARTHEST makes of the query. */
static double far_ln(struct correction *c)
{
	double ln = 0, sigma = 0;

	c->beyond[0] = 1;
	for (size_t j = 1; j < c->columns; j++)
		ln += regression_coefficient(c->regression, j) * c->beyond[j];
	if (ln != 0)
		regression_at(c->regression, c->beyond, &sigma);
	return sigma <= FAR_SIGMA ? ln : 0;
}

static void store_ratios(struct correction *c)
{
	double far = c->columns > 1 ? far_ln(c) : 0;

	for (uint32_t i = 0; i < c->count; i++) {
		double ln = 0;

		for (size_t j = 1; j < c->columns; j++)
			ln -= regression_coefficient(c->regression, j) *
			      c->x[i][j];
		c->ln[i] = fmin(fmax(c->share * ln, -LN_MAX), LN_MAX) +
			   c->share * far + c->points.ln_traits[i];

		struct ratio_slot *ratio_slot =
			find_ratio_slot(c, c->points.job_id[i]);

		*ratio_slot = (struct ratio_slot){ c->points.job_id[i], i + 1 };
	}
}

bool correction_begin(struct correction *c, const struct history *history,
		      const struct query *query)
{
	if (c->count)
		memset(c->ratio_slots, 0, sizeof(c->ratio_slots));
	c->count = 0;
	if (!points_possible(query) && !query->trait_effects)
		return false;
	points_read(&c->points, history, query, RUNS_MAX);
	if (c->points.count < RUNS_MIN)
		return false;
	c->count = c->points.count;
	make_columns(c);
	make_rows(c);
	if (c->columns > 1 && !solve_regression(c)) {
		c->share = explained_share(c);
	} else if (query->trait_effects) {
		c->columns = 1;
		c->share = 0;
	} else {
		c->count = 0;
		return false;
	}
	store_ratios(c);
	return c->share > 0 || query->trait_effects;
}

double correction_ln(const struct correction *c, uint32_t job_id)
{
	if (!c->count)
		return 0;

	const struct ratio_slot *ratio_slot = find_ratio_slot(c, job_id);

	return ratio_slot->point ? c->ln[ratio_slot->point - 1] : 0;
}
