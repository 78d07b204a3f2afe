/* SPDX-License-Identifier: GPL-2.0-or-later */
/* level.h - the level of a resource that is measured seldom
 *
 * For links, which are many, and measured every few minutes: a few values, and
 * medians of the last 1, 3, 5, 9 and 15 of them.  As in [1] the one with the
 * least mean error so far is the forecast.  A battery is more accurate and
 * takes thirty times the memory.
 *
 * [1] R. Wolski: Dynamically Forecasting Network Performance Using the Network
 *     Weather Service, Cluster Computing 1 (1998) 119-132.
 */
#pragma once

#include <stdint.h>

#define LEVEL_VALUES 24
#define LEVEL_WIDTHS 5

/* All zero: no values yet. */
struct level {
	double times_s[LEVEL_VALUES]; /* ascending */
	float values[LEVEL_VALUES];
	float errors[LEVEL_WIDTHS]; /* mean absolute; old ones fade */
	float now, error;           /* the forecast */
	float step_s;               /* usual time between values; 0: unknown */
	double late_s;
	uint8_t count, late;
	uint8_t best; /* width in use */
};

/* Learn a value.  0; 1: it is not after the newest, and is left out (after
 * three such in a row the clock was set back, and they count); -1: not finite.
 */
int level_add(struct level *level, double time_s, double value);

/* Find the level at time_s, from values up to then, and its expected absolute
 * error (NAN: not known).  -1: there were none. */
int level_forecast(const struct level *level, double time_s, double *ret_value,
		   double *ret_error);

/* Return the time of the newest value that is not after time_s;
 * -HUGE_VAL: none. */
double level_time_s(const struct level *level, double time_s);
