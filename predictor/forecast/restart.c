/* SPDX-License-Identifier: GPL-2.0-or-later */
/* restart.c - the mean since the level last changed
 *
 * A mean over a window is either noisy or late.  This one takes all values
 * since the last change, and finds the change by the cumulated sums of [1].
 *
 * [1] E. S. Page: Continuous Inspection Schemes, Biometrika 41 (1954) 100-115.
 */
#include <math.h>

#include "predictor/forecast/forecaster.h"

/* In usual changes: deviations below DRIFT are noise, one counts for at most
 * FAR_MAX, and their sum must reach THRESHOLD: three large ones in a row do,
 * one alone never does. */
#define DRIFT     1.0
#define FAR_MAX   3.0
#define THRESHOLD 5.0

/* After a change the new mean begins with the values that showed it. */
#define KEPT 3

void restart_update(const struct forecaster *self UNUSED, void *state,
		    const struct past *past, double value)
{
	struct restart *s = state;
	double usual = (double)past->change;

	if (past->count >= KEPT && usual > 0) {
		double far = (value - s->mean) / usual;

		far = fmax(-FAR_MAX, fmin(FAR_MAX, far));
		s->up = fmax(0, s->up + far - DRIFT);
		s->down = fmax(0, s->down - far - DRIFT);
		if (s->up > THRESHOLD || s->down > THRESHOLD)
			*s = (struct restart){
				.mean = past_mean(past, KEPT - 1),
				.count = KEPT - 1,
			};
	}
	s->count++;
	s->mean += (value - s->mean) / s->count;
}

double restart_forecast(const struct forecaster *self UNUSED, const void *state,
			const struct past *past UNUSED)
{
	const struct restart *s = state;

	return s->mean;
}
