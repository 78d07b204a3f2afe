/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lee_schopf_unit.c - the unit of an application's work
 *
 * Units of growing complexity compete by their leave-one-out error: constant,
 * powers of one parameter, products of two; each with and without division by
 * the processors, and with and without a start-up time.
 */
#include <math.h>

#include "predictor/models/lee_schopf/lee_schopf_unit.h"

/* Parameters that are tried, those of most weight. */
#define TRIED_MAX 4
/* A more complex unit must be better by this part. */
#define GAIN 0.03

static double int_power(double x, int power)
{
	double value = 1;

	for (int i = 0; i < power; i++)
		value *= x;
	return value;
}

static double size_at(const struct unit *u, const double parameters[2],
		      double processors)
{
	double size = 1;

	for (int j = 0; j < 2; j++)
		if (u->power[j])
			size *= int_power(parameters[j], u->power[j]);
	return u->processors ? size / processors : size;
}

double unit_size(const struct unit *u, const double x[SLOTS])
{
	double parameters[2] = { x[u->parameter[0]], x[u->parameter[1]] };

	return size_at(u, parameters, x[SLOT_PROCESSORS]);
}

double unit_size_of(const struct unit *u, const struct points *p,
		    uint32_t point)
{
	double parameters[2] = { p->x[u->parameter[0]][point],
				 p->x[u->parameter[1]][point] };

	return size_at(u, parameters, p->x[SLOT_PROCESSORS][point]);
}

/* Return whether the square of a size and of its inverse are finite, too. */
bool unit_suits(double size)
{
	return size > 1e-100 && size < 1e100;
}

struct contest {
	const struct points *p;
	struct regression *r;
	uint32_t *fits;
	uint32_t variables;
	double best_error;
	struct unit best;
};

static size_t fill_row(const struct contest *c, const struct unit *u,
		       double size, uint32_t point, double ret[])
{
	const struct points *p = c->p;
	size_t columns = 1;

	ret[0] = 1;
	for (int s = SLOT_PROCESSORS; s < SLOTS; s++)
		if (c->variables & SLOT_BIT(s))
			ret[columns++] =
				(p->x[s][point] - p->low[s]) / p->range[s];
	if (u->startup)
		ret[columns++] = 1 / size;
	return columns;
}

/* Sum of |error| of the run time, each run left out in turn. */
static double loo_error(struct contest *c, const struct unit *u)
{
	const struct points *p = c->p;
	double x[SLOTS + 1];
	double sum = 0;

	(*c->fits)++;
	regression_begin(c->r, fill_row(c, u, 1, 0, x));
	for (uint32_t i = 0; i < p->count; i++) {
		double size = unit_size_of(u, p, i);

		if (!unit_suits(size))
			return HUGE_VAL;
		fill_row(c, u, size, i, x);
		regression_add(c->r, x, p->runtime_s[i] / size, 1);
	}
	if (regression_solve(c->r))
		return HUGE_VAL;
	for (uint32_t i = 0; i < p->count; i++) {
		double size = unit_size_of(u, p, i);

		fill_row(c, u, size, i, x);

		double e =
			p->runtime_s[i] - size * regression_at(c->r, x, NULL);
		double rest = 1 - regression_leverage(c->r, x);

		sum += fabs(e) / fmax(rest, 1e-3);
	}
	return isfinite(sum) ? sum : HUGE_VAL;
}

/* With and without division by the processors, and start-up. */
static void try_unit(struct contest *c, struct unit u)
{
	for (int n = 0; n < 4; n++) {
		u.processors = (int8_t)(n & 1 ? 0 : -1);
		u.startup = n & 2;
		if (u.processors && !(c->p->range[SLOT_PROCESSORS] > 0))
			continue;
		/* With a constant S, start-up is the same column. */
		if (u.startup && !u.power[0] && !u.processors)
			continue;

		double error = loo_error(c, &u);

		if (error < c->best_error * (1 - GAIN)) {
			c->best_error = error;
			c->best = u;
		}
	}
}

/* The parameters that vary, are positive, and weigh most. */
static int choose_parameters(const struct points *p, const float weights[SLOTS],
			     int ret[TRIED_MAX])
{
	uint32_t left = p->slots & SLOTS_PARAMETERS;
	int count = 0;

	for (int s = 0; s < PARAMETERS_MAX; s++)
		if (!(p->range[s] > 0 && isfinite(p->range[s]) &&
		      p->low[s] > 0))
			left &= ~SLOT_BIT(s);
	while (left && count < TRIED_MAX) {
		int best = __builtin_ctz(left);

		for (int s = best + 1; s < PARAMETERS_MAX; s++)
			if ((left & SLOT_BIT(s)) && weights[s] > weights[best])
				best = s;
		left &= ~SLOT_BIT(best);
		ret[count++] = best;
	}
	return count;
}

void unit_learn(const struct points *p, uint32_t variables,
		const float weights[SLOTS], int given,
		struct regression *scratch, struct unit *ret, uint32_t *fits)
{
	static const struct {
		int8_t of[2];
	} pairs[] = { { { 1, 1 } }, { { 2, 1 } }, { { 1, 2 } },
		      { { 2, 2 } }, { { 3, 1 } }, { { 1, 3 } } };
	struct contest c = {
		.p = p, .r = scratch, .fits = fits, .best_error = HUGE_VAL
	};
	int tried[TRIED_MAX];
	int count = choose_parameters(p, weights, tried);

	for (int s = SLOT_PROCESSORS; s < SLOTS; s++)
		if ((variables & p->slots & SLOT_BIT(s)) && p->range[s] > 0 &&
		    isfinite(p->range[s]))
			c.variables |= SLOT_BIT(s);
	if (given >= 0) {
		try_unit(&c, (struct unit){ .parameter = { (int8_t)given, 0 },
					    .power = { 1, 0 } });
		*ret = c.best;
		return;
	}
	try_unit(&c, (struct unit){ .power = { 0, 0 } });
	for (int i = 0; i < count; i++)
		for (int8_t power = 1; power <= 3; power++)
			try_unit(&c, (struct unit){
					     .parameter = { (int8_t)tried[i] },
					     .power = { power } });
	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++)
			for (size_t n = 0; n < sizeof(pairs) / sizeof(pairs[0]);
			     n++)
				try_unit(
					&c,
					(struct unit){
						.parameter = { (int8_t)tried[i],
							       (int8_t)tried
								       [j] },
						.power = { pairs[n].of[0],
							   pairs[n].of[1] },
					});
	*ret = c.best;
}
