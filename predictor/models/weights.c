/* SPDX-License-Identifier: GPL-2.0-or-later */
/* weights.c - how much each variable influences the run time */
#include <math.h>

#include "predictor/models/weights.h"

/* A variable must lower the leave-one-out error (of squares) by this part; less
 * may be chance. */
#define GAIN 0.05
/* Variables at most; there must be two runs for each. */
#define TAKEN_MAX 6
/* Lower bound of a share of a CPU. */
#define AVAILABLE_LEAST 0.01

double weights_logarithm(const struct points *p, int slot, double value)
{
	if (slot == SLOT_LOAD || slot == SLOT_LOAD_MAX)
		return log1p(value);
	if (slot == SLOT_AVAILABLE || slot == SLOT_AVAILABLE_MIN)
		return log(fmax(value, AVAILABLE_LEAST));
	if (p->low[slot] > 0 && value > 0)
		return log(value);
	return p->range[slot] > 0 ? (value - p->low[slot]) / p->range[slot] : 0;
}

struct search {
	const struct points *p;
	struct regression *r;
	uint32_t *fits;
	int taken[TAKEN_MAX];
	int taken_count;
};

static void fill_row(const struct search *s, uint32_t i, double ret[])
{
	ret[0] = 1;
	for (int j = 0; j < s->taken_count; j++) {
		int slot = s->taken[j];

		ret[1 + j] = weights_logarithm(s->p, slot, s->p->x[slot][i]);
	}
}

/* Leave-one-out error with the variables taken: sum of squares of ln(run time);
 * HUGE_VAL: no solution. */
static double loo_error(struct search *s)
{
	double x[1 + TAKEN_MAX];
	double sum = 0;

	(*s->fits)++;
	regression_begin(s->r, 1 + (size_t)s->taken_count);
	for (uint32_t i = 0; i < s->p->count; i++) {
		fill_row(s, i, x);
		regression_add(s->r, x, log(s->p->runtime_s[i]), 1);
	}
	if (regression_solve(s->r))
		return HUGE_VAL;
	for (uint32_t i = 0; i < s->p->count; i++) {
		fill_row(s, i, x);

		double e =
			log(s->p->runtime_s[i]) - regression_at(s->r, x, NULL);
		double rest = 1 - regression_leverage(s->r, x);

		/* It alone decides a coefficient: no error is known. */
		if (!(rest > 1e-6))
			return HUGE_VAL;
		sum += (e / rest) * (e / rest);
	}
	return sum;
}

/* Add the best of the slots left.  False: none lowers the error enough. */
static bool take_best(struct search *s, uint32_t left, double *error)
{
	double best = *error * (1 - GAIN);
	int best_slot = -1;
	int at = s->taken_count++;

	for (int slot = 0; slot < SLOTS; slot++) {
		if (!(left & SLOT_BIT(slot)))
			continue;
		s->taken[at] = slot;

		double e = loo_error(s);

		if (e < best) {
			best = e;
			best_slot = slot;
		}
	}
	if (best_slot < 0) {
		s->taken_count--;
		return false;
	}
	s->taken[at] = best_slot;
	*error = best;
	return true;
}

uint32_t weights_learn(const struct points *p, struct regression *scratch,
		       float ret_weights[SLOTS], uint32_t *fits)
{
	struct search s = { .p = p, .r = scratch, .fits = fits };
	uint32_t left = 0, taken = 0;

	for (int slot = 0; slot < SLOTS; slot++) {
		ret_weights[slot] = 0;
		if ((p->slots & SLOT_BIT(slot)) && p->range[slot] > 0 &&
		    isfinite(p->range[slot]))
			left |= SLOT_BIT(slot);
	}

	double error = loo_error(&s);

	while (s.taken_count < TAKEN_MAX &&
	       (uint32_t)s.taken_count < p->count / 2 &&
	       take_best(&s, left & ~taken, &error))
		taken |= SLOT_BIT(s.taken[s.taken_count - 1]);

	/* Solve again with those taken: the last tried was another. */
	if (loo_error(&s) == HUGE_VAL)
		return 0;

	double greatest = 0;

	for (int j = 0; j < s.taken_count; j++) {
		int slot = s.taken[j];
		double low = p->low[slot];
		double reach =
			weights_logarithm(p, slot, low + p->range[slot]) -
			weights_logarithm(p, slot, low);
		double weight = fabs(
			regression_coefficient(scratch, 1 + (size_t)j) * reach);

		ret_weights[slot] = (float)weight;
		greatest = fmax(greatest, weight);
	}
	for (int slot = 0; slot < SLOTS && greatest > 0; slot++)
		ret_weights[slot] /= (float)greatest;
	return taken;
}
