/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_runs.c - finished runs, in rings of those that share traits
 *
 * Rings are found by the hash of their kind and traits.  A ring starts with a
 * short block of slots, and moves to one of twice the length when it is full:
 * most combinations of traits are seen once or twice.  Blocks of one length are
 * in one array with a free list, runs likewise.  When runs or rings are used up
 * the clock's hand goes round the rings.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/hash_mix.h"
#include "predictor/base/index.h"
#include "predictor/models/mixture/mixture_runs.h"

#define BLOCK_MIN 2 /* runs: the shortest block */
#define BLOCKS    5 /* lengths of blocks: 2, 4, .. 32 */

_Static_assert(BLOCK_MIN << (BLOCKS - 1) == MIXTURE_RING_MAX,
	       "the longest block is a full ring");
_Static_assert(sizeof(struct mixture_run) == 64, "a cache line");

struct ring {
	uint64_t key;
	uint32_t next;  /* of the same bucket; or the next free ring */
	uint32_t block; /* among those of its length */
	uint8_t kind;
	uint8_t length; /* position of the block's length */
	uint8_t count;
	uint8_t head; /* where the next run goes */
	bool used;    /* since the clock's hand passed */
	bool alive;
};

struct blocks {
	uint32_t *slots;
	uint32_t count, capacity;
	uint32_t free; /* the first free one, INDEX_NONE: none */
};

struct mixture_runs {
	struct mixture_run *runs; /* MIXTURE_RUNS_MAX */
	uint32_t runs_count, runs_free;
	struct ring *rings;
	uint32_t rings_count, rings_capacity, rings_free;
	struct blocks blocks[BLOCKS];
	uint32_t hand; /* of the clock: a ring */
	uint32_t sequence;
	uint32_t *buckets; /* of the hash, by key: the first ring */
};

#define USER        TRAIT_BIT(USER)
#define APPLICATION TRAIT_BIT(APPLICATION)
#define SIZE        TRAIT_BIT(SIZE)
#define LIMIT       TRAIT_BIT(LIMIT)
#define PARTITION   TRAIT_BIT(PARTITION)
#define ACCOUNT     TRAIT_BIT(ACCOUNT)
#define MEMORY      TRAIT_BIT(MEMORY)

const struct mixture_ring_kind mixture_ring_kinds[MIXTURE_RING_KINDS] = {
	{ USER, USER, 32, false },
	{ USER | APPLICATION, USER | APPLICATION, 16, false },
	{ USER | SIZE | LIMIT, USER, 16, false },
	{ USER | APPLICATION | SIZE | LIMIT | MEMORY, USER, 16, false },
	{ USER | LIMIT, USER, 16, false },
	{ USER | SIZE, USER, 16, false },
	{ ACCOUNT, ACCOUNT, 16, true },
	{ PARTITION | LIMIT, 0, 16, true },
	{ SIZE | LIMIT | MEMORY, 0, 16, true },
	{ 0, 0, 16, true },
};

struct mixture_runs *mixture_runs_create(void)
{
	struct mixture_runs *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	/* Each in a cache line.  Pages that are not used yet take no memory. */
	r->runs = aligned_alloc(sizeof(*r->runs),
				MIXTURE_RUNS_MAX * sizeof(*r->runs));
	r->buckets = malloc(MIXTURE_RINGS_MAX * sizeof(*r->buckets));
	if (!r->runs || !r->buckets) {
		mixture_runs_destroy(r);
		return NULL;
	}
	memset(r->buckets, 0xff, MIXTURE_RINGS_MAX * sizeof(*r->buckets));
	r->runs_free = r->rings_free = INDEX_NONE;
	for (int i = 0; i < BLOCKS; i++)
		r->blocks[i].free = INDEX_NONE;
	return r;
}

void mixture_runs_destroy(struct mixture_runs *r)
{
	if (!r)
		return;
	for (int i = 0; i < BLOCKS; i++)
		free(r->blocks[i].slots);
	free(r->buckets);
	free(r->rings);
	free(r->runs);
	free(r);
}

unsigned mixture_traits_known(const uint32_t traits[MIXTURE_TRAITS])
{
	unsigned known = MIXTURE_PATTERNS - 1;

	if (!traits[TRAIT_USER])
		known &= ~USER;
	if (!traits[TRAIT_APPLICATION])
		known &= ~APPLICATION;
	if (!traits[TRAIT_ACCOUNT])
		known &= ~ACCOUNT;
	return known;
}

/* Return the key of a ring. It is not seeded: equal in every process. */
static uint64_t ring_key(uint32_t cluster, int kind,
			 const uint32_t traits[MIXTURE_TRAITS])
{
	uint64_t key = hash_mix((uint64_t)cluster << 8 | (unsigned)kind);

	for (int i = 0; i < MIXTURE_TRAITS; i++)
		if (mixture_ring_kinds[kind].traits >> i & 1)
			key = hash_mix(key + traits[i]);
	return key;
}

static uint32_t *bucket_of(const struct mixture_runs *r, uint64_t key)
{
	return &r->buckets[key & (MIXTURE_RINGS_MAX - 1)];
}

static struct ring *ring_find(const struct mixture_runs *r, uint64_t key)
{
	for (uint32_t i = *bucket_of(r, key); i != INDEX_NONE;
	     i = r->rings[i].next)
		if (r->rings[i].key == key)
			return &r->rings[i];
	return NULL;
}

static uint32_t block_length(int length)
{
	return (uint32_t)BLOCK_MIN << length;
}

static uint32_t *block_at(const struct mixture_runs *r, int length,
			  uint32_t block)
{
	return &r->blocks[length].slots[(size_t)block * block_length(length)];
}

/* Return INDEX_NONE if memory is exhausted. */
static uint32_t block_take(struct mixture_runs *r, int length)
{
	struct blocks *b = &r->blocks[length];
	uint32_t block = b->free;

	if (block != INDEX_NONE) {
		b->free = *block_at(r, length, block);
		return block;
	}
	if (index_grow(&b->slots, &b->capacity, b->count,
		       block_length(length) * sizeof(*b->slots)) < 0)
		return INDEX_NONE;
	return b->count++;
}

static void block_give(struct mixture_runs *r, int length, uint32_t block)
{
	*block_at(r, length, block) = r->blocks[length].free;
	r->blocks[length].free = block;
}

static void run_leave(struct mixture_runs *r, uint32_t slot)
{
	struct mixture_run *run = &r->runs[slot];

	if (--run->rings)
		return;
	run->sequence = r->runs_free; /* link of the free list */
	r->runs_free = slot;
}

static void ring_remove(struct mixture_runs *r, uint32_t at)
{
	struct ring *ring = &r->rings[at];
	const uint32_t *slots = block_at(r, ring->length, ring->block);
	uint32_t *link = bucket_of(r, ring->key);

	for (int i = 0; i < ring->count; i++)
		run_leave(r, slots[i]);
	block_give(r, ring->length, ring->block);
	while (*link != at)
		link = &r->rings[*link].next;
	*link = ring->next;
	ring->alive = false;
	ring->next = r->rings_free;
	r->rings_free = at;
}

/* Remove one ring that was not used since the hand passed it last. */
static void clock_advance(struct mixture_runs *r)
{
	for (;;) {
		r->hand = r->hand + 1 < r->rings_count ? r->hand + 1 : 0;

		struct ring *ring = &r->rings[r->hand];

		if (ring->alive && !ring->used) {
			ring_remove(r, r->hand);
			return;
		}
		ring->used = false;
	}
}

/* Return INDEX_NONE if memory is exhausted. */
static uint32_t ring_take(struct mixture_runs *r)
{
	uint32_t at = r->rings_free;

	if (at == INDEX_NONE && r->rings_count == MIXTURE_RINGS_MAX) {
		clock_advance(r);
		at = r->rings_free;
	}
	if (at != INDEX_NONE) {
		r->rings_free = r->rings[at].next;
		return at;
	}
	if (index_grow(&r->rings, &r->rings_capacity, r->rings_count,
		       sizeof(*r->rings)) < 0)
		return INDEX_NONE;
	return r->rings_count++;
}

static struct ring *ring_add(struct mixture_runs *r, uint64_t key, int kind)
{
	uint32_t block = block_take(r, 0);

	if (block == INDEX_NONE)
		return NULL;

	uint32_t at = ring_take(r);

	if (at == INDEX_NONE) {
		block_give(r, 0, block);
		return NULL;
	}

	uint32_t *bucket = bucket_of(r, key);

	r->rings[at] = (struct ring){ .key = key,
				      .next = *bucket,
				      .block = block,
				      .kind = (uint8_t)kind,
				      .alive = true };
	*bucket = at;
	return &r->rings[at];
}

/* A full ring, not yet of its kind's length, moves to a longer block. */
static int ring_grow(struct mixture_runs *r, struct ring *ring)
{
	uint32_t block = block_take(r, ring->length + 1);

	if (block == INDEX_NONE)
		return -1;
	/* It has not wrapped yet: the oldest is first. */
	memcpy(block_at(r, ring->length + 1, block),
	       block_at(r, ring->length, ring->block),
	       ring->count * sizeof(uint32_t));
	block_give(r, ring->length, ring->block);
	ring->block = block;
	ring->length++;
	ring->head = ring->count;
	return 0;
}

static void ring_put(struct mixture_runs *r, struct ring *ring, uint32_t slot)
{
	uint32_t room = block_length(ring->length);

	/* If out of memory, a ring stays as short as it is. */
	if (ring->count == room && room < mixture_ring_kinds[ring->kind].length)
		ring_grow(r, ring);
	room = block_length(ring->length);

	uint32_t *at = block_at(r, ring->length, ring->block) + ring->head;

	if (ring->count == room)
		run_leave(r, *at);
	else
		ring->count++;
	*at = slot;
	/* Blocks are as long as powers of 2. */
	ring->head = (uint8_t)((ring->head + 1u) & (room - 1));
	r->runs[slot].rings++;
}

static uint32_t run_take(struct mixture_runs *r)
{
	while (r->runs_free == INDEX_NONE && r->runs_count == MIXTURE_RUNS_MAX)
		clock_advance(r);

	uint32_t slot = r->runs_free;

	if (slot != INDEX_NONE) {
		r->runs_free = r->runs[slot].sequence;
		return slot;
	}
	return r->runs_count++;
}

void mixture_runs_add(struct mixture_runs *r, uint32_t cluster,
		      const struct mixture_run *run)
{
	uint32_t slot = run_take(r);
	unsigned known = mixture_traits_known(run->traits);

	r->runs[slot] = *run;
	r->runs[slot].sequence = r->sequence++;
	r->runs[slot].rings = 1; /* held by this function */
	for (int k = 0; k < MIXTURE_RING_KINDS; k++) {
		if (mixture_ring_kinds[k].needs & ~known)
			continue;

		uint64_t key = ring_key(cluster, k, run->traits);
		struct ring *ring = ring_find(r, key);

		/* A new ring is not used yet: one that is never used again is
		 * removed first. */
		if (ring)
			ring->used = true;
		else
			ring = ring_add(r, key, k);
		if (ring)
			ring_put(r, ring, slot);
	}
	run_leave(r, slot);
}

/* Cache misses of each loop overlap. */
void mixture_runs_keys(const struct mixture_runs *r, uint32_t cluster,
		       const uint32_t traits[MIXTURE_TRAITS],
		       uint64_t ret[MIXTURE_RING_KINDS])
{
	for (int k = 0; k < MIXTURE_RING_KINDS; k++) {
		ret[k] = ring_key(cluster, k, traits);
		__builtin_prefetch(bucket_of(r, ret[k]));
	}
	for (int k = 0; k < MIXTURE_RING_KINDS; k++) {
		uint32_t first = *bucket_of(r, ret[k]);

		if (first != INDEX_NONE)
			__builtin_prefetch(&r->rings[first]);
	}
	for (int k = 0; k < MIXTURE_RING_KINDS; k++) {
		const struct ring *ring = ring_find(r, ret[k]);

		if (ring)
			__builtin_prefetch(
				block_at(r, ring->length, ring->block));
	}
}

int mixture_runs_ring(struct mixture_runs *r, uint64_t key,
		      uint32_t ret[MIXTURE_RING_MAX])
{
	struct ring *ring = ring_find(r, key);

	if (!ring)
		return 0;
	ring->used = true;

	const uint32_t *slots = block_at(r, ring->length, ring->block);
	uint32_t mask = block_length(ring->length) - 1;

	for (uint32_t i = 0; i < ring->count; i++)
		ret[i] = slots[(ring->head - 1 - i) & mask];
	return ring->count;
}

const struct mixture_run *mixture_runs_at(const struct mixture_runs *r,
					  uint32_t slot)
{
	return &r->runs[slot];
}
