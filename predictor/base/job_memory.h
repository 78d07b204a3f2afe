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

#include "predictor/base/control_group.h"

/* In MiB; NAN: not known. */
struct job_memory {
	double resident_mb; /* sum over its processes; set by the sensor */
	double own_mb;      /* anonymous and shared memory */
	double mapped_mb; /* of files that processes have mapped, at least; the
			       sensor raises it */
	double cached_mb; /* most so far, with all pages of files that it
			       read; none before Linux 5.19 (v2) */
};

/* Keep the greater of each in *most. */
void job_memory_raise(struct job_memory *most, const struct job_memory *sample);

/* Find the folder of the group of the job that a process ("self", or its pid)
 * is in; empty: it is in none.  `root` stands before /proc and /sys; "" but for
 * tests. */
void job_memory_folder(const char *root, const char *process, uint32_t job_id,
		       char ret_path[CONTROL_GROUP_PATH_SIZE + 1]);

/* Read all but resident_mb from that folder. */
void job_memory_read(const char *folder, struct job_memory *ret);

/* Read cached_mb alone, for which the kernel need not sum up anything. */
double job_memory_most_mb(const char *folder);

extern const struct job_memory job_memory_unknown;
