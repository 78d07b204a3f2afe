/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_times.c - how busy the CPUs have been, as the kernel counts it */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "collectors/sensors/cpu_times.h"
#include "predictor/base/small_file.h"

int cpu_times_parse(const char *line, long ticks_per_s, double *ret_busy_s,
		    double *ret_steal_s)
{
	double user, nice, system, irq, softirq, steal = 0;

	/* Guests' time is part of user and nice. */
	if (sscanf(line, "cpu %lf %lf %lf %*f %*f %lf %lf %lf", &user, &nice,
		   &system, &irq, &softirq, &steal) < 5)
		return -1;
	*ret_busy_s =
		(user + nice + system + irq + softirq) / (double)ticks_per_s;
	*ret_steal_s = steal / (double)ticks_per_s;
	return 0;
}

double cpu_times_parse_pressure(const char *line)
{
	double total_us;

	if (sscanf(line, "some avg10=%*f avg60=%*f avg300=%*f total=%lf",
		   &total_us) != 1)
		return NAN;
	return total_us * 1e-6;
}

double cpu_times_group_s(const char *group)
{
	char line[128];
	double usage;

	if (small_file_line(group, "cpu.stat", line, sizeof(line)) == 0 &&
	    sscanf(line, "usage_usec %lf", &usage) == 1)
		return usage * 1e-6;
	if (small_file_line(group, "cpuacct.usage", line, sizeof(line)) == 0 &&
	    sscanf(line, "%lf", &usage) == 1)
		return usage * 1e-9;
	return NAN;
}

void cpu_times_read(const char *group, struct cpu_times *ret)
{
	char line[512];

	*ret = (struct cpu_times){ NAN, NAN, NAN, NAN };
	if (small_file_line("/proc", "stat", line, sizeof(line)) == 0)
		cpu_times_parse(line, sysconf(_SC_CLK_TCK),
				&ret->machine_busy_s, &ret->steal_s);
	ret->busy_s = *group ? cpu_times_group_s(group) : ret->machine_busy_s;
	/* Where a group has no pressure file, no process waits in it if none
	 * waits on the machine. */
	if ((*group &&
	     small_file_line(group, "cpu.pressure", line, sizeof(line)) == 0) ||
	    small_file_line("/proc/pressure", "cpu", line, sizeof(line)) == 0)
		ret->waiting_s = cpu_times_parse_pressure(line);
}
