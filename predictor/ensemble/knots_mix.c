/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knots_mix.c - a prediction over several node sets of which one will
 * be given */
#include <math.h>
#include <string.h>

#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/knots_mix.h"

#define NEARLY_ONE 0.01

/* Each halves the interval of ln(time): what is left of a hundredfold
 * is 1e-6. */
#define BISECTIONS 22

struct mixture {
	const double *knots_s;
	int count;
	const double *weights, *ratios;
};

/* Return the probability of the mixture to be over by then. */
static double mixture_probability(const struct mixture *m, double time_s)
{
	double sum = 0;

	for (int i = 0; i < m->count; i++)
		sum += m->weights[i] *
		       verdict_probability(m->knots_s, time_s / m->ratios[i]);
	return sum;
}

static double mixture_quantile(const struct mixture *m, double p, double low_s,
			       double high_s)
{
	for (int i = 0; i < BISECTIONS; i++) {
		double middle_s = sqrt(low_s * high_s);

		if (mixture_probability(m, middle_s) < p)
			low_s = middle_s;
		else
			high_s = middle_s;
	}
	return high_s;
}

void knots_mix(double knots_s[PREDICTION_KNOTS], int count,
	       const double weights[], const double ratios[], double most_s)
{
	const struct mixture m = { knots_s, count, weights, ratios };
	double mixed[PREDICTION_KNOTS];
	double least = 1, most = 1;

	for (int i = 0; i < count; i++) {
		least = fmin(least, ratios[i]);
		most = fmax(most, ratios[i]);
	}
	if (!(knots_s[0] > 0) || most / least < 1 + NEARLY_ONE)
		return;
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		mixed[i] =
			fmin(most_s, mixture_quantile(&m, prediction_knots[i],
						      knots_s[i] * least,
						      knots_s[i] * most));
	memcpy(knots_s, mixed, sizeof(mixed));
}
