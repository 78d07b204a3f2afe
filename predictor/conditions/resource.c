/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resource.c - one resource of a node over time
 *
 * A forecast from the newest sample on is the battery's, made once for each
 * horizon and kept until the next sample; one for an earlier time is a mean of
 * the kept samples.  The last part recognises sensors that are stuck or jump.
 */
#include <math.h>
#include <string.h>

#include "predictor/conditions/resource.h"

/* For past times: three samples smooth the noise of one. */
#define PAST_SAMPLES 3
#define PAST_SPAN_S  15

#define EXPIRY_STEPS 4.0
#define EXPIRY_MAX_S (2 * 86400.0)

void resource_init(struct resource *r, double low, double high,
		   double expiry_min_s)
{
	memset(r, 0, sizeof(*r));
	battery_init(&r->battery, low, high);
	r->last_s = -HUGE_VAL;
	r->expiry_min_s = expiry_min_s;
}

enum resource_rc resource_add(struct resource *r, double time_s, double value)
{
	bool back = time_s <= r->last_s;

	switch (battery_update(&r->battery, time_s, value)) {
	case BATTERY_REFUSED:
		return RESOURCE_REFUSED;
	case BATTERY_LATE:
		series_add(&r->recent, time_s, value);
		return RESOURCE_LATE;
	case BATTERY_TAKEN:
		break;
	}
	r->known_horizons = 0;
	r->last_s = time_s;
	if (back)
		series_forget_after(&r->recent, time_s);
	series_add(&r->recent, time_s, value);
	return back ? RESOURCE_SET_BACK : RESOURCE_TAKEN;
}

double resource_expiry_s(const struct resource *r)
{
	return fmin(EXPIRY_MAX_S,
		    fmax(r->expiry_min_s, EXPIRY_STEPS * r->battery.step_s));
}

static const struct resource_forecast forecast_unknown = { NAN, NAN, NAN, NAN,
							   "" };

/* At a time before the newest sample. */
static void past_forecast(const struct resource *r, double time_s,
			  struct resource_forecast *ret)
{
	const struct series_window window = {
		.samples = PAST_SAMPLES,
		.span_s = fmax(PAST_SPAN_S, 3 * r->battery.step_s),
		.expiry_s = resource_expiry_s(r),
	};

	*ret = forecast_unknown;
	ret->value = series_forecast(&r->recent, time_s, &window);
	if (!isnan(ret->value))
		ret->method = "measured";
}

static int horizon_of(const struct resource *r, double ahead_s)
{
	double steps = r->battery.step_s > 0 ? ahead_s / r->battery.step_s : 0;

	if (!(steps > 1))
		return 0;
	return (int)fmin(RESOURCE_HORIZONS - 1, ceil(2 * log2(steps)));
}

static void forecast_make(struct resource *r, int horizon)
{
	struct battery_forecast f;

	battery_forecast(&r->battery, r->last_s,
			 r->battery.step_s * exp2(horizon / 2.0),
			 RESOURCE_LEVEL, &f);
	r->forecasts[horizon].value = (float)f.value;
	r->forecasts[horizon].low = (float)f.low;
	r->forecasts[horizon].high = (float)f.high;
	r->forecasts[horizon].error = (float)f.error;
	r->forecasts[horizon].method = f.method;
	r->known_horizons |= 1U << horizon;
}

void resource_forecast(struct resource *r, double time_s, double horizon_s,
		       struct resource_forecast *ret)
{
	if (time_s < r->last_s) {
		past_forecast(r, time_s, ret);
		return;
	}

	double age_s = time_s - r->last_s;

	if (!(age_s <= resource_expiry_s(r))) {
		*ret = forecast_unknown;
		return;
	}

	int horizon = horizon_of(r, age_s + fmax(0, horizon_s));

	if (!(r->known_horizons & 1U << horizon))
		forecast_make(r, horizon);
	*ret = (struct resource_forecast){
		.value = (double)r->forecasts[horizon].value,
		.low = (double)r->forecasts[horizon].low,
		.high = (double)r->forecasts[horizon].high,
		.error = (double)r->forecasts[horizon].error,
		.method = r->forecasts[horizon].method,
	};
}

double resource_newest(const struct resource *r)
{
	const struct series *s = &r->recent;

	return s->count ? (double)series_value(s, s->count - 1) : NAN;
}

/* --- Sensors that cannot be trusted --------------------------------------- */

/* Samples without any change; at five seconds five minutes. */
#define STUCK_SAMPLES 60

bool resource_is_stuck(const struct resource *r)
{
	const struct series *s = &r->recent;

	if (s->count <= STUCK_SAMPLES)
		return false;

	float newest = series_value(s, s->count - 1);

	if ((double)newest <= r->battery.low ||
	    (double)newest >= r->battery.high)
		return false;
	for (int i = 0; i < STUCK_SAMPLES; i++)
		if (series_value(s, s->count - 1 - i) != newest)
			return false;
	/* A constant is not stuck. */
	for (int i = s->count - 1 - STUCK_SAMPLES; i >= 0; i--)
		if (series_value(s, i) != newest)
			return true;
	return false;
}

#define JUMP_SAMPLES 40
#define JUMPS_MAX    3
/* Off by this many mean changes, and by a fifth of the level. */
#define JUMP_CHANGES 6.0
#define JUMP_SHARE   0.2

/* Return the median: changes that a spike makes do not count. */
static double usual_change(const struct series *s, int from)
{
	double changes[JUMP_SAMPLES];
	int count = 0;

	for (int i = from + 1; i < s->count; i++) {
		double change = fabs((double)series_value(s, i) -
				     (double)series_value(s, i - 1));
		int at = count++;

		for (; at > 0 && changes[at - 1] > change; at--)
			changes[at] = changes[at - 1];
		changes[at] = change;
	}
	return count ? changes[count / 2] : 0;
}

bool resource_jumps(const struct resource *r)
{
	const struct series *s = &r->recent;
	int from = s->count > JUMP_SAMPLES ? s->count - JUMP_SAMPLES : 0;
	double usual = usual_change(s, from);
	int jumps = 0;

	for (int i = from + 1; i + 1 < s->count; i++) {
		double before = (double)series_value(s, i - 1);
		double here = (double)series_value(s, i);
		double after = (double)series_value(s, i + 1);
		double off = fmin(fabs(here - before), fabs(here - after));
		double level = fmax(fabs(before), fabs(after));

		if ((here - before) * (here - after) > 0 &&
		    off > JUMP_CHANGES * usual &&
		    off > JUMP_SHARE * fmax(level, fabs(here)))
			jumps++;
	}
	return jumps >= JUMPS_MAX;
}
