/* SPDX-License-Identifier: GPL-2.0-or-later */
/* autoregression.c - the next value from the last ones, learned online
 *
 * Recursive least squares [1] on deviations from a slow level.  Regularised by
 * its start (small P about a plausible theta) and robust: an error counts for
 * at most ERROR_MOST usual changes, and forecasts stay in the range of the last
 * values.
 *
 * [1] L. Ljung, System Identification, 2nd ed., 11.2.
 */
#include <math.h>

#include "predictor/forecast/forecaster.h"

#define ORDER        AUTOREGRESSION_ORDER
#define LEVEL_GAIN   0.05
#define ERROR_MOST   3.0
#define RANGE_WINDOW 50

static void rls_begin(struct autoregression *s, double value)
{
	s->level = value;
	for (int i = 0; i < ORDER; i++) {
		s->theta[i] = i ? 0.1F : 0.5F;
		s->P[i][i] = 1;
	}
}

static double rls_predict(const struct autoregression *s,
			  const struct past *past)
{
	double sum = 0;

	for (int i = 0; i < ORDER; i++)
		sum += (double)s->theta[i] *
		       ((double)past->values[i] - s->level);
	return sum;
}

/* One step of [1] (11.12), in units of the usual change, so that numbers stay
 * near one whatever is measured. */
static void rls_step(struct autoregression *s, const struct past *past,
		     double value, double usual)
{
	double u[ORDER], Pu[ORDER], uPu = 1;

	for (int i = 0; i < ORDER; i++) {
		double far = ((double)past->values[i] - s->level) / usual;

		u[i] = fmax(-1e3, fmin(1e3, far));
	}
	for (int i = 0; i < ORDER; i++) {
		Pu[i] = 0;
		for (int j = 0; j < ORDER; j++)
			Pu[i] += (double)s->P[i][j] * u[j];
		uPu += u[i] * Pu[i];
	}

	double error = (value - s->level - rls_predict(s, past)) / usual;

	error = fmax(-ERROR_MOST, fmin(ERROR_MOST, error));
	for (int i = 0; i < ORDER; i++) {
		s->theta[i] += (float)(Pu[i] / uPu * error);
		for (int j = 0; j < ORDER; j++)
			s->P[i][j] -= (float)(Pu[i] * Pu[j] / uPu);
	}
}

void autoregression_update(const struct forecaster *self UNUSED, void *state,
			   const struct past *past, double value)
{
	struct autoregression *s = state;
	double usual = (double)past->change;

	if (!past->count) {
		rls_begin(s, value);
		return;
	}
	if (past->count > ORDER && usual > 0)
		rls_step(s, past, value, usual);
	s->level += LEVEL_GAIN * (value - s->level);
}

double autoregression_forecast(const struct forecaster *self UNUSED,
			       const void *state, const struct past *past)
{
	const struct autoregression *s = state;
	float low = past->values[0], high = past->values[0];

	if (past->count < ORDER)
		return (double)past->values[0];
	for (int i = 1; i < past->count && i < RANGE_WINDOW; i++) {
		low = past->values[i] < low ? past->values[i] : low;
		high = past->values[i] > high ? past->values[i] : high;
	}

	double next = s->level + rls_predict(s, past);

	return fmax((double)low, fmin((double)high, next));
}
