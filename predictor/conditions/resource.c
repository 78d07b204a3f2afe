/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resource.c - one resource of a node over time */
#include <math.h>
#include <string.h>

#include "predictor/conditions/resource.h"

/* Of moments that are past: three samples smooth the noise of one. */
#define PAST_SAMPLES 3
#define PAST_SPAN_S  15

#define EXPIRY_STEPS 4.0
#define EXPIRY_MAX_S (2 * 86400.0)

void resource_init(struct resource *r, double low, double high,
		   double patience_s)
{
	memset(r, 0, sizeof(*r));
	battery_init(&r->battery, low, high);
	r->last_s = -HUGE_VAL;
	r->patience_s = patience_s;
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
	r->asked = 0;
	r->last_s = time_s;
	if (back)
		series_forget_after(&r->recent, time_s);
	series_add(&r->recent, time_s, value);
	return back ? RESOURCE_SET_BACK : RESOURCE_TAKEN;
}

double resource_expiry_s(const struct resource *r)
{
	return fmin(EXPIRY_MAX_S,
		    fmax(r->patience_s, EXPIRY_STEPS * r->battery.step_s));
}

static const struct resource_forecast unknown = { NAN, NAN, NAN, NAN, "" };

/* As of a moment that is before the newest sample. */
static void look_back(const struct resource *r, double time_s,
		      struct resource_forecast *ret)
{
	const struct series_window window = {
		.samples = PAST_SAMPLES,
		.span_s = fmax(PAST_SPAN_S, 3 * r->battery.step_s),
		.expiry_s = resource_expiry_s(r),
	};

	*ret = unknown;
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

static void ask(struct resource *r, int horizon)
{
	struct battery_forecast f;

	battery_forecast(&r->battery, r->last_s,
			 r->battery.step_s * exp2(horizon / 2.0),
			 RESOURCE_LEVEL, &f);
	r->answers[horizon].value = (float)f.value;
	r->answers[horizon].low = (float)f.low;
	r->answers[horizon].high = (float)f.high;
	r->answers[horizon].error = (float)f.error;
	r->answers[horizon].method = f.method;
	r->asked |= 1U << horizon;
}

void resource_forecast(struct resource *r, double time_s, double horizon_s,
		       struct resource_forecast *ret)
{
	if (time_s < r->last_s) {
		look_back(r, time_s, ret);
		return;
	}

	double age_s = time_s - r->last_s;

	if (!(age_s <= resource_expiry_s(r))) {
		*ret = unknown;
		return;
	}

	int horizon = horizon_of(r, age_s + fmax(0, horizon_s));

	if (!(r->asked & 1U << horizon))
		ask(r, horizon);
	*ret = (struct resource_forecast){
		.value = (double)r->answers[horizon].value,
		.low = (double)r->answers[horizon].low,
		.high = (double)r->answers[horizon].high,
		.error = (double)r->answers[horizon].error,
		.method = r->answers[horizon].method,
	};
}

double resource_newest(const struct resource *r)
{
	const struct series *s = &r->recent;

	return s->count ? (double)series_value(s, s->count - 1) : NAN;
}

/* --- Sensors that cannot be trusted ---------------------------------------- */

/* So many samples without any change; at five seconds five minutes. */
#define STUCK_SAMPLES 60

bool resource_sticks(const struct resource *r)
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
	/* What has always been so does not stick. */
	for (int i = s->count - 1 - STUCK_SAMPLES; i >= 0; i--)
		if (series_value(s, i) != newest)
			return true;
	return false;
}

#define JUMP_SAMPLES 40
#define JUMPS_MAX    3
/* Off by so many mean changes, and by a fifth of what the level is. */
#define JUMP_CHANGES 6.0
#define JUMP_SHARE   0.2

/* Changes that a spike makes are not counted: the median of them is. */
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
