/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resource.h - one resource of a node over time
 *
 * The last samples, and a battery of forecasters that has learned from all of
 * them. The battery forecasts from the newest sample on; for earlier times, as
 * when a run is reported late, a mean of the samples is taken.
 */
#pragma once

#include <stdint.h>

#include "predictor/forecast/battery.h"
#include "predictor/forecast/series.h"

/* Coverage of the intervals. */
#define RESOURCE_LEVEL 0.8

struct resource_forecast {
	double value;     /* mean over the horizon; NAN: not known */
	double low, high; /* 80 % interval */
	double error;     /* expected, absolute; NAN: none is known */
	const char *method;
};

/* Horizons are half powers of two of a step; longer ones are forecast as
 * the longest. */
#define RESOURCE_HORIZONS 22

struct resource {
	struct battery battery;
	struct series recent;
	double last_s; /* time of the newest sample; -HUGE_VAL: none */
	double expiry_min_s;

	/* Forecasts made since the newest sample: bit i of known_horizons is
	 * set if forecasts[i] is valid. */
	uint32_t known_horizons;
	struct {
		float value, low, high, error;
		const char *method;
	} forecasts[RESOURCE_HORIZONS];
};

/* Values are within [low, high].  A value is valid for expiry_min_s at
 * least. */
void resource_init(struct resource *r, double low, double high,
		   double expiry_min_s);

enum resource_rc {
	RESOURCE_TAKEN,
	RESOURCE_LATE,     /* kept in its place, but not learned from */
	RESOURCE_SET_BACK, /* taken: the clock was set back before */
	RESOURCE_REFUSED,
};

/* Add a sample.  Late samples and duplicates are not learned from;
 * several in a row mean that the clock was set back: samples with later
 * times are dropped. */
enum resource_rc resource_add(struct resource *r, double time_s, double value);

/* Return the seconds after which a sample expires: expiry_min_s, or a few of
 * its usual steps if these are longer. */
double resource_expiry_s(const struct resource *r);

/* Find the mean over horizon_s from time_s on, from what was measured by then;
 * all NAN if that has expired.  Horizons are rounded up by less than half. */
void resource_forecast(struct resource *r, double time_s, double horizon_s,
		       struct resource_forecast *ret);

/* Return the newest value; NAN: none. */
double resource_newest(const struct resource *r);

/* --- Sensors that cannot be trusted --------------------------------------- */

/* The same value again and again, where it used to change, and not one of its
 * limits, at which it may well stay. */
bool resource_is_stuck(const struct resource *r);

/* Return whether several of the last samples stood far off both neighbours and
 * the level. */
bool resource_jumps(const struct resource *r);
