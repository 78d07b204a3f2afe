/* SPDX-License-Identifier: GPL-2.0-or-later */
/* free_cpus.h - how many CPUs are planned to be free, over time
 *
 * What a backfilling scheduler looks at: a step function, from now on.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct free_step {
	double from_s;
	uint32_t cpus;
};

struct free_cpus {
	size_t count;            /* at least 1 after free_cpus_begin() */
	struct free_step *steps; /* the caller's */
};

/* Steps that are needed: one, one for each release, two for each take. */
void free_cpus_begin(struct free_cpus *f, double now_s, uint32_t cpus);

/* Add CPUs that become free at at_s. Called in the order of at_s, before
 * any take. */
void free_cpus_release(struct free_cpus *f, double at_s, uint32_t cpus);

/* Return the first time from which `cpus` CPUs are free for length_s;
 * HUGE_VAL: never. */
double free_cpus_find(const struct free_cpus *f, uint32_t cpus,
		      double length_s);

/* Take them away from a time that was found. */
void free_cpus_take(struct free_cpus *f, double from_s, double length_s,
		    uint32_t cpus);
