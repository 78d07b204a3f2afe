/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sensors.c - the table of sensors, and when each is due */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "collectors/sensors/sensors.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"

static const struct sensor *const table[] = { &cpu_sensor, &memory_sensor,
					      NULL };

#define SENSORS (sizeof(table) / sizeof(*table) - 1)

struct sensors {
	double interval_s, measure_at_s;
	void *states[SENSORS];
	bool failing[SENSORS]; /* logged once, until it works again */
};

struct sensors *sensors_create(double interval_s)
{
	struct sensors *sensors = calloc(1, sizeof(*sensors));

	if (!sensors)
		return NULL;
	sensors->interval_s = interval_s;
	sensors->measure_at_s = clock_monotonic_s() + interval_s;
	for (size_t i = 0; i < SENSORS; i++) {
		sensors->states[i] = table[i]->create(interval_s);
		if (!sensors->states[i]) {
			sensors_destroy(sensors);
			return NULL;
		}
	}
	return sensors;
}

void sensors_destroy(struct sensors *sensors)
{
	if (!sensors)
		return;
	for (size_t i = 0; i < SENSORS; i++)
		if (sensors->states[i])
			table[i]->destroy(sensors->states[i]);
	free(sensors);
}

double sensors_at_s(const struct sensors *sensors)
{
	double at_s = sensors->measure_at_s;

	for (size_t i = 0; i < SENSORS; i++)
		if (table[i]->sample_at_s)
			at_s = fmin(at_s,
				    table[i]->sample_at_s(sensors->states[i]));
	return at_s;
}

static void error_note(struct sensors *sensors, size_t i, int rc,
		       const struct sp_error *err)
{
	if (rc && !sensors->failing[i])
		log_error("sensor %s: %s", table[i]->name, err->text);
	sensors->failing[i] = rc != 0;
}

int sensors_run(struct sensors *sensors, double now_s, sensors_job_fn *report,
		void *context, struct measurement *ret)
{
	struct sp_error err;

	for (size_t i = 0; i < SENSORS; i++)
		if (table[i]->sample &&
		    table[i]->sample_at_s(sensors->states[i]) <= now_s)
			error_note(sensors, i,
				   table[i]->sample(sensors->states[i], now_s,
						    report, context, &err),
				   &err);
	if (now_s < sensors->measure_at_s)
		return 0;
	ret->cpu_load = ret->cpu_available = ret->cpu_available_now = NAN;
	ret->cpu_correction = ret->cpu_speed = ret->memory_available_mb = NAN;
	ret->cpu_turn_s = ret->cpu_credit_s = NAN;
	ret->host = ret->host_nodes = NAN;
	for (size_t i = 0; i < SENSORS; i++)
		error_note(
			sensors, i,
			table[i]->measure(sensors->states[i], now_s, ret, &err),
			&err);
	/* After a long sleep the measurements that were missed stay missed. */
	sensors->measure_at_s =
		fmax(sensors->measure_at_s, now_s - sensors->interval_s) +
		sensors->interval_s;
	return 1;
}
