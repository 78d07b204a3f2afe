/* SPDX-License-Identifier: GPL-2.0-or-later */
/* errors.c - interval of a forecast, from its last errors
 *
 * A ring of errors, sorted at each use, between minus and plus the spread; [1]
 * adapts the levels of both ends.
 */
#include <math.h>

#include "predictor/forecast/errors.h"

/* [1] gamma: how far a tail moves with a value beyond it. */
#define GAMMA 0.02

/* Limits of a tail, whatever was learned. */
#define TAIL_LEAST 0.0
#define TAIL_MOST  0.45
/* Limits of what is learned, so that it can return. */
#define LEARNED_LEAST (-0.2F)
#define LEARNED_MOST  0.35F

/* Find the errors in order, between minus and plus the spread. */
static int sort_errors(const struct errors *e, double spread,
		       float ret[ERRORS_MAX + 2])
{
	int count = 0;

	ret[count++] = (float)-spread;
	for (int i = 0; i < e->count; i++) {
		float error = e->ring[i];
		int j = count++;

		for (; j > 0 && ret[j - 1] > error; j--)
			ret[j] = ret[j - 1];
		ret[j] = error;
	}
	ret[count] = fmaxf((float)spread, ret[count - 1]);
	return count + 1;
}

static double list_quantile(const float *values, int count, double p)
{
	double at = p * (count - 1);
	int i = (int)at;

	if (i >= count - 1)
		return (double)values[count - 1];
	return (double)values[i] +
	       (at - i) * ((double)values[i + 1] - (double)values[i]);
}

/* The levels of the ends of an interval. */
static void tail_levels(const struct errors *e, double level, double *ret_low,
			double *ret_high)
{
	double tail = (1 - level) / 2;
	double nominal = (1 - ERRORS_LEVEL) / 2;
	double scale = tail / nominal;
	double low = tail + (double)e->below * scale;
	double high = tail + (double)e->above * scale;

	*ret_low = fmin(TAIL_MOST, fmax(TAIL_LEAST, low));
	*ret_high = 1 - fmin(TAIL_MOST, fmax(TAIL_LEAST, high));
}

/* Return the part of a sorted list that is below `error`, interpolated as
 * in list_quantile(). */
static double list_rank(const float *values, int count, double error, int equal)
{
	int i = 0;

	while (i < count && ((double)values[i] < error ||
			     (equal && (double)values[i] <= error)))
		i++;
	if (i == 0)
		return 0;
	if (i == count)
		return 1;

	double low = (double)values[i - 1], high = (double)values[i];
	double between = 0;

	if (equal && low == error)
		between = 0;
	else if (high > low)
		between = (error - low) / (high - low);
	return (i - 1 + between) / (count - 1);
}

static void error_rank(const struct errors *e, double error, double spread,
		       double *ret_below, double *ret_not_above)
{
	float values[ERRORS_MAX + 2];
	int count = sort_errors(e, spread, values);

	error = (double)(float)error;
	*ret_below = list_rank(values, count, error, 0);
	*ret_not_above = fmax(*ret_below, list_rank(values, count, error, 1));
	if (error < (double)values[0])
		*ret_below = *ret_not_above = -1;
	else if (error > (double)values[count - 1])
		*ret_below = *ret_not_above = 2;
}

static double share_within(double below, double not_above, double low,
			   double high)
{
	if (not_above <= below)
		return below >= low && below <= high;

	double within = fmin(high, not_above) - fmax(low, below);

	return fmax(0, within) / (not_above - below);
}

/* `below` and `above` are the shares of the error that lie in the tails. */
static void ring_add(struct errors *e, double error, double below, double above)
{
	double nominal = (1 - ERRORS_LEVEL) / 2;

	e->below += (float)(GAMMA * (nominal - below));
	e->above += (float)(GAMMA * (nominal - above));
	e->below = fmaxf(LEARNED_LEAST, fminf(LEARNED_MOST, e->below));
	e->above = fmaxf(LEARNED_LEAST, fminf(LEARNED_MOST, e->above));
	e->ring[e->next] = (float)error;
	e->next = (e->next + 1) % ERRORS_MAX;
	if (e->count < ERRORS_MAX)
		e->count++;
}

void errors_add(struct errors *e, double error, double spread)
{
	double below, not_above, low, high;

	error_rank(e, error, spread, &below, &not_above);
	tail_levels(e, ERRORS_LEVEL, &low, &high);
	ring_add(e, error, share_within(below, not_above, -HUGE_VAL, low),
		 share_within(below, not_above, high, HUGE_VAL));
}

void errors_add_judged(struct errors *e, double error, int below, int above)
{
	double nominal = (1 - ERRORS_LEVEL) / 2;

	ring_add(e, error, below ? below > 0 : nominal,
		 above ? above > 0 : nominal);
}

void errors_interval(const struct errors *e, double level, double spread,
		     double *ret_low, double *ret_high)
{
	float values[ERRORS_MAX + 2];
	int count = sort_errors(e, spread, values);
	double low, high;

	tail_levels(e, level, &low, &high);
	*ret_low = fmin(0, list_quantile(values, count, low));
	*ret_high = fmax(0, list_quantile(values, count, high));
}

double errors_covered(const struct errors *e, double error, double spread)
{
	double below, not_above, low, high;

	error_rank(e, error, spread, &below, &not_above);
	tail_levels(e, ERRORS_LEVEL, &low, &high);
	return share_within(below, not_above, low, high);
}
