/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash_mix.h - spread the bits of a 64-bit value */
#pragma once

#include <stdint.h>
#include <string.h>

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

/* The hash with `size` bytes mixed in, and `more` added after each word. */
static inline uint64_t hash_mix_bytes(uint64_t hash, uint64_t more,
				      const void *bytes, size_t size)
{
	const unsigned char *from = bytes;

	for (; size >= 8; size -= 8, from += 8) {
		uint64_t word;

		memcpy(&word, from, 8);
		hash = hash_mix(hash ^ word) + more;
	}
	if (size) {
		uint64_t word = 0;

		memcpy(&word, from, size);
		hash = hash_mix(hash ^ word) + more;
	}
	return hash;
}
