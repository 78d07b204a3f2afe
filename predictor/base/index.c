/* SPDX-License-Identifier: GPL-2.0-or-later */
/* index.c - hash table of positions in the caller's array
 *
 * Slots hold the full hash and a position; a lookup compares positions only
 * where hashes are equal.  At most half of the slots are used.  Removal moves
 * displaced elements back instead of leaving marks [1].
 *
 * [1] D. E. Knuth, The Art of Computer Programming, vol. 3, 2nd ed., 6.4,
 *     Algorithm R.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "predictor/base/hash_mix.h"
#include "predictor/base/index.h"

#define CAPACITY_MIN 16
#define ELEMENTS_MIN 4

struct index_slot {
	uint64_t hash;
	uint32_t position; /* INDEX_NONE: empty */
};

static uint64_t seed;
static pthread_once_t seed_once = PTHREAD_ONCE_INIT;

static void seed_draw(void)
{
	/* Without randomness hashes are still correct, only predictable. */
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = 0x5bd1e9955bd1e995u;
}

uint64_t index_hash(uint64_t chain, const void *bytes, size_t size)
{
	pthread_once(&seed_once, seed_draw);
	return hash_mix(hash_mix_bytes(hash_mix(chain ^ seed) + size, seed,
				       bytes, size));
}

uint64_t index_hash_text(uint64_t chain, const char *text)
{
	return index_hash(chain, text, strlen(text));
}

uint64_t index_hash_number(uint64_t number)
{
	return index_hash(0, &number, sizeof(number));
}

uint32_t index_find(const struct index *index, uint64_t hash,
		    index_same_fn *same, const void *context)
{
	if (!index->capacity)
		return INDEX_NONE;

	uint32_t mask = index->capacity - 1;

	for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
		const struct index_slot *slot = &index->slots[i];

		if (slot->position == INDEX_NONE)
			return INDEX_NONE;
		if (slot->hash == hash &&
		    (!same || same(context, slot->position)))
			return slot->position;
	}
}

static void slot_put(struct index_slot *slots, uint32_t mask, uint64_t hash,
		     uint32_t position)
{
	uint32_t i = (uint32_t)hash & mask;

	while (slots[i].position != INDEX_NONE)
		i = (i + 1) & mask;
	slots[i] = (struct index_slot){ hash, position };
}

int index_reserve(struct index *index)
{
	/* Half full at most: probes stay short. */
	if (index->count + 1 <= index->capacity / 2)
		return 0;
	if (index->capacity > UINT32_MAX / 4)
		return -1;

	uint32_t capacity =
		index->capacity ? index->capacity * 2 : CAPACITY_MIN;
	struct index_slot *slots = malloc(capacity * sizeof(*slots));

	if (!slots)
		return -1;
	for (uint32_t i = 0; i < capacity; i++)
		slots[i].position = INDEX_NONE;
	for (uint32_t i = 0; i < index->capacity; i++)
		if (index->slots[i].position != INDEX_NONE)
			slot_put(slots, capacity - 1, index->slots[i].hash,
				 index->slots[i].position);
	free(index->slots);
	index->slots = slots;
	index->capacity = capacity;
	return 0;
}

void index_add(struct index *index, uint64_t hash, uint32_t position)
{
	slot_put(index->slots, index->capacity - 1, hash, position);
	index->count++;
}

void index_remove(struct index *index, uint64_t hash, uint32_t position)
{
	if (!index->capacity)
		return;

	uint32_t mask = index->capacity - 1;
	uint32_t hole = (uint32_t)hash & mask;

	while (index->slots[hole].position != position ||
	       index->slots[hole].hash != hash) {
		if (index->slots[hole].position == INDEX_NONE)
			return;
		hole = (hole + 1) & mask;
	}

	/* Move elements that were displaced past the hole back, so that no
	 * probe ends too early. */
	for (uint32_t i = (hole + 1) & mask;
	     index->slots[i].position != INDEX_NONE; i = (i + 1) & mask) {
		uint32_t home = (uint32_t)index->slots[i].hash & mask;

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			index->slots[hole] = index->slots[i];
			hole = i;
		}
	}
	index->slots[hole].position = INDEX_NONE;
	index->count--;
}

void index_clear(struct index *index)
{
	free(index->slots);
	*index = (struct index){ 0 };
}

int index_grow(void *array_pointer, uint32_t *capacity, uint32_t count,
	       size_t size)
{
	if (count < *capacity)
		return 0;
	if (*capacity > UINT32_MAX / 2 || count > UINT32_MAX / 2)
		return -1;

	uint32_t grown = *capacity ? *capacity + *capacity / 2 : ELEMENTS_MIN;
	void *old, *array;

	if (grown <= count)
		grown = count + 1;
	memcpy(&old, array_pointer, sizeof(old));
	array = reallocarray(old, grown, size);
	if (!array)
		return -1;
	memcpy(array_pointer, &array, sizeof(array));
	*capacity = grown;
	/* cppcheck-suppress memleak ; it is kept at *array_pointer */
	return 0;
}
