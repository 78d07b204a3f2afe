/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sensors.h - the table of sensors, and when each is due
 *
 * A sensor may take samples more often than measurements are made; these
 * go into the next measurement.  A new sensor is one file and one row in
 * the table.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/base/job_memory.h"
#include "predictor/base/unused.h"
#include "predictor/features/measurement.h"

/* Receives the memory of running jobs, a by-product of samples. */
typedef void sensors_job_fn(void *context, uint32_t job_id,
			    const struct job_memory *sample);

struct sensor {
	const char *name;
	/* NULL: out of memory.  Measurements will come every `interval_s`. */
	void *(*create)(double interval_s);
	void (*destroy)(void *state);
	/* Take a sample, and when the next is due (monotonic clock); both may
	 * be NULL if measure() is enough. */
	int (*sample)(void *state, double now_s, sensors_job_fn *report,
		      void *context, struct sp_error *err);
	double (*sample_at_s)(const void *state);
	/* Fill in this sensor's part of a measurement. */
	int (*measure)(void *state, double now_s, struct measurement *into,
		       struct sp_error *err);
	const char *help;
};

extern const struct sensor cpu_sensor, memory_sensor;

struct sensors;

struct sensors *sensors_create(double interval_s);
void sensors_destroy(struct sensors *sensors);

/* When something is to be done next (monotonic clock). */
double sensors_at_s(const struct sensors *sensors);

/* Do what is due.  1: *ret holds a measurement, but for its node and time. */
int sensors_run(struct sensors *sensors, double now_s, sensors_job_fn *report,
		void *context, struct measurement *ret);
