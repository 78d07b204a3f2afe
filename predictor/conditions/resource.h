/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resource.h - one resource of a node over time
 *
 * The last samples as they were, and a battery that has learned from all of
 * them.  The battery knows how it will be from the newest sample on; for
 * moments before that, as when a run is heard of late, the samples are asked.
 */
#ifndef PREDICTOR_CONDITIONS_RESOURCE_H
#define PREDICTOR_CONDITIONS_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "predictor/forecast/battery.h"
#include "predictor/forecast/series.h"

/* Of the intervals that are told. */
#define RESOURCE_LEVEL 0.8

struct resource_forecast {
	double value;     /* mean over the horizon; NAN: not known */
	double low, high; /* 80 % interval */
	double error;     /* expected, absolute; NAN: none is known */
	const char *method;
};

/* Horizons are half powers of two of a step; longer ones than this say no more
 * than it does. */
#define RESOURCE_HORIZONS 22

struct resource {
	struct battery battery;
	struct series recent;
	double last_s;     /* time of the newest sample; -HUGE_VAL: none */
	double patience_s; /* the least expiry */

	/* Forecasts that were asked for since the newest sample: bit i of
	 * `asked` says that answers[i] is there. */
	uint32_t asked;
	struct {
		float value, low, high, error;
		const char *method;
	} answers[RESOURCE_HORIZONS];
};

/* Values are within [low, high].  A value says something for patience_s at
 * least. */
void resource_init(struct resource *r, double low, double high,
		   double patience_s);

enum resource_rc {
	RESOURCE_TAKEN,
	RESOURCE_LATE,     /* kept in its place, but nothing is learned */
	RESOURCE_SET_BACK, /* taken: the clock was set back before */
	RESOURCE_REFUSED,
};

/* Add a sample.  Late arrivals and duplicates teach nothing; when several come
 * in a row the clock was set back, and what seems to come after is dropped. */
enum resource_rc resource_add(struct resource *r, double time_s, double value);

/* Seconds after which a sample says nothing any more: the patience, or a few of
 * its usual steps if these are longer. */
double resource_expiry_s(const struct resource *r);

/* The mean over horizon_s from time_s on, from what was measured by then; all
 * NAN if that has expired.  Horizons are rounded up by less than half. */
void resource_forecast(struct resource *r, double time_s, double horizon_s,
		       struct resource_forecast *ret);

/* The newest value; NAN: none. */
double resource_newest(const struct resource *r);

/* --- Sensors that cannot be trusted ---------------------------------------- */

/* The same value again and again, where it used to change, and not one of its
 * limits, at which it may well stay. */
bool resource_sticks(const struct resource *r);

/* Of the last samples several stood far off both neighbours and the level. */
bool resource_jumps(const struct resource *r);

#endif
