/* SPDX-License-Identifier: GPL-2.0-or-later */
/* index.h - hash table of positions in the caller's array
 *
 * Open addressing with linear probing; the caller compares the elements.
 * Hashes have a random seed in each process, so that users cannot make names of
 * jobs or applications collide.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX /* no position */

struct index {
	uint32_t count;
	uint32_t capacity; /* a power of two, or 0 */
	struct index_slot *slots;
};

/* Hash `size` bytes; `chain` is the hash of what comes before them, or 0. */
uint64_t index_hash(uint64_t chain, const void *bytes, size_t size);
uint64_t index_hash_text(uint64_t chain, const char *text);
uint64_t index_hash_number(uint64_t number);

/* Whether the element at `position` is the wanted one. */
typedef bool index_same_fn(const void *context, uint32_t position);

/* Return INDEX_NONE if it is not there.  `same` is NULL where elements differ
 * in their hashes: random numbers, and keys of one size of at most 8 bytes. */
uint32_t index_find(const struct index *index, uint64_t hash,
		    index_same_fn *same, const void *context);

/* Make room for one more; -1: out of memory, nothing changed. */
int index_reserve(struct index *index);

/* Add an element that is not there yet.  Never fails after index_reserve(). */
void index_add(struct index *index, uint64_t hash, uint32_t position);

/* Remove the element of that hash at that position, if it is there. */
void index_remove(struct index *index, uint64_t hash, uint32_t position);

void index_clear(struct index *index); /* frees; may be called twice */

/* Grow *array of `size`-byte elements so that it holds more than `count`.
 * -1: out of memory, nothing changed. */
int index_grow(void *array_pointer, uint32_t *capacity, uint32_t count,
	       size_t size);
