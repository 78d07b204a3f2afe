/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nws.c - the forecasters of the Network Weather Service
 *
 * With each value: errors of primaries and selectors are counted, methods learn
 * and forecast, selectors choose.  Two things are as in the NWS program, not as
 * in [1]: a "sliding median" without a cut is the mean of its window; and the
 * adaptive medians compare their window with two others of the same size, so
 * that it never moves.
 */
#include <float.h>
#include <math.h>

#include "tests/bench/nws.h"

#define SMOOTHING(gain_, name_)                                           \
	{                                                                 \
		.name = name_, .help = "exponential smoothing",           \
		.size = sizeof(struct running_level), .parameter = gain_, \
		.update = smoothing_update, .forecast = running_forecast  \
	}

const struct forecaster nws_methods[] = {
	{ "last", .help = "the last value", .forecast = last_forecast },
	{ "running-mean", .help = "mean of all values",
	  .size = sizeof(struct running_level), .update = running_mean_update,
	  .forecast = running_forecast },
	SMOOTHING(0.05, "smoothing-0.05"),
	SMOOTHING(0.10, "smoothing-0.10"),
	SMOOTHING(0.15, "smoothing-0.15"),
	SMOOTHING(0.20, "smoothing-0.20"),
	SMOOTHING(0.30, "smoothing-0.30"),
	SMOOTHING(0.40, "smoothing-0.40"),
	SMOOTHING(0.50, "smoothing-0.50"),
	SMOOTHING(0.75, "smoothing-0.75"),
	{ "median-31", .help = "median of the last 31", .window = PAST_31,
	  .forecast = median_forecast },
	{ "median-5", .help = "median of the last 5", .window = PAST_5,
	  .forecast = median_forecast },
	{ "mean-31", .help = "mean of the last 31", .window = 31,
	  .forecast = mean_forecast },
	{ "mean-5", .help = "mean of the last 5", .window = 5,
	  .forecast = mean_forecast },
	{ "trimmed-31", .help = "mean of the last 31 without 30 % at each end",
	  .parameter = 0.3, .window = PAST_31, .forecast = trimmed_forecast },
	{ "trimmed-51", .help = "mean of the last 51 without 30 % at each end",
	  .parameter = 0.3, .window = PAST_51, .forecast = trimmed_forecast },
	{ "adaptive-5-21", .help = "adaptive median that begins with 10",
	  .window = PAST_10, .forecast = median_forecast },
	{ "adaptive-21-51", .help = "adaptive median that begins with 30",
	  .window = PAST_30, .forecast = median_forecast },
	{ .name = NULL },
};

/* Last errors that a selector sums up; 0: all. */
static const unsigned int look_back[NWS_SELECTORS] = { 0,  1,  5,  10,
						       20, 30, 50, 100 };

static double error_measure(enum nws_kind kind, double error)
{
	return kind == NWS_SQUARED ? error * error : fabs(error);
}

/* The first of the least. */
static int least_sum(const double *sums, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (sums[i] < sums[best])
			best = i;
	return best;
}

static void count_errors(struct nws *nws, double value)
{
	unsigned int at = nws->errors_seen % NWS_ERRORS;

	for (int i = 0; i < NWS_METHODS; i++) {
		double error = value - nws->forecasts[i];

		nws->errors[i][at] = (float)error;
		for (int kind = 0; kind < NWS_KINDS; kind++)
			nws->errors_sum[kind][i] += error_measure(kind, error);
	}
	for (int kind = 0; kind < NWS_KINDS; kind++)
		for (int s = 0; s < NWS_SELECTORS; s++)
			nws->selected_sum[kind][s] += error_measure(
				kind, value - nws->selected[kind][s]);
	nws->errors_seen++;
	if (nws->errors_seen >= 1000 * NWS_ERRORS) /* long before it wraps */
		nws->errors_seen -= 500 * NWS_ERRORS;
}

/* Sums over the last errors for each selector, added up anew each time: in a
 * running sum rounding would accumulate, and methods with the same errors would
 * differ. */
static void sum_errors(const struct nws *nws, int method, enum nws_kind kind,
		       double ret[NWS_SELECTORS])
{
	unsigned int known =
		nws->errors_seen < NWS_ERRORS ? nws->errors_seen : NWS_ERRORS;
	unsigned int at = nws->errors_seen % NWS_ERRORS;
	unsigned int i = 0;
	double sum = 0;

	ret[0] = nws->errors_sum[kind][method];
	for (int s = 1; s < NWS_SELECTORS; s++) {
		for (; i < known && i < look_back[s]; i++) {
			at = (at ? at : NWS_ERRORS) - 1;
			sum += error_measure(kind,
					     (double)nws->errors[method][at]);
		}
		ret[s] = sum;
	}
}

static void select_methods(struct nws *nws, enum nws_kind kind)
{
	double sums[NWS_SELECTORS][NWS_METHODS];

	for (int i = 0; i < NWS_METHODS; i++) {
		double of_one[NWS_SELECTORS];

		sum_errors(nws, i, kind, of_one);
		for (int s = 0; s < NWS_SELECTORS; s++)
			sums[s][i] = of_one[s];
	}
	for (int s = 0; s < NWS_SELECTORS; s++) {
		nws->chosen[kind][s] = least_sum(sums[s], NWS_METHODS);
		nws->selected[kind][s] = nws->forecasts[nws->chosen[kind][s]];
	}
}

int nws_update(struct nws *nws, double value)
{
	if (!isfinite(value) || fabs(value) > FLT_MAX)
		return -1;
	value = (double)(float)value; /* as the past keeps it */
	if (nws->past.count)
		count_errors(nws, value);
	for (int i = 0; i < NWS_METHODS; i++)
		if (nws_methods[i].update)
			nws_methods[i].update(&nws_methods[i], nws->states[i],
					      &nws->past, value);
	past_add(&nws->past, (float)value);
	for (int i = 0; i < NWS_METHODS; i++)
		nws->forecasts[i] = nws_methods[i].forecast(
			&nws_methods[i], nws->states[i], &nws->past);
	for (int kind = 0; kind < NWS_KINDS; kind++)
		select_methods(nws, kind);
	return 0;
}

double nws_forecast(const struct nws *nws, enum nws_kind kind,
		    const struct forecaster **ret_method)
{
	int best = least_sum(nws->selected_sum[kind], NWS_SELECTORS);

	if (ret_method)
		*ret_method = &nws_methods[nws->chosen[kind][best]];
	return nws->past.count ? nws->selected[kind][best] : NAN;
}
