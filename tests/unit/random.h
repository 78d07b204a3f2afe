/* SPDX-License-Identifier: GPL-2.0-or-later */
/* random.h - random numbers that are the same in every run of a test
 *
 * splitmix64: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom
 * Number Generators, OOPSLA 2014, figure 17.
 */
#pragma once

#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *r)
{
	uint64_t z = (r->state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* 0 to below - 1 */
static inline uint64_t random_below(struct random *r, uint64_t below)
{
	return random_next(r) % below;
}

/* 0 <= number < 1 */
static inline double random_unit(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}
