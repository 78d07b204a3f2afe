/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running.c - forecasters that update a level with each value
 *
 * Trend: Holt's two smoothed equations, the trend damped as in [1], because a
 * resource that grows will not do so for long.
 *
 * [1] E. S. Gardner, E. McKenzie: Forecasting Trends in Time Series,
 *     Management Science 31 (1985) 1237-1246.
 */
#include <math.h>

#include "predictor/forecast/forecaster.h"

#define LEVEL_GAIN 0.4 /* [1] alpha */
#define TREND_GAIN 0.1 /* [1] alpha beta, roughly */
#define DAMPING    0.8 /* [1] phi */

/* A running median moves by this share of the usual change; larger at first,
 * to get there. */
#define MEDIAN_STEP       0.14
#define MEDIAN_FIRST_STEP 2.0

void smoothing_update(const struct forecaster *self, void *state,
		      const struct past *past, double value)
{
	struct running_level *s = state;

	if (past->count)
		s->level += self->parameter * (value - s->level);
	else
		s->level = value;
}

void running_mean_update(const struct forecaster *self UNUSED, void *state,
			 const struct past *past UNUSED, double value)
{
	struct running_level *s = state;

	s->other++;
	s->level += (value - s->level) / s->other;
}

void running_median_update(const struct forecaster *self UNUSED, void *state,
			   const struct past *past, double value)
{
	struct running_level *s = state;

	if (!past->count) {
		s->level = value;
		return;
	}

	double share =
		fmax(MEDIAN_STEP, MEDIAN_FIRST_STEP / sqrt((double)past->seen));
	double step =
		fmin(share * (double)past->change, fabs(value - s->level));

	s->level += value > s->level ? step : -step;
}

void trend_update(const struct forecaster *self UNUSED, void *state,
		  const struct past *past, double value)
{
	struct running_level *s = state;

	if (!past->count) {
		s->level = value;
		return;
	}

	double expected = s->level + DAMPING * s->other;

	s->level = expected + LEVEL_GAIN * (value - expected);
	s->other = DAMPING * s->other + TREND_GAIN * (value - expected);
}

double running_forecast(const struct forecaster *self UNUSED, const void *state,
			const struct past *past UNUSED)
{
	const struct running_level *s = state;

	return s->level;
}

double trend_forecast(const struct forecaster *self UNUSED, const void *state,
		      const struct past *past UNUSED)
{
	const struct running_level *s = state;

	return s->level + DAMPING * s->other;
}
