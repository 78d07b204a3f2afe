/* SPDX-License-Identifier: GPL-2.0-or-later */
/* level.c - the level of a resource that is measured seldom */
#include <float.h>
#include <math.h>
#include <string.h>

#include "predictor/forecast/level.h"

static const int widths[LEVEL_WIDTHS] = { 1, 3, 5, 9, 15 };

#define LATE_MAX 3
/* Errors fade by a tenth, steps too. */
#define GAIN 0.1F

static float list_median(const float *values, int count)
{
	float sorted[LEVEL_VALUES] = { 0 };

	for (int i = 0; i < count; i++) {
		int at = i;

		for (; at > 0 && sorted[at - 1] > values[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = values[i];
	}
	return count % 2 ? sorted[count / 2]
			 : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* The median of the last `width` of the first `count` values. */
static float median_of_last(const struct level *level, int count, int width)
{
	if (width > count)
		width = count;
	return list_median(level->values + count - width, width);
}

/* Update the mean error of each width with the next value. */
static void judge_widths(struct level *level, float value)
{
	if (level->count == 0)
		return;
	for (int i = 0; i < LEVEL_WIDTHS; i++) {
		float error = fabsf(
			median_of_last(level, level->count, widths[i]) - value);
		float gain = fmaxf(GAIN, 1.0F / (float)level->count);

		level->errors[i] += gain * (error - level->errors[i]);
	}
	level->best = 0;
	for (uint8_t i = 1; i < LEVEL_WIDTHS; i++)
		if (level->errors[i] < level->errors[level->best])
			level->best = i;
}

/* Whether a value of this time is in order. */
static int accept_time(struct level *level, double time_s)
{
	if (!level->count)
		return 1;

	double step_s = time_s - level->times_s[level->count - 1];

	if (step_s > 0) {
		float gain = level->step_s > 0 ? GAIN : 1;

		level->step_s += gain * ((float)step_s - level->step_s);
		level->late = 0;
		return 1;
	}
	level->late = level->late && time_s > level->late_s
			      ? (uint8_t)(level->late + 1)
			      : 1;
	level->late_s = time_s;
	if (level->late < LATE_MAX)
		return 0;
	while (level->count && level->times_s[level->count - 1] >= time_s)
		level->count--;
	level->late = 0;
	return 1;
}

int level_add(struct level *level, double time_s, double value)
{
	if (!isfinite(time_s) || !isfinite(value) || fabs(value) > FLT_MAX)
		return -1;
	if (!accept_time(level, time_s))
		return 1;
	judge_widths(level, (float)value);
	if (level->count == LEVEL_VALUES) {
		level->count--;
		memmove(level->values, level->values + 1,
			level->count * sizeof(level->values[0]));
		memmove(level->times_s, level->times_s + 1,
			level->count * sizeof(level->times_s[0]));
	}
	level->values[level->count] = (float)value;
	level->times_s[level->count++] = time_s;
	level->now = median_of_last(level, level->count, widths[level->best]);
	level->error = level->count > 1 ? level->errors[level->best] : NAN;
	return 0;
}

/* Values up to time_s. */
static int count_until(const struct level *level, double time_s)
{
	int count = level->count;

	while (count > 0 && level->times_s[count - 1] > time_s)
		count--;
	return count;
}

int level_forecast(const struct level *level, double time_s, double *ret_value,
		   double *ret_error)
{
	int count = count_until(level, time_s);

	if (!count)
		return -1;
	*ret_error = (double)level->error;
	*ret_value = (double)(count == level->count
				      ? level->now
				      : median_of_last(level, count,
						       widths[level->best]));
	return 0;
}

double level_time_s(const struct level *level, double time_s)
{
	int count = count_until(level, time_s);

	return count ? level->times_s[count - 1] : -HUGE_VAL;
}
