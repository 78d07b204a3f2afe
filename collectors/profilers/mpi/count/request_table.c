/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request_table.c - calls of MPI that are under way, by their request
 *
 * A hash table with linear probing, at most half full; what follows a removed
 * entry moves up, so that no marks of removed entries fill it.
 */
#include <stdlib.h>

#include "collectors/profilers/mpi/count/request_table.h"
#include "predictor/base/hash_mix.h"

#define SIZE_FIRST 64 /* a power of two */

static size_t home_of(const struct request_table *table, uintptr_t request)
{
	return hash_mix(request) & (table->size - 1);
}

/* Return the slot where the request is, or where it would be. */
static size_t slot_of(const struct request_table *table, uintptr_t request)
{
	size_t i = home_of(table, request);

	while (table->entries[i].request &&
	       table->entries[i].request != request)
		i = (i + 1) & (table->size - 1);
	return i;
}

static int table_grow(struct request_table *table)
{
	struct pending *old = table->entries;
	size_t old_size = table->size;
	size_t size = old_size ? 2 * old_size : SIZE_FIRST;
	struct pending *entries = calloc(size, sizeof(*entries));

	if (!entries)
		return -1;
	table->entries = entries;
	table->size = size;
	for (size_t i = 0; i < old_size; i++)
		if (old[i].request)
			entries[slot_of(table, old[i].request)] = old[i];
	free(old);
	return 0;
}

int request_table_add(struct request_table *table, const struct pending *entry)
{
	if (table->count >= PENDING_MAX ||
	    (2 * (table->count + 1) > table->size && table_grow(table)))
		return -1;

	struct pending *slot = &table->entries[slot_of(table, entry->request)];

	table->count += !slot->request;
	*slot = *entry;
	return 0;
}

struct pending *request_table_find(const struct request_table *table,
				   uintptr_t request)
{
	if (!table->size || !request)
		return NULL;

	struct pending *slot = &table->entries[slot_of(table, request)];

	return slot->request ? slot : NULL;
}

void request_table_remove(struct request_table *table, uintptr_t request)
{
	struct pending *found = request_table_find(table, request);

	if (!found)
		return;

	size_t mask = table->size - 1;
	size_t hole = (size_t)(found - table->entries);

	table->entries[hole].request = 0;
	table->count--;
	for (size_t i = (hole + 1) & mask; table->entries[i].request;
	     i = (i + 1) & mask) {
		size_t home = home_of(table, table->entries[i].request);

		/* It stays if its home lies after the hole. */
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		table->entries[hole] = table->entries[i];
		table->entries[i].request = 0;
		hole = i;
	}
}

void request_table_clear(struct request_table *table)
{
	free(table->entries);
	table->entries = NULL;
	table->size = table->count = 0;
}
