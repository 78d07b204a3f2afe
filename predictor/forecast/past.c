/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past.c - the last values of a series, for forecasters
 *
 * Values are moved with each new one: for 800 bytes that takes less time than
 * the index of a ring would where all of them are read.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "predictor/forecast/past.h"

#define CHANGE_GAIN 0.05F

static const struct {
	int first; /* in sorted[] */
	int size;
} windows[PAST_WINDOWS] = {
	[PAST_5] = { 0, 5 },
	[PAST_10] = { 5, 10 },
	[PAST_30] = { 5 + 10, 30 },
	[PAST_31] = { 5 + 10 + 30, 31 },
	[PAST_51] = { 5 + 10 + 30 + 31, PAST_SORTED_MAX },
};

/* How many values are below `value`. */
static int count_below(const float *sorted, int count, float value)
{
	int low = 0;

	while (count > 0) {
		int half = count / 2;

		if (sorted[low + half] < value) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low;
}

static void sorted_add(float *sorted, int count, float value)
{
	int at = count_below(sorted, count, value);

	memmove(sorted + at + 1, sorted + at,
		(size_t)(count - at) * sizeof(*sorted));
	sorted[at] = value;
}

static void sorted_remove(float *sorted, int count, float value)
{
	int at = count_below(sorted, count, value);

	memmove(sorted + at, sorted + at + 1,
		(size_t)(count - at - 1) * sizeof(*sorted));
}

void past_add(struct past *past, float value)
{
	for (int i = 0; i < PAST_WINDOWS; i++) {
		float *sorted = past->sorted + windows[i].first;
		int size = windows[i].size;
		int count = past->count < size ? past->count : size;

		if (count == size) {
			sorted_remove(sorted, size, past->values[size - 1]);
			count--;
		}
		sorted_add(sorted, count, value);
	}

	float change = past->count ? fabsf(value - past->values[0]) : 0;

	past->change +=
		(past->seen < 2 ? 1 : CHANGE_GAIN) * (change - past->change);
	if (past->count < PAST_MAX)
		past->count++;
	memmove(past->values + 1, past->values,
		(size_t)(past->count - 1) * sizeof(*past->values));
	past->values[0] = value;
	if (past->seen < UINT_MAX)
		past->seen++;
}

const float *past_sorted(const struct past *past, enum past_window window,
			 int *ret_count)
{
	int size = windows[window].size;

	*ret_count = past->count < size ? past->count : size;
	return past->sorted + windows[window].first;
}

double past_trimmed(const struct past *past, enum past_window window,
		    double cut)
{
	int count;
	const float *sorted = past_sorted(past, window, &count);
	int left_out = (int)(cut * count);
	double sum = 0;

	for (int i = left_out; i < count - left_out; i++)
		sum += (double)sorted[i];
	return sum / (count - 2 * left_out);
}

double past_median(const struct past *past, enum past_window window)
{
	int count;
	const float *sorted = past_sorted(past, window, &count);
	double upper = (double)sorted[count / 2];

	return count % 2 ? upper : (upper + (double)sorted[count / 2 - 1]) / 2;
}

double past_mean(const struct past *past, int count)
{
	double sum = 0;

	if (count > past->count)
		count = past->count;
	for (int i = 0; i < count; i++)
		sum += (double)past->values[i];
	return sum / count;
}
