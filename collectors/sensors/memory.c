/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c - memory available to new processes
 *
 * The kernel's own estimate, MemAvailable: free pages, and those of caches that
 * it would give up without swapping.  It is the whole machine's, also where a
 * control group allows less.
 */
#include <stdio.h>

#include "collectors/sensors/sensors.h"

static void *memory_create(double interval_s UNUSED)
{
	static int nothing;

	return &nothing;
}

static void memory_destroy(void *state UNUSED)
{
}

static int memory_measure(void *state UNUSED, double now_s UNUSED,
			  struct measurement *into, struct sp_error *err)
{
	FILE *file = fopen("/proc/meminfo", "re");
	char line[128];
	double kb = -1;

	while (file && kb < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %lf kB", &kb) != 1)
			kb = -1;
	if (file)
		fclose(file);
	if (!(kb >= 0))
		return sp_error_set(err, "/proc/meminfo has no MemAvailable");
	into->memory_available_mb = kb / 1024;
	return 0;
}

const struct sensor memory_sensor = {
	.name = "memory",
	.create = memory_create,
	.destroy = memory_destroy,
	.measure = memory_measure,
	.help = "memory available to new processes",
};
