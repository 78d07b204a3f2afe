/* SPDX-License-Identifier: GPL-2.0-or-later */
/* splitmix.h - random numbers of a seed, the same everywhere
 *
 * The generator splitmix64 of G. L. Steele, D. Lea, C. H. Flood: Fast
 * Splittable Pseudorandom Number Generators, OOPSLA 2014, figure 17.  Its state
 * is the seed at first, of which any will do.  Not for secrets.
 */
#pragma once

#include <stdint.h>

static inline uint64_t splitmix_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* 0 <= number < 1 */
static inline double splitmix_unit(uint64_t *state)
{
	return (double)(splitmix_next(state) >> 11) * 0x1p-53;
}

/* 0 < number <= 1: it has a logarithm */
static inline double splitmix_inside(uint64_t *state)
{
	return ((double)(splitmix_next(state) >> 11) + 0.5) * 0x1p-53;
}
