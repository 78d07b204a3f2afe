/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past.h - the last values of a series, for forecasters
 *
 * Without times: a forecaster gets one value after the other.
 */
#pragma once

#define PAST_MAX        200 /* values kept */
#define PAST_SORTED_MAX 51

/* Windows that are kept sorted, for medians; those of nws.h and battery.h. */
enum past_window { PAST_5, PAST_10, PAST_30, PAST_31, PAST_51, PAST_WINDOWS };

/* All zero: no values yet. */
struct past {
	unsigned int seen; /* values so far; stays at UINT_MAX */
	int count;         /* of values[] */

	/* Mean difference of successive values, over the last twenty or
	 * so. */
	float change;

	float values[PAST_MAX]; /* the newest first */
	float sorted[5 + 10 + 30 + 31 + 51];
};

/* Add a finite value. */
void past_add(struct past *past, float value);

/* The last values in ascending order, and how many there are. */
const float *past_sorted(const struct past *past, enum past_window window,
			 int *ret_count);

/* Return the mean of the middle of a window: of its count values the
 * int(cut * count) smallest and largest are left out, cut < 0.5.  There must
 * be a value. */
double past_trimmed(const struct past *past, enum past_window window,
		    double cut);

/* Median of a window; of an even number the mean of the middle two. */
double past_median(const struct past *past, enum past_window window);

/* Mean of the last `count` values, or as many as there are. */
double past_mean(const struct past *past, int count);
