/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_tickets.c - predictions of jobs that have not ended
 *
 * Each ticket has a place in an array, and allocated memory for its atoms,
 * which are a few or a hundred.  Places are found by hash, in buckets; a list
 * has them by age.  Free places are reused last in, first out, so that no more
 * memory is touched than there were tickets at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/models/mixture/mixture_tickets.h"

#define BUCKETS 16384

/* The bytes of one atom: x, w, its position, its entries. */
#define ATOM_BYTES (2 * sizeof(float) + 1 + MIXTURE_FAMILIES * sizeof(uint16_t))

struct ticket_place {
	struct mixture_ticket ticket;
	uint32_t next;         /* of the same bucket; or the next free place */
	uint32_t older, newer; /* INDEX_NONE: none */
	unsigned char *atoms;  /* ticket.count of them; NULL: it is free */
};

struct mixture_tickets {
	uint32_t count; /* places that were ever used */
	uint32_t free, oldest, newest;
	uint32_t buckets[BUCKETS];
	struct ticket_place *places;
};

struct mixture_tickets *mixture_tickets_create(void)
{
	struct mixture_tickets *t = malloc(sizeof(*t));

	if (!t)
		return NULL;
	t->count = 0;
	t->free = t->oldest = t->newest = INDEX_NONE;
	memset(t->buckets, 0xff, sizeof(t->buckets));
	t->places = malloc(MIXTURE_TICKETS_MAX * sizeof(*t->places));
	if (!t->places) {
		free(t);
		return NULL;
	}
	return t;
}

void mixture_tickets_destroy(struct mixture_tickets *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->count; i++)
		free(t->places[i].atoms);
	free(t->places);
	free(t);
}

static uint32_t bucket_of(uint64_t id)
{
	return (uint32_t)(id * 0x9e3779b97f4a7c15u >> 50);
}

_Static_assert(BUCKETS == 1 << (64 - 50), "bucket_of() gives buckets");

static uint32_t place_find(const struct mixture_tickets *t, uint64_t id)
{
	uint32_t at = t->buckets[bucket_of(id)];

	while (at != INDEX_NONE && t->places[at].ticket.id != id)
		at = t->places[at].next;
	return at;
}

const struct mixture_ticket *
mixture_tickets_find(const struct mixture_tickets *t, uint64_t id)
{
	uint32_t at = place_find(t, id);

	return at == INDEX_NONE ? NULL : &t->places[at].ticket;
}

static void place_free(struct mixture_tickets *t, uint32_t at)
{
	struct ticket_place *place = &t->places[at];
	uint32_t *link = &t->buckets[bucket_of(place->ticket.id)];

	while (*link != at)
		link = &t->places[*link].next;
	*link = place->next;
	*(place->older == INDEX_NONE ? &t->oldest
				     : &t->places[place->older].newer) =
		place->newer;
	*(place->newer == INDEX_NONE ? &t->newest
				     : &t->places[place->newer].older) =
		place->older;
	free(place->atoms);
	place->atoms = NULL;
	place->next = t->free;
	t->free = at;
}

static uint32_t place_take(struct mixture_tickets *t)
{
	uint32_t at = t->free;

	if (at == INDEX_NONE)
		return t->count++;
	t->free = t->places[at].next;
	return at;
}

static void *pack_bytes(void *to, const void *from, size_t size)
{
	return (char *)memcpy(to, from, size) + size;
}

static void pack_atoms(unsigned char *packed, const struct mixture_atoms *atoms,
		       const struct mixture_prediction *prediction)
{
	size_t n = (size_t)prediction->count;
	void *to = packed;

	to = pack_bytes(to, prediction->x, n * sizeof(prediction->x[0]));
	to = pack_bytes(to, prediction->w, n * sizeof(prediction->w[0]));
	for (int f = 0; f < MIXTURE_FAMILIES; f++)
		to = pack_bytes(to, atoms->entries[f],
				n * sizeof(atoms->entries[f][0]));
	pack_bytes(to, prediction->atom, n);
}

static const void *unpack_bytes(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return (const char *)from + size;
}

static void
unpack_atoms(const struct ticket_place *place, struct mixture_prediction *ret,
	     uint16_t ret_entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX])
{
	size_t n = place->ticket.count;
	const void *from = place->atoms;

	ret->count = place->ticket.count;
	from = unpack_bytes(ret->x, from, n * sizeof(ret->x[0]));
	from = unpack_bytes(ret->w, from, n * sizeof(ret->w[0]));
	for (int f = 0; f < MIXTURE_FAMILIES; f++)
		from = unpack_bytes(ret_entries[f], from,
				    n * sizeof(ret_entries[f][0]));
	unpack_bytes(ret->atom, from, n);
}

bool mixture_tickets_keep(struct mixture_tickets *t,
			  const struct mixture_ticket *ticket,
			  const struct mixture_atoms *atoms,
			  const struct mixture_prediction *prediction,
			  struct mixture_ticket *ret_dropped)
{
	bool full = t->free == INDEX_NONE && t->count == MIXTURE_TICKETS_MAX;
	unsigned char *packed = malloc((size_t)prediction->count * ATOM_BYTES);

	if (!packed) {
		*ret_dropped = *ticket;
		return true;
	}
	pack_atoms(packed, atoms, prediction);
	if (full) {
		*ret_dropped = t->places[t->oldest].ticket;
		place_free(t, t->oldest);
	}

	uint32_t at = place_take(t);
	uint32_t *bucket = &t->buckets[bucket_of(ticket->id)];
	struct ticket_place *place = &t->places[at];

	place->ticket = *ticket;
	place->ticket.count = (uint8_t)prediction->count;
	place->next = *bucket;
	*bucket = at;
	place->older = t->newest;
	place->newer = INDEX_NONE;
	*(t->newest == INDEX_NONE ? &t->oldest : &t->places[t->newest].newer) =
		at;
	t->newest = at;
	place->atoms = packed;
	return full;
}

bool mixture_tickets_take(
	struct mixture_tickets *t, uint64_t id, struct mixture_ticket *ret,
	struct mixture_prediction *ret_prediction,
	uint16_t ret_entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX])
{
	uint32_t at = place_find(t, id);

	if (at == INDEX_NONE)
		return false;
	*ret = t->places[at].ticket;
	unpack_atoms(&t->places[at], ret_prediction, ret_entries);
	place_free(t, at);
	return true;
}
