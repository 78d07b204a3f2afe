/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trait_effects.c - by how much traits change the run time of an application
 *
 * A regression of logarithms over the newest runs, as in correction.c, first on
 * parameters, processors and conditions alone.  Then, again and again: each
 * trait is tried on what is left (find_best()), the best joins the regression
 * as columns (a value each, or the number in it), and all is solved again.  The
 * coefficients of these columns are the effects.
 */
#include <math.h>
#include <string.h>

#include "predictor/models/lee_schopf/trait_learner.h"
#include "predictor/models/weights.h"

/* A trait must lower the leave-one-out error (of squares) by this part, and by
 * this many runs' share more: of a few runs some words agree with the run times
 * by chance.  With 5 percent alone, four useless texts raised the errors of
 * `make bench-features` by more than they do now. */
#define GAIN      0.05
#define GAIN_RUNS 3.0
/* The mean of a value's runs counts as if one more run had no effect. */
#define SHRINK 1.0
/* Part of the runs that must have a number. */
#define NUMBERS_SHARE 0.75
/* A value with at most this many runs is rare; there must be this many runs
 * for each value.  It matters if the squares that it explains are this multiple
 * of those left, in units of their degrees of freedom, and more the fewer these
 * are: the F-test at .001. */
#define RARE_RUNS   2
#define RARE_LEVELS 2
#define RARE_RATIO  15.0
#define RARE_REST   10.0
/* Traits that are tried so: each takes a regression. */
#define RARE_TRIES 4
/* No run is converted by more than a factor of 1,000. */
#define LN_MAX 6.9

/* --- Which traits matter -------------------------------------------------- */

/* Leave-one-out squares of what is left, with the means of each value. */
static double error_by_level(const struct trait_learner *l,
			     const struct tried *t)
{
	double sum[TRAIT_LEVELS_MAX + 1] = { 0 };
	double runs[TRAIT_LEVELS_MAX + 1] = { 0 };
	double error = 0;

	for (uint32_t i = 0; i < l->points.count; i++) {
		sum[t->level[i]] += l->residual[i];
		runs[t->level[i]]++;
	}
	for (uint32_t i = 0; i < l->points.count; i++) {
		int k = t->level[i];
		double r = l->residual[i];
		double mean = k == TRAIT_LEVEL_OTHER
				      ? 0
				      : (sum[k] - r) / (runs[k] - 1 + SHRINK);

		error += (r - mean) * (r - mean);
	}
	return error;
}

/* The same with a line through the numbers in the values. */
static double error_by_number(const struct trait_learner *l,
			      const struct tried *t)
{
	uint32_t n = l->points.count;
	double xx = 0, xy = 0, error = 0;

	if (isnan(t->ln_query) || t->numbers < NUMBERS_SHARE * n)
		return HUGE_VAL;
	for (uint32_t i = 0; i < n; i++) {
		double x = trait_number_of_run(t, i);

		xx += x * x;
		xy += x * l->residual[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		double x = trait_number_of_run(t, i);
		double rest = 1 - (x * x / xx + 1.0 / n);
		double e = l->residual[i] - x * xy / xx;

		if (!(rest > 1e-6))
			return HUGE_VAL;
		error += (e / rest) * (e / rest);
	}
	return error;
}

static bool is_taken(const struct trait_learner *l, int tried, bool by_number)
{
	for (int i = 0; i < l->taken_count; i++)
		if (l->taken[i].tried == tried &&
		    l->taken[i].by_number == by_number)
			return true;
	return false;
}

/* Find the trait that explains most of what is left, if that is more
 * than chance. */
static bool find_best(const struct trait_learner *l, int *ret_tried,
		      bool *ret_by_number)
{
	double n = l->points.count;
	double best = 0;
	bool found = false;

	for (uint32_t i = 0; i < l->points.count; i++)
		best += l->residual[i] * l->residual[i];
	best *= n / (n - 1) * n / (n - 1) * (1 - GAIN - GAIN_RUNS / n);
	for (int i = 0; i < l->tried_count; i++)
		for (int by_number = 0; by_number < 2; by_number++) {
			const struct tried *t = &l->tried[i];

			if (t->levels < 2 || is_taken(l, i, by_number))
				continue;

			double error = by_number ? error_by_number(l, t)
						 : error_by_level(l, t);

			if (!(error < best))
				continue;
			best = error;
			*ret_tried = i;
			*ret_by_number = by_number;
			found = true;
		}
	return found;
}

/* --- Values that have hardly run ------------------------------------------ */

static double squares_left(const struct trait_learner *l)
{
	double sum = 0;

	for (uint32_t i = 0; i < l->points.count; i++)
		sum += l->residual[i] * l->residual[i];
	return sum;
}

/* Return whether a value of few runs has one that is farther off than most. */
static bool has_rare_level(const struct trait_learner *l, const struct tried *t)
{
	double limit = squares_left(l) / l->points.count;
	uint32_t runs[TRAIT_LEVELS_MAX + 1] = { 0 };

	for (uint32_t i = 0; i < l->points.count; i++)
		runs[t->level[i]]++;
	if (runs[TRAIT_LEVEL_OTHER] ||
	    RARE_LEVELS * t->levels > (int)l->points.count)
		return false;
	for (uint32_t i = 0; i < l->points.count; i++)
		if (runs[t->level[i]] <= RARE_RUNS &&
		    l->residual[i] * l->residual[i] > limit)
			return true;
	return false;
}

/* Take it if that leaves less than chance would; else all is as before. */
static bool take_rare(struct trait_learner *l, int tried)
{
	double before = squares_left(l);
	size_t columns = l->columns;

	trait_learner_take(l, tried, false);

	double added = l->tried[tried].levels - 1;
	double rest = l->points.count - (double)columns - added;

	if (rest >= 1 && !trait_learner_solve(l)) {
		double after = squares_left(l) / rest;
		double ratio = (before - after * rest) / (added * after);

		if (ratio > RARE_RATIO * (1 + RARE_REST / rest))
			return true;
	}
	l->columns = columns;
	l->taken_count--;
	return false;
}

/* A value's only run has nothing to be compared with when it is left out:
 * so what a new value does is not seen by find_best() until it has run
 * again, and until then it would count as a strange run of the others.  -1:
 * no solution. */
static int take_rare_levels(struct trait_learner *l)
{
	int tries = RARE_TRIES;

	for (int i = 0; i < l->tried_count && tries; i++) {
		if (l->taken_count == TRAIT_EFFECTS_MAX)
			break;
		if (l->tried[i].levels < 2 || is_taken(l, i, false) ||
		    !has_rare_level(l, &l->tried[i]))
			continue;
		tries--;
		if (!take_rare(l, i) && trait_learner_solve(l))
			return -1;
	}
	return 0;
}

/* --- Effects -------------------------------------------------------------- */

static void fill_levels(const struct trait_learner *l,
			const struct taken *taken, struct trait_effect *ret)
{
	const struct tried *t = &l->tried[taken->tried];
	uint32_t n = l->points.count;
	double mean = 0;

	ret->levels = t->levels;
	memcpy(ret->value, t->value, sizeof(ret->value));
	for (uint32_t i = 0; i < n; i++)
		if (t->level[i] != TRAIT_LEVEL_OTHER &&
		    t->level[i] != trait_base_level(t))
			mean += regression_coefficient(l->regression,
						       taken->first +
							       t->level[i]) /
				n;

	/* The query's value has none, or, if it is new, that of all. */
	double own = t->query_level == TRAIT_LEVEL_OTHER ? mean : 0;

	ret->ln_other = (float)own;
	for (int k = 0; k < t->levels; k++)
		ret->ln[k] =
			(float)(own -
				(k == trait_base_level(t)
					 ? 0
					 : regression_coefficient(
						   l->regression,
						   taken->first + (size_t)k)));
}

static void fill_effects(struct trait_learner *l, const struct history *h)
{
	struct trait_effects *effects = &l->effects;

	effects->history = h;
	effects->count = l->taken_count;
	for (int i = 0; i < l->taken_count; i++) {
		const struct taken *taken = &l->taken[i];
		const struct tried *t = &l->tried[taken->tried];
		struct trait_effect *effect = &effects->of[i];

		effect->name = t->name;
		effect->levels = 0;
		if (!taken->by_number) {
			fill_levels(l, taken, effect);
			continue;
		}
		effect->power = (float)regression_coefficient(l->regression,
							      taken->first);
		effect->ln_query = t->ln_query;
		effect->ln_mean = t->ln_mean;
	}
}

const struct trait_effects *trait_effects_learn(struct trait_learner *l,
						const struct history *h,
						const struct query *q)
{
	int tried = 0;
	bool by_number = false;

	if (!h->traits_count || !trait_learner_read(l, h, q))
		return NULL;
	trait_learner_begin(l);
	if (trait_learner_solve(l))
		return NULL;
	while (l->taken_count < TRAIT_EFFECTS_MAX &&
	       find_best(l, &tried, &by_number)) {
		trait_learner_take(l, tried, by_number);
		if (trait_learner_solve(l))
			return NULL;
	}
	if (take_rare_levels(l) || !l->taken_count)
		return NULL;
	fill_effects(l, h);
	return &l->effects;
}

static double effect_ln(const struct trait_effect *effect,
			const struct trait_key *key)
{
	if (!effect->levels) {
		float number = trait_ln_number(key);

		return (double)(effect->power *
				(effect->ln_query -
				 (isnan(number) ? effect->ln_mean : number)));
	}

	uint32_t value = key ? key->value : 0;

	for (int i = 0; i < effect->levels; i++)
		if (effect->value[i] == value)
			return (double)effect->ln[i];
	return (double)effect->ln_other;
}

double trait_effects_ln(const struct trait_effects *effects, uint32_t traits)
{
	double ln = 0;

	if (!effects)
		return 0;
	for (int i = 0; i < effects->count; i++)
		ln += effect_ln(&effects->of[i],
				history_trait(effects->history, traits,
					      effects->of[i].name));
	return fmin(fmax(ln, -LN_MAX), LN_MAX);
}
