/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_ends.h - the next end of a running job: a heap in the caller's array */
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
