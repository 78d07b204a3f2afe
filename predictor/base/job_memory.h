/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_memory.h - the memory of a job on this node, from its control group
 *
 * Slurm puts the processes of a job into a group job_ID where it limits or
 * counts memory by groups (task/cgroup with ConstrainRAMSpace=yes,
 * jobacct_gather/cgroup).  Memory that several processes share counts there
 * once, and pages of files are counted apart.
 */
#pragma once

#include <stdint.h>

/* In MiB; NAN: not known. */
struct job_memory {
	double resident_mb; /* sum over its processes; set by the sensor */
	double own_mb;      /* anonymous and shared memory */
	double mapped_mb;   /* of files that processes have mapped; the sensor
			       raises it */
	double cached_mb;   /* most so far, with all pages of files that it
			       read; none before Linux 5.19 (v2) */
};

/* Keep the greater of each in *most. */
void job_memory_raise(struct job_memory *most, const struct job_memory *sample);

/* Read all but resident_mb from the group of the job that a process ("self",
 * or its pid) is in.  -1: it is in none with memory, and *ret is all NAN.
 * `root` stands before /proc and /sys; "" but for tests. */
int job_memory_read(const char *root, const char *process, uint32_t job_id,
		    struct job_memory *ret);

extern const struct job_memory job_memory_unknown;
