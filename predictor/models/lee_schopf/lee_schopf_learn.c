/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_learn.c - learn the settings of an application
 *
 * Importance (weights.h) gives initial weights.  Then changes of these, a
 * variable or all resources with more or less weight, are tried: a few each
 * time, all in turn; those that lower the error of NP_R_PARM are kept.  Last
 * the number of runs kept is chosen for each form and filter.
 */
#include <math.h>
#include <string.h>

#include "predictor/models/lee_schopf/lee_schopf_learn.h"
#include "predictor/models/weights.h"

/* Runs left out in turn, spread evenly over all. */
#define LEFT_OUT 24
/* Changes of the weights that are tried each time. */
#define CHANGES 4
/* A change must be better by this share to be taken. */
#define GAIN 0.01
/* More runs are kept if the error is greater by at most this factor: the
 * difference may be chance. */
#define SLACK 1.03
/* Limit of the factors by which weights differ from importance. */
#define FACTOR_MAX 64.0F

/* Numbers of runs kept that are tried; the last is all. */
static const uint16_t kept_tried[] = { 3,  5,  7,  10, 14,
				       20, 28, 40, 64, POINTS_MAX };

_Static_assert(sizeof(kept_tried) / sizeof(kept_tried[0]) == KEPT_TRIED,
	       "an error for each");

/* Weight of earlier errors. */
#define MEMORY 0.6

uint32_t learn_next(uint32_t runs)
{
	if (runs < LEARN_RUNS_MIN)
		return LEARN_RUNS_MIN;

	/* 8, 16, 24, 32, 48, 64, 96, 128, ... */
	uint32_t power = LEARN_RUNS_MIN;

	while (power <= runs / 2)
		power *= 2;
	return runs + (power > LEARN_RUNS_MIN ? power / 2 : power);
}

struct learner {
	const struct points *p;
	struct regression *r;
	struct nearest *nearest;
	uint32_t fits;
	uint32_t turn; /* selects the runs that are left out */
};

/* Sums of |error| of the run time, for each number of runs kept. */
struct kept_errors {
	double of[FORMS][KEPT_TRIED];
	double actual; /* sum of the run times */
};

/* Errors for point i, left out, with each number of runs kept. */
static void leave_one_out(struct learner *l, const struct settings *s,
			  enum form form, enum form_filter filter, uint32_t i,
			  struct kept_errors *errors)
{
	const struct points *p = l->p;
	const struct nearest *n = l->nearest;
	double error = p->runtime_s[i]; /* of knowing nothing */
	uint32_t last = 0, added = 0;
	double x[SLOTS];
	struct fit fit;

	points_get(p, i, x);
	if (fit_prepare(&fit, l->r, p, s, form, filter, n->of[0]))
		return;
	for (size_t t = 0; t < KEPT_TRIED; t++) {
		uint32_t k =
			kept_tried[t] < n->count ? kept_tried[t] : n->count;
		double runtime_s;

		/* Not more than before: the error is the same. */
		if (k > last) {
			if (!last ||
			    fit_columns(&fit, k) != fit.columns_count) {
				fit_begin(&fit, k);
				added = 0;
			}
			fit_add(&fit, n->of + added, k - added);
			added = k;
			l->fits++;
			if (fit_at(&fit, x, &runtime_s, NULL) == 0)
				error = fabs(runtime_s - p->runtime_s[i]);
			last = k;
		}
		errors->of[form][t] += error;
	}
}

static void leave_each_out(struct learner *l, const struct settings *s,
			   enum form_filter filter, enum form last_form,
			   struct kept_errors *ret)
{
	const struct points *p = l->p;
	uint32_t step = (p->count + LEFT_OUT - 1) / LEFT_OUT;

	*ret = (struct kept_errors){ 0 };
	for (uint32_t i = l->turn % step; i < p->count; i += step) {
		double x[SLOTS];

		points_get(p, i, x);
		nearest_find(p, filter, s->weights, x, p->count, true, i,
			     l->nearest);
		if (l->nearest->count < kept_tried[0])
			continue;
		ret->actual += p->runtime_s[i];
		for (int form = 0; form <= (int)last_form; form++)
			leave_one_out(l, s, (enum form)form, filter, i, ret);
	}
}

/* The number of runs kept with the least error, or nearly so. */
static uint16_t best_kept(const double errors[KEPT_TRIED], double *ret_error)
{
	double least = errors[0];
	size_t best = 0;

	for (size_t t = 1; t < KEPT_TRIED; t++)
		least = fmin(least, errors[t]);
	for (size_t t = 1; t < KEPT_TRIED; t++)
		if (errors[t] <= least * SLACK)
			best = t;
	if (ret_error)
		*ret_error = least;
	return least > 0 ? kept_tried[best] : 0;
}

static void learn_kept(struct learner *l, struct settings *s)
{
	struct kept_errors errors;

	for (int filter = FILTER_NP; filter < FILTERS; filter++) {
		leave_each_out(l, s, (enum form_filter)filter, FORM_IP,
			       &errors);
		if (!(errors.actual > 0))
			continue;
		for (int form = 0; form < FORMS; form++) {
			double sums[KEPT_TRIED];
			float *known = s->errors[form][filter];

			for (int t = 0; t < KEPT_TRIED; t++) {
				sums[t] = MEMORY * (double)known[t] +
					  errors.of[form][t] / errors.actual;
				known[t] = (float)sums[t];
			}
			s->kept[form][filter] = best_kept(sums, NULL);
		}
	}
}

/* --- Weights -------------------------------------------------------------- */

/* Variables of a change: all resources, or a single one. */
static uint32_t changed_slots(uint32_t columns, uint32_t which)
{
	if (!which)
		return columns & SLOTS_RESOURCES;
	for (int slot = 0; slot < SLOTS; slot++)
		if ((columns & SLOT_BIT(slot)) && --which == 0)
			return SLOT_BIT(slot);
	return 0;
}

/* Change n of an endless sequence: its variables get more or less weight.
 * Returns their slots. */
static uint32_t apply_change(struct settings *s, uint32_t n)
{
	static const float factors[] = { 4, 0.25F };
	float factor = factors[n % 2];
	uint32_t variables = (uint32_t)__builtin_popcount(s->columns);
	uint32_t slots = changed_slots(s->columns, n / 2 % (variables + 1));

	for (int slot = 0; slot < SLOTS; slot++) {
		if (slots & SLOT_BIT(slot))
			s->factors[slot] =
				fminf(fmaxf(s->factors[slot] * factor,
					    1 / FACTOR_MAX),
				      FACTOR_MAX);
		s->weights[slot] =
			(double)(s->importance[slot] * s->factors[slot]);
	}
	return slots;
}

static void learn_weights(struct learner *l, struct settings *s)
{
	struct kept_errors errors;
	double error;

	leave_each_out(l, s, FILTER_NP_R_PARM, FORM_DP, &errors);
	best_kept(errors.of[FORM_DP], &error);
	for (int n = 0; n < CHANGES; n++) {
		struct settings changed = *s;
		double changed_error;

		if (!apply_change(&changed, s->changes++))
			continue;
		leave_each_out(l, &changed, FILTER_NP_R_PARM, FORM_DP, &errors);
		best_kept(errors.of[FORM_DP], &changed_error);
		if (changed_error > 0 && changed_error < error * (1 - GAIN)) {
			error = changed_error;
			memcpy(s->factors, changed.factors, sizeof(s->factors));
			memcpy(s->weights, changed.weights, sizeof(s->weights));
		}
	}
}

uint32_t learn_settings(const struct points *p, int given,
			struct regression *scratch, struct nearest *nearest,
			struct settings *s)
{
	struct learner l = { .p = p,
			     .r = scratch,
			     .nearest = nearest,
			     .turn = s->changes / CHANGES };

	if (p->count < LEARN_RUNS_MIN)
		return 0;
	s->columns = weights_learn(p, scratch, s->importance, &l.fits);
	for (int slot = 0; slot < SLOTS; slot++)
		s->weights[slot] =
			(double)(s->importance[slot] * s->factors[slot]);
	unit_learn(p, s->columns & ~SLOTS_PARAMETERS, s->importance, given,
		   scratch, &s->unit, &l.fits);
	s->has_unit = true;
	learn_weights(&l, s);
	learn_kept(&l, s);
	return l.fits;
}
