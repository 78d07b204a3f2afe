/* SPDX-License-Identifier: GPL-2.0-or-later */
/* battery.h - forecast of a resource from a battery of methods
 *
 * A battery follows one series and forecasts its mean from now over any
 * horizon, with an interval, the expected error and the method with the most
 * weight.  It is plain memory without pointers, may be copied, and allocates
 * nothing.
 *
 * Horizons are learned at the rungs of a ladder of steps, a step being the
 * usual time between measurements.  Between two rungs forecasts are
 * interpolated; beyond the last one its own is used.
 */
#pragma once

#include "predictor/forecast/forecaster.h"
#include "predictor/forecast/rung.h"

#define BATTERY_RUNGS  9
#define BATTERY_SPANS  2   /* means over as long as the horizon, and twice */
#define BATTERY_STATES 128 /* doubles; battery_init() asserts that they do */

extern const struct forecaster battery_methods[]; /* ends without a name */
extern const int battery_steps[BATTERY_RUNGS];

struct battery {
	double low, high; /* limits of values */

	/* Time. */
	double time_s; /* of the newest value */
	double step_s; /* 0: not known yet */
	int steps_seen;
	int gaps;      /* in a row */
	int late;      /* late values in a row, in the order of time */
	double late_s; /* time of the last of them */

	struct past past;
	double states[BATTERY_STATES];
	float forecasts[RUNG_METHODS_MAX]; /* newest of each method */
	double spans[BATTERY_RUNGS][BATTERY_SPANS];
	float least, most; /* of the past */
	struct rung rungs[BATTERY_RUNGS];
};

enum battery_rc {
	BATTERY_TAKEN = 0,
	BATTERY_LATE = 1,     /* not after the newest: left out */
	BATTERY_REFUSED = -1, /* not finite or too large: left out */
};

struct battery_forecast {
	double value;     /* the mean over the horizon */
	double low, high; /* its interval */
	double error;     /* expected, absolute; NAN: not known yet */
	const char *method;
};

/* Values are within [low, high]; -HUGE_VAL and HUGE_VAL: any. */
void battery_init(struct battery *b, double low, double high);

/* Learn a value (clamped to the limits).  After a gap of several steps,
 * forecasts under way are dropped.  Late values and duplicates are left out;
 * after a few of them the clock was set back, and the battery follows. */
enum battery_rc battery_update(struct battery *b, double time_s, double value);

/* Find the mean over the horizon_s seconds from now_s, with an interval of
 * level, 0 < level < 1.  The time since the newest value counts as horizon too,
 * so that the interval widens with the age of the data.  -1: no value yet. */
int battery_forecast(const struct battery *b, double now_s, double horizon_s,
		     double level, struct battery_forecast *ret);

/* To evaluate intervals: whether the next value is within the interval of
 * ERRORS_LEVEL, 0 or 1; a fraction, if the value repeats itself exactly and an
 * end of the interval is within its probability. */
double battery_covered(const struct battery *b, double value);
