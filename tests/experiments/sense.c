/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sense.c - what collectord's sensors say of this node
 *
 * usage: sense INTERVAL
 *
 * Prints a line per measurement, as collectord would send it, until it
 * is ended:
 *
 *	TIME LOAD AVAILABLE AVAILABLE_NOW CORRECTION SPEED MEMORY_MB COST
 *
 * COST is the CPU time that all of it has taken so far, per time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "collectors/sensors/sensors.h"
#include "predictor/base/clock.h"

static void ignore_job(void *context, uint32_t job_id,
		       const struct job_memory *sample)
{
	(void)context;
	(void)job_id;
	(void)sample;
}

static double used_s(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void sleep_s(double s)
{
	struct timespec time = { (time_t)s, (long)(fmod(s, 1) * 1e9) };

	if (s > 0)
		nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
	double interval_s = argc == 2 ? strtod(argv[1], NULL) : 0;
	double begun_s = clock_monotonic_s(), begun_used_s = used_s();
	struct sensors *sensors;

	if (!(interval_s >= 0.1 && interval_s <= 3600)) {
		fprintf(stderr, "usage: sense INTERVAL\n");
		return 2;
	}
	sensors = sensors_create(interval_s);
	if (!sensors) {
		fprintf(stderr, "sense: out of memory\n");
		return 1;
	}
	for (;;) {
		double now_s = clock_monotonic_s();
		struct measurement m;

		if (sensors_run(sensors, now_s, ignore_job, NULL, &m)) {
			printf("%.3f %.3f %.4f %.4f %.3f %.3f %.0f %.6f\n",
			       clock_now_s(), m.cpu_load, m.cpu_available,
			       m.cpu_available_now, m.cpu_correction,
			       m.cpu_speed, m.memory_available_mb,
			       (used_s() - begun_used_s) / (now_s - begun_s));
			if (fflush(stdout))
				break;
		}
		sleep_s(sensors_at_s(sensors) - clock_monotonic_s());
	}
	sensors_destroy(sensors);
	return 1;
}
