/* SPDX-License-Identifier: GPL-2.0-or-later */
/* period.c - the value of one period ago; the period is learned
 *
 * The error of each possible period is kept, with old errors fading.
 */
#include <math.h>

#include "predictor/forecast/forecaster.h"

#define FADING 0.98F

/* A period that has just become possible starts as if its first error had
 * always been there; else it would win by having few. */
#define FIRST_WEIGHT 50.0F

void period_update(const struct forecaster *self UNUSED, void *state,
		   const struct past *past, double value)
{
	struct period *s = state;
	int known = past->count < PERIOD_MAX ? past->count : PERIOD_MAX;

	for (int i = 0; i < known; i++)
		s->errors[i] = FADING * s->errors[i] +
			       fabsf((float)value - past->values[i]);
	if (known && past->seen <= PERIOD_MAX)
		s->errors[known - 1] *= FIRST_WEIGHT;
}

double period_forecast(const struct forecaster *self UNUSED, const void *state,
		       const struct past *past)
{
	const struct period *s = state;
	int best = 0;

	for (int i = 1; i < PERIOD_MAX && i < past->count - 1; i++)
		if (s->errors[i] < s->errors[best])
			best = i;
	return (double)past->values[best];
}
