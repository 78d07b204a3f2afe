/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_ends.h - ends of running jobs, in the caller's array
 *
 * Those that will be are a heap, for the next one; those that are planned are
 * in order.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The earliest is ends[0]; at the same time, that of the least job. */
struct job_end {
	double at_s;
	uint32_t job;
};

/* Add to ends[count], which has room for one more. */
void job_ends_push(struct job_end *ends, size_t count, struct job_end fresh);

/* Remove the earliest of ends[count], count > 0. */
struct job_end job_ends_pop(struct job_end *ends, size_t count);

struct planned_end {
	double at_s;
	uint32_t job, cpus;
};

/* Add to the sorted ends[count], which has room for one more. */
void planned_ends_insert(struct planned_end *ends, size_t count,
			 struct planned_end fresh);

/* Remove the end of a job that is among them. */
void planned_ends_remove(struct planned_end *ends, size_t count, uint32_t job);
