/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.h - the last samples of one resource of one node
 *
 * A ring in the order of time.  A forecast at any time uses only samples up to
 * then, so that the conditions of a run are the same whether computed at its
 * start or long after.
 */
#pragma once

#define SERIES_SAMPLES_MAX 128

struct series {
	int first; /* the oldest */
	int count;
	/* Values in single precision: 1.5 KB a series, and measurements are
	 * not more exact. */
	double times_s[SERIES_SAMPLES_MAX];
	float values[SERIES_SAMPLES_MAX];
};

/* Add a sample.  One of the same time is replaced; a late one is inserted in
 * order.  -1, left out: not finite, or older than all in a full ring. */
int series_add(struct series *series, double time_s, double value);

/* The clock was set back: drop samples after time_s. */
void series_forget_after(struct series *series, double time_s);

/* The i-th sample, 0 the oldest of `count`. */
double series_time_s(const struct series *series, int i);
float series_value(const struct series *series, int i);

/* Samples that a forecast uses. */
struct series_window {
	int samples;     /* at most, 1 at least */
	double span_s;   /* all but the newest are younger than that */
	double expiry_s; /* if the newest is older there is no forecast */
};

/* Forecast for just after time_s: the mean of the last samples up to then.
 * NAN: there is none. */
double series_forecast(const struct series *series, double time_s,
		       const struct series_window *window);

/* Return the seconds since the newest sample up to time_s; HUGE_VAL: there
 * is none. */
double series_age_s(const struct series *series, double time_s);
