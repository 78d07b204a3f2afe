/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash_mix.h - spread the bits of a 64-bit value */
#pragma once

#include <stdint.h>

/* A bijection in which each bit of the result depends on all of x: the
 * finaliser "variant 13" of D. Stafford, Better Bit Mixing, 2011. */
static inline uint64_t hash_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebu;
	return x ^ x >> 31;
}
