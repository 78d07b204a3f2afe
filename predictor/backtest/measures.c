/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measures.c - errors of predicted run times */
#include <math.h>

#include "predictor/backtest/measures.h"
#include "predictor/stats/quantile.h"

/* Numbers of different origin count as equal: some have been through a
 * logarithm, or were kept as floats. */
#define SAME 1e-5

struct error_sums {
	double runtime, error, accuracy, under;
	size_t highs;
	double high_runtime, covered, width, pinball;
};

bool measures_covers(const struct measures_sample *s)
{
	return s->runtime_s <= s->high_s * (1 + SAME) ||
	       (isfinite(s->limit_s) &&
		fabs(s->high_s - s->limit_s) <= SAME * s->limit_s);
}

static double pinball(const struct measures_sample *s)
{
	double d = s->runtime_s - s->high_s;

	return d > 0 ? MEASURES_HIGH * d : (MEASURES_HIGH - 1) * d; /* [2] */
}

static void sums_add(const struct measures_sample *s, struct error_sums *sums)
{
	sums->runtime += s->runtime_s;
	sums->error += fabs(s->runtime_s - s->predicted_s);
	sums->accuracy += fmin(s->runtime_s, s->predicted_s) /
			  fmax(s->runtime_s, s->predicted_s);
	sums->under += s->runtime_s > s->predicted_s * (1 + SAME);
	if (isnan(s->high_s))
		return;
	sums->highs++;
	sums->high_runtime += s->runtime_s;
	sums->covered += measures_covers(s);
	sums->width += s->high_s;
	sums->pinball += pinball(s);
}

void measures_of(const struct measures_sample *samples, size_t count,
		 double *room, struct measures *ret)
{
	struct error_sums sums = { .runtime = 0 };
	size_t jobs = 0;

	for (size_t i = 0; i < count; i++) {
		/* An infinite run time is no prediction. */
		if (!isfinite(samples[i].predicted_s))
			continue;
		sums_add(&samples[i], &sums);
		room[jobs++] =
			fabs(samples[i].runtime_s - samples[i].predicted_s);
	}

	double n = jobs > 0 ? (double)jobs : NAN;
	double highs = sums.highs > 0 ? (double)sums.highs : NAN;

	*ret = (struct measures){
		.asked = count,
		.jobs = jobs,
		.runtime_s = sums.runtime / n,
		.mae_s = sums.error / n,
		.mae = jobs > 0 ? sums.error / sums.runtime : NAN,
		.median_error_s = quantile_sample(room, jobs, .5),
		.accuracy = sums.accuracy / n,
		.underestimates = sums.under / n,
		.coverage = sums.covered / highs,
		.width = sums.highs > 0 ? sums.width / sums.high_runtime : NAN,
		.pinball =
			sums.highs > 0 ? sums.pinball / sums.high_runtime : NAN,
	};
}
