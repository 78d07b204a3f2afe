/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_times.h - CPU time of the machine or a control group
 *
 * Of the whole machine from /proc/stat: user, nice, system and interrupts are
 * busy; idle and iowait are not, since a process that waits for a disk leaves
 * the CPU to others; steal is time that the hypervisor gave to other machines
 * while ours had work.  Those of a control group are from its cpu.stat (v2) or
 * cpuacct.usage (v1).
 */
#pragma once

/* Counters in seconds, from an arbitrary start; NAN: not available. */
struct cpu_times {
	double busy_s; /* CPU time */
	double machine_busy_s, steal_s;
	double waiting_s; /* real time in which anybody waited for a CPU: PSI's
			     "some" */
};

/* Read the times of the group in that folder, or of the machine if it
 * is empty. */
void cpu_times_read(const char *group, struct cpu_times *ret);

/* CPU time of the group in that folder alone. */
double cpu_times_group_s(const char *group);

/* Parse the first line of /proc/stat; 0 if it was understood. */
int cpu_times_parse(const char *line, long ticks_per_s, double *ret_busy_s,
		    double *ret_steal_s);

/* The first line of a pressure file; NAN if it was not understood. */
double cpu_times_parse_pressure(const char *line);
