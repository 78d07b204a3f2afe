/* SPDX-License-Identifier: GPL-2.0-or-later */
/* battery.c - forecast of a resource from a battery of methods
 *
 * With each value: is its time in order (gaps, late values, a clock set back);
 * each rung's forecasts that end now are judged; methods learn; rungs that are
 * due remember a new forecast.  A forecast combines the methods at the two
 * rungs about its horizon (rung.c), and interpolates; its interval is of
 * quantiles of past errors (errors.c).
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "predictor/forecast/battery.h"

const int battery_steps[BATTERY_RUNGS] = {
	1, 2, 5, 10, 30, 60, 120, 360, 1080
};

/* Forecasts under way are dropped after this many steps without a value. */
#define GAP_STEPS 3.0
#define GAPS_MAX  3 /* in a row: this is the new step */
#define LATE_MAX  5 /* in a row, in order: the clock was set back */
#define STEP_GAIN 0.05
/* With few values, the range of possible ones is wider than that seen. */
#define FEW  8.0F
#define MANY 20.0F
/* In mean errors: rarely exceeded. */
#define FAR_ERRORS 2.5

#define SMOOTHING(gain_, name_)                                           \
	{                                                                 \
		.name = name_, .help = "exponential smoothing",           \
		.size = sizeof(struct running_level), .parameter = gain_, \
		.update = smoothing_update, .forecast = running_forecast  \
	}

const struct forecaster battery_methods[] = {
	{ "last", .help = "the last value", .forecast = last_forecast },
	SMOOTHING(0.5, "smoothing-0.5"),
	SMOOTHING(0.3, "smoothing-0.3"),
	SMOOTHING(0.1, "smoothing-0.1"),
	SMOOTHING(0.05, "smoothing-0.05"),
	SMOOTHING(0.02, "smoothing-0.02"),
	{ "running-mean", .help = "mean of all values",
	  .size = sizeof(struct running_level), .update = running_mean_update,
	  .forecast = running_forecast },
	{ "running-median", .help = "median of all values, tracked",
	  .size = sizeof(struct running_level), .update = running_median_update,
	  .forecast = running_forecast },
	{ "median-5", .help = "median of the last 5", .window = PAST_5,
	  .forecast = median_forecast },
	{ "median-10", .help = "median of the last 10", .window = PAST_10,
	  .forecast = median_forecast },
	{ "median-31", .help = "median of the last 31", .window = PAST_31,
	  .forecast = median_forecast },
	{ "median-51", .help = "median of the last 51", .window = PAST_51,
	  .forecast = median_forecast },
	{ "trimmed-31", .help = "mean of the last 31 without 30 % at each end",
	  .parameter = 0.3, .window = PAST_31, .forecast = trimmed_forecast },
	{ "clipped", .help = "the last value, near the median of 5",
	  .parameter = 1, .forecast = clipped_forecast },
	{ "since-change", .help = "mean since the level changed",
	  .size = sizeof(struct restart), .update = restart_update,
	  .forecast = restart_forecast },
	{ "trend", .help = "level and damped trend (Holt)",
	  .size = sizeof(struct running_level), .update = trend_update,
	  .forecast = trend_forecast },
	{ "autoregression", .help = "from the last 4, by least squares",
	  .size = sizeof(struct autoregression),
	  .update = autoregression_update,
	  .forecast = autoregression_forecast },
	{ "analog-2", .help = "what followed two values like these",
	  .window = 2, .forecast = analog_forecast },
	{ "analog-4", .help = "what followed four values like these",
	  .window = 4, .forecast = analog_forecast },
	{ "period", .help = "the value of one period ago",
	  .size = sizeof(struct period), .update = period_update,
	  .forecast = period_forecast },
	{ .name = NULL },
};

#define METHODS \
	((int)(sizeof(battery_methods) / sizeof(battery_methods[0])) - 1)

/* Methods of a rung alone come after those of all. */
static const char *const span_names[BATTERY_SPANS] = { "mean-1h", "mean-2h" };

_Static_assert(sizeof(battery_methods) / sizeof(battery_methods[0]) - 1 +
			       BATTERY_SPANS <=
		       RUNG_METHODS_MAX,
	       "room for all methods");

static const char *method_name(int method)
{
	return method < METHODS ? battery_methods[method].name
				: span_names[method - METHODS];
}

void battery_init(struct battery *b, double low, double high)
{
	size_t room = 0;

	for (int i = 0; i < METHODS; i++)
		room += forecaster_room(&battery_methods[i]);
	assert(room <= sizeof(b->states));
	(void)room;
	memset(b, 0, sizeof(*b));
	b->low = low;
	b->high = high;
	for (int i = 0; i < BATTERY_RUNGS; i++)
		rung_init(&b->rungs[i], battery_steps[i]);
}

/* --- Time ----------------------------------------------------------------- */

static void interrupt_rungs(struct battery *b)
{
	for (int i = 0; i < BATTERY_RUNGS; i++)
		rung_interrupt(&b->rungs[i]);
}

/* True: the clock was set back. */
static int accept_late(struct battery *b, double time_s)
{
	b->late = b->late && time_s > b->late_s ? b->late + 1 : 1;
	b->late_s = time_s;
	if (b->late < LATE_MAX)
		return 0;
	interrupt_rungs(b);
	return 1;
}

static void accept_gap(struct battery *b, double gap_s)
{
	if (b->step_s > 0 && gap_s > GAP_STEPS * b->step_s) {
		interrupt_rungs(b);
		if (++b->gaps < GAPS_MAX)
			return;
		b->steps_seen = 0;
	}
	b->gaps = 0;
	b->steps_seen++;

	double gain = fmax(STEP_GAIN, 1.0 / b->steps_seen);

	b->step_s += gain * (gap_s - b->step_s);
}

static int accept_time(struct battery *b, double time_s)
{
	if (b->past.count && time_s <= b->time_s) {
		if (!accept_late(b, time_s))
			return 0;
	} else if (b->past.count) {
		accept_gap(b, time_s - b->time_s);
	}
	b->late = 0;
	b->time_s = time_s;
	return 1;
}

/* --- Values --------------------------------------------------------------- */

static void update_methods(struct battery *b, double value)
{
	double *state = b->states;

	for (int i = 0; i < METHODS; i++) {
		const struct forecaster *f = &battery_methods[i];

		if (f->update)
			f->update(f, state, &b->past, value);
		state += forecaster_room(f) / sizeof(*state);
	}
	for (int i = 0; i < BATTERY_RUNGS; i++) {
		for (int j = 0; j < BATTERY_SPANS; j++) {
			double gain =
				fmax(2.0 / (1 + battery_steps[i] * (j + 1)),
				     1.0 / (1 + (double)b->past.seen));

			b->spans[i][j] += gain * (value - b->spans[i][j]);
		}
	}
}

static double clamp_value(const struct battery *b, double value)
{
	return fmin(b->high, fmax(b->low, value));
}

static void forecast_methods(struct battery *b)
{
	const double *state = b->states;

	for (int i = 0; i < METHODS; i++) {
		const struct forecaster *f = &battery_methods[i];

		b->forecasts[i] =
			(float)clamp_value(b, f->forecast(f, state, &b->past));
		state += forecaster_room(f) / sizeof(*state);
	}
	b->least = b->most = b->past.values[0];
	for (int i = 1; i < b->past.count; i++) {
		float value = b->past.values[i];

		b->least = value < b->least ? value : b->least;
		b->most = value > b->most ? value : b->most;
	}
}

static double mean_error(const struct rung *rung)
{
	return (double)(rung->loss / rung->weight);
}

/* Return the power of time with which errors grow, from the rung before
 * to this: 0 where a series returns to its mean, at most 1/2 as for a
 * random walk. */
static double error_growth(const struct battery *b, int rung)
{
	if (rung == 0)
		return 0.5;

	double shorter = mean_error(&b->rungs[rung - 1]);
	double error = mean_error(&b->rungs[rung]);

	if (!(shorter > 0))
		return 0.5;

	double power = log(error / shorter) / log((double)battery_steps[rung] /
						  battery_steps[rung - 1]);

	return fmin(0.5, fmax(0, power));
}

/* Return an error that is rarely exceeded: for one step the range of values
 * seen.  A mean over many is nearer to its forecast: while a rung has few
 * errors of its own, it is extrapolated from a shorter one. */
static double error_bound(const struct battery *b, int rung, double value)
{
	double most = fmax((double)b->most - value, value - (double)b->least);
	int known = rung;

	if (b->past.seen <= 1)
		return isfinite(b->low) && isfinite(b->high) ? b->high - b->low
							     : fabs(value);
	most = fmax(0, most) * (1 + (double)FEW / b->past.seen);
	while (known > 0 && b->rungs[known].weight < FEW)
		known--;
	if (rung == 0 || b->rungs[rung].weight >= MANY ||
	    b->rungs[known].weight < FEW)
		return most;

	double longer = (double)battery_steps[rung] / battery_steps[known];

	return fmin(most, FAR_ERRORS * mean_error(&b->rungs[known]) *
				  pow(longer, error_growth(b, known)));
}

/* Forecasts of all methods at a rung, and their combination. */
static void combine_methods(const struct battery *b, int rung,
			    float *ret_forecasts, struct rung_forecast *ret)
{
	memcpy(ret_forecasts, b->forecasts, METHODS * sizeof(*ret_forecasts));
	for (int j = 0; j < BATTERY_SPANS; j++)
		ret_forecasts[METHODS + j] = (float)b->spans[rung][j];
	rung_forecast(&b->rungs[rung], ret_forecasts, METHODS + BATTERY_SPANS,
		      ret);
}

static void remember_forecast(struct battery *b, int rung)
{
	float forecasts[RUNG_METHODS_MAX];
	struct rung_forecast made;

	if (!rung_due(&b->rungs[rung]))
		return;
	combine_methods(b, rung, forecasts, &made);
	rung_remember(&b->rungs[rung], forecasts, METHODS + BATTERY_SPANS,
		      &made, error_bound(b, rung, made.value));
}

enum battery_rc battery_update(struct battery *b, double time_s, double value)
{
	if (!isfinite(time_s) || !isfinite(value) || fabs(value) > FLT_MAX)
		return BATTERY_REFUSED;
	if (!accept_time(b, time_s))
		return BATTERY_LATE;
	value = (double)(float)clamp_value(b, value);
	for (int i = 0; i < BATTERY_RUNGS; i++)
		rung_learn(&b->rungs[i], value, METHODS + BATTERY_SPANS);
	update_methods(b, value);
	past_add(&b->past, (float)value);
	forecast_methods(b);
	for (int i = 0; i < BATTERY_RUNGS; i++)
		remember_forecast(b, i);
	return BATTERY_TAKEN;
}

/* --- Forecasts ------------------------------------------------------------ */

static void forecast_rung(const struct battery *b, int rung, double level,
			  struct battery_forecast *ret)
{
	float forecasts[RUNG_METHODS_MAX];
	struct rung_forecast made;
	double below, above;

	combine_methods(b, rung, forecasts, &made);
	errors_interval(&b->rungs[rung].errors, level,
			error_bound(b, rung, made.value), &below, &above);
	*ret = (struct battery_forecast){
		.value = made.value,
		.low = clamp_value(b, made.value + below),
		.high = clamp_value(b, made.value + above),
		.error = made.error,
		.method = method_name(made.method),
	};
}

static double interpolate(double a, double b, double share)
{
	return a + share * (b - a);
}

int battery_forecast(const struct battery *b, double now_s, double horizon_s,
		     double level, struct battery_forecast *ret)
{
	if (!b->past.count)
		return -1;

	double ahead_s = fmax(0, now_s - b->time_s) + fmax(0, horizon_s);
	double steps = b->step_s > 0 ? fmax(1, ahead_s / b->step_s) : 1;
	int rung = 0;

	while (rung < BATTERY_RUNGS - 1 && battery_steps[rung + 1] <= steps)
		rung++;
	forecast_rung(b, rung, level, ret);
	if (rung == BATTERY_RUNGS - 1 || steps <= battery_steps[rung])
		return 0;

	struct battery_forecast next;
	double share =
		log(steps / battery_steps[rung]) /
		log((double)battery_steps[rung + 1] / battery_steps[rung]);

	forecast_rung(b, rung + 1, level, &next);
	ret->value = interpolate(ret->value, next.value, share);
	ret->low = interpolate(ret->low, next.low, share);
	ret->high = interpolate(ret->high, next.high, share);
	if (isfinite(next.error))
		ret->error = interpolate(ret->error, next.error, share);
	return 0;
}

double battery_covered(const struct battery *b, double value)
{
	float forecasts[RUNG_METHODS_MAX];
	struct rung_forecast made;

	if (!b->past.count)
		return 0;
	combine_methods(b, 0, forecasts, &made);
	return errors_covered(&b->rungs[0].errors,
			      (double)(float)(value) -
				      (double)(float)made.value,
			      error_bound(b, 0, made.value));
}
