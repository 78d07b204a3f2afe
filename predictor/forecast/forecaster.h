/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forecaster.h - interface of the methods that forecast a series
 *
 * A method gets a series value by value and forecasts the next one.  It is a
 * row of a table: methods with parameters are one function and several rows.
 * A row has the size of its state, and the table's user keeps it, so that a
 * series is one piece of memory.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/unused.h"
#include "predictor/forecast/past.h"

struct forecaster {
	const char *name; /* a word */
	const char *help;

	size_t size;      /* of the state; it begins as zeros */
	double parameter; /* a gain, a fraction, a bound */
	int window;       /* values, or an enum past_window */

	/* Learn from one more value; it is not in `past` yet, which may be
	 * empty.  NULL: the method needs no more than the past. */
	void (*update)(const struct forecaster *self, void *state,
		       const struct past *past, double value);

	/* The next value.  `past` has at least one. */
	double (*forecast)(const struct forecaster *self, const void *state,
			   const struct past *past);
};

/* States stand one behind the other, aligned to doubles. */
static inline size_t forecaster_room(const struct forecaster *f)
{
	return (f->size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

/* --- Methods ---------------------------------------------------------------
 * sliding.c: the level of the last values */
double last_forecast(const struct forecaster *self, const void *state,
		     const struct past *past);
double mean_forecast(const struct forecaster *self, const void *state,
		     const struct past *past); /* of `window` values */
double median_forecast(const struct forecaster *self, const void *state,
		       const struct past *past); /* of enum past_window */
double trimmed_forecast(const struct forecaster *self, const void *state,
			const struct past *past); /* cut `parameter` */
double clipped_forecast(const struct forecaster *self, const void *state,
			const struct past *past);

/* running.c: a level that is updated with each value */
struct running_level {
	double level;
	double other; /* as each method needs */
};
void smoothing_update(const struct forecaster *self, void *state,
		      const struct past *past, double value);
void running_mean_update(const struct forecaster *self, void *state,
			 const struct past *past, double value);
void running_median_update(const struct forecaster *self, void *state,
			   const struct past *past, double value);
void trend_update(const struct forecaster *self, void *state,
		  const struct past *past, double value);
double running_forecast(const struct forecaster *self, const void *state,
			const struct past *past);
double trend_forecast(const struct forecaster *self, const void *state,
		      const struct past *past);

/* restart.c: the mean since the level last changed */
struct restart {
	double mean;
	double count;
	double up, down; /* evidence of a change */
};
void restart_update(const struct forecaster *self, void *state,
		    const struct past *past, double value);
double restart_forecast(const struct forecaster *self, const void *state,
			const struct past *past);

/* autoregression.c */
#define AUTOREGRESSION_ORDER 4
struct autoregression {
	double level;
	float P[AUTOREGRESSION_ORDER][AUTOREGRESSION_ORDER];
	float theta[AUTOREGRESSION_ORDER];
};
void autoregression_update(const struct forecaster *self, void *state,
			   const struct past *past, double value);
double autoregression_forecast(const struct forecaster *self, const void *state,
			       const struct past *past);

/* analog.c: what followed values like the last `window` */
double analog_forecast(const struct forecaster *self, const void *state,
		       const struct past *past);

/* period.c: the value of one period ago */
#define PERIOD_MAX 128
struct period {
	float errors[PERIOD_MAX]; /* of the value 1, 2, ... before */
};
void period_update(const struct forecaster *self, void *state,
		   const struct past *past, double value);
double period_forecast(const struct forecaster *self, const void *state,
		       const struct past *past);
