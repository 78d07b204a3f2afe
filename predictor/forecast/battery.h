/* battery.h - how a resource will be, from how it has been
 *
 * A battery watches one series and forecasts its mean from now over any
 * horizon, with an interval, the error to expect and the method that was
 * believed most.  It is a fixed piece of memory with nothing behind it, may be
 * copied, and allocates nothing.
 *
 * Horizons are learned at a ladder of steps, a step being the usual time
 * between measurements; between two rungs what they say is interpolated, and
 * beyond the last one nothing more is known than there.
 */
#ifndef PREDICTOR_FORECAST_BATTERY_H
#define PREDICTOR_FORECAST_BATTERY_H

#include <stddef.h>

#include "predictor/forecast/forecaster.h"
#include "predictor/forecast/rung.h"

#define BATTERY_RUNGS  9
#define BATTERY_SPANS  2   /* means over as long as the horizon, and twice */
#define BATTERY_STATES 128 /* doubles; battery_init() asserts that they do */

extern const struct forecaster battery_methods[]; /* ends without a name */
extern const int battery_steps[BATTERY_RUNGS];

struct battery {
	double low, high; /* no value is below or above */

	/* Time. */
	double time_s; /* of the newest value */
	double step_s; /* 0: not known yet */
	int steps_seen;
	int gaps;      /* in a row */
	int late;      /* in a row, each after the one before */
	double late_s; /* the last of them */

	struct past past;
	double states[BATTERY_STATES];
	float forecasts[RUNG_METHODS_MAX]; /* of the methods, as of now */
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
	double error;     /* expected, absolute; NAN: none is known yet */
	const char *method;
};

/* Values are within [low, high]; -HUGE_VAL and HUGE_VAL: any. */
void battery_init(struct battery *b, double low, double high);

/* Learn a value (clamped to the limits).  After a gap of several steps what
 * was under way is not judged.  Late arrivals and duplicates are left out;
 * when the clock was set back, the battery follows after a few of them. */
enum battery_rc battery_update(struct battery *b, double time_s, double value);

/* The mean over the horizon_s seconds from now_s, with an interval of level,
 * 0 < level < 1.  The time since the newest value counts as horizon too, so
 * that the interval is that of an older forecast.  -1: no value was seen. */
int battery_forecast(const struct battery *b, double now_s, double horizon_s,
		     double level, struct battery_forecast *ret);

/* For judging intervals: how much of the next value lay within its interval of
 * ERRORS_LEVEL: 0 or 1, and a share where the value is one that repeats itself
 * exactly and the interval's end is within its probability. */
double battery_covered(const struct battery *b, double value);

#endif
