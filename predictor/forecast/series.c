/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.c - the last samples of one resource of one node */
#include <float.h>
#include <math.h>

#include "predictor/forecast/series.h"

static int ring_slot(const struct series *series, int i)
{
	return (series->first + i) % SERIES_SAMPLES_MAX;
}

/* Samples up to time_s. */
static int count_until(const struct series *series, double time_s)
{
	int n = series->count;

	while (n > 0 && series->times_s[ring_slot(series, n - 1)] > time_s)
		n--;
	return n;
}

int series_add(struct series *series, double time_s, double value)
{
	if (!isfinite(time_s) || !isfinite(value) || fabs(value) > FLT_MAX)
		return -1;

	int n = count_until(series, time_s);

	if (n > 0 && series->times_s[ring_slot(series, n - 1)] == time_s) {
		series->values[ring_slot(series, n - 1)] = (float)value;
		return 0;
	}
	if (series->count == SERIES_SAMPLES_MAX) {
		if (!n)
			return -1;
		series->first = ring_slot(series, 1);
		series->count--;
		n--;
	}

	for (int i = series->count; i > n; i--) {
		series->times_s[ring_slot(series, i)] =
			series->times_s[ring_slot(series, i - 1)];
		series->values[ring_slot(series, i)] =
			series->values[ring_slot(series, i - 1)];
	}
	series->times_s[ring_slot(series, n)] = time_s;
	series->values[ring_slot(series, n)] = (float)value;
	series->count++;
	return 0;
}

void series_forget_after(struct series *series, double time_s)
{
	series->count = count_until(series, time_s);
}

double series_time_s(const struct series *series, int i)
{
	return series->times_s[ring_slot(series, i)];
}

float series_value(const struct series *series, int i)
{
	return series->values[ring_slot(series, i)];
}

double series_forecast(const struct series *series, double time_s,
		       const struct series_window *window)
{
	int n = count_until(series, time_s);
	double sum = 0;
	int used = 0;

	for (int i = n - 1; i >= 0 && used < window->samples; i--) {
		int at = ring_slot(series, i);
		double age_s = time_s - series->times_s[at];

		if (age_s > window->expiry_s ||
		    (used && age_s >= window->span_s))
			break;
		sum += (double)series->values[at];
		used++;
	}
	return used ? sum / used : NAN;
}

double series_age_s(const struct series *series, double time_s)
{
	int n = count_until(series, time_s);

	if (!n)
		return HUGE_VAL;
	return time_s - series->times_s[ring_slot(series, n - 1)];
}
