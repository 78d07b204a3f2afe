/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sliding.c - forecasters that take the level of the last values
 *
 * More values have less noise, and follow a change later.
 */
#include <math.h>

#include "predictor/forecast/forecaster.h"

double last_forecast(const struct forecaster *self UNUSED,
		     const void *state UNUSED, const struct past *past)
{
	return (double)past->values[0];
}

double mean_forecast(const struct forecaster *self, const void *state UNUSED,
		     const struct past *past)
{
	return past_mean(past, self->window);
}

double median_forecast(const struct forecaster *self, const void *state UNUSED,
		       const struct past *past)
{
	return past_median(past, (enum past_window)self->window);
}

double trimmed_forecast(const struct forecaster *self, const void *state UNUSED,
			const struct past *past)
{
	return past_trimmed(past, (enum past_window)self->window,
			    self->parameter);
}

/* Return the last value, but no further from the median of five than
 * `parameter` usual changes: a peak is not expected to last. */
double clipped_forecast(const struct forecaster *self, const void *state UNUSED,
			const struct past *past)
{
	double median = past_median(past, PAST_5);
	double most = self->parameter * (double)past->change;
	double from_median = (double)past->values[0] - median;

	return median + fmax(-most, fmin(most, from_median));
}
