/* SPDX-License-Identifier: GPL-2.0-or-later */
/* records.c - the newest of many structs, found by a key
 *
 * Packed, a record is a sequence of { literal, zeros, bytes[literal] }:
 * `literal` bytes as they are, then `zeros` zero bytes.  Slots and bytes are
 * used in the order of arrival; what was replaced keeps its place until it is
 * the oldest.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/engine/records.h"

/* Zeros are found by words: shorter runs of them are not worth a header. */
#define WORD 4

struct head {
	uint16_t literal, zeros;
};

struct slot {
	uint64_t key;
	size_t at; /* in bytes */
	size_t length;
	size_t room;  /* from `at`, of which a shorter record uses a part */
	bool current; /* not replaced by a newer one */
	bool marked;
};

struct records {
	size_t size;
	uint32_t count_max;
	size_t bytes_max;
	struct slot *slots; /* a ring */
	uint32_t oldest, used;
	uint64_t dropped;      /* slots, ever: the number of the oldest */
	unsigned char *bytes;  /* a ring; no record wraps around its end */
	size_t next;           /* where the next record goes */
	unsigned char *packed; /* room for the worst case */
	struct index index;
	uint32_t marked;
};

struct records *records_create(size_t size, uint32_t count_max,
			       size_t bytes_max)
{
	struct records *r = calloc(1, sizeof(*r));

	if (!r || !count_max || size > UINT16_MAX || bytes_max < 2 * size) {
		free(r);
		return NULL;
	}
	r->size = size;
	r->count_max = count_max;
	r->bytes_max = bytes_max;
	r->slots = calloc(count_max, sizeof(r->slots[0]));
	r->bytes = calloc(1, bytes_max);
	r->packed = malloc(size + 2 * sizeof(struct head));
	if (r->slots && r->bytes && r->packed)
		return r;
	records_destroy(r);
	return NULL;
}

void records_destroy(struct records *r)
{
	if (!r)
		return;
	free(r->slots);
	free(r->bytes);
	free(r->packed);
	index_clear(&r->index);
	free(r);
}

static bool is_zero(const unsigned char *word)
{
	uint32_t value;

	memcpy(&value, word, WORD);
	return !value;
}

/* How many bytes are zero, in words.  Most runs of them are long. */
static size_t count_zeros(const unsigned char *from, size_t size)
{
	static const unsigned char zeros[64];
	size_t count = 0;

	while (size - count >= sizeof(zeros) &&
	       !memcmp(from + count, zeros, sizeof(zeros)))
		count += sizeof(zeros);
	while (size - count >= WORD && is_zero(from + count))
		count += WORD;
	return count;
}

/* A head costs 4 bytes and saves 4 at least, except for the first and last:
 * never more than size + 2 heads.  What is shorter than a word is literal. */
static size_t pack(unsigned char *out, const unsigned char *from, size_t size)
{
	size_t used = 0;

	for (size_t start = 0, i = 0, end; start < size; start = i = end) {
		while (size - i >= WORD && !is_zero(from + i))
			i += WORD;
		if (size - i < WORD)
			i = size;
		end = i + count_zeros(from + i, size - i);

		struct head head = { (uint16_t)(i - start),
				     (uint16_t)(end - i) };

		memcpy(out + used, &head, sizeof(head));
		memcpy(out + used + sizeof(head), from + start, i - start);
		used += sizeof(head) + (i - start);
	}
	return used;
}

static void unpack(unsigned char *out, const unsigned char *packed,
		   size_t length)
{
	for (size_t used = 0; used < length;) {
		struct head head;

		memcpy(&head, packed + used, sizeof(head));
		used += sizeof(head);
		memcpy(out, packed + used, head.literal);
		memset(out + head.literal, 0, head.zeros);
		used += head.literal;
		out += head.literal + head.zeros;
	}
}

static uint32_t find(const struct records *r, uint64_t key)
{
	return index_find(&r->index, key, NULL, NULL);
}

static void retire(struct records *r, uint32_t at)
{
	struct slot *slot = &r->slots[at];

	if (!slot->current)
		return;
	index_remove(&r->index, slot->key, at);
	r->marked -= slot->marked;
	slot->current = false;
}

static void drop_oldest(struct records *r)
{
	retire(r, r->oldest);
	if (++r->oldest == r->count_max)
		r->oldest = 0;
	r->used--;
	r->dropped++;
}

/* Free `length` bytes in one piece, and a slot. */
static size_t make_room(struct records *r, size_t length)
{
	size_t at = r->next;

	if (at + length > r->bytes_max) {
		/* What lies between here and the end is the oldest. */
		while (r->used && r->slots[r->oldest].at >= at)
			drop_oldest(r);
		at = 0;
	}
	while (r->used && r->slots[r->oldest].at < at + length &&
	       r->slots[r->oldest].at + r->slots[r->oldest].room > at)
		drop_oldest(r);
	if (r->used == r->count_max)
		drop_oldest(r);
	return at;
}

int records_put(struct records *r, uint64_t key, const void *record,
		bool marked)
{
	if (index_reserve(&r->index))
		return -1;

	uint32_t before = find(r, key);

	if (before != INDEX_NONE)
		retire(r, before);

	size_t length = pack(r->packed, record, r->size);
	size_t at = make_room(r, length);
	uint32_t behind = r->count_max - r->oldest; /* slots to the end */
	uint32_t slot =
		r->used < behind ? r->oldest + r->used : r->used - behind;

	memcpy(r->bytes + at, r->packed, length);
	r->slots[slot] = (struct slot){ .key = key,
					.at = at,
					.length = length,
					.room = length,
					.current = true,
					.marked = marked };
	r->used++;
	r->next = at + length;
	r->marked += marked;
	index_add(&r->index, key, slot);
	return 0;
}

void records_update(struct records *r, uint64_t key, const void *record)
{
	uint32_t at = find(r, key);

	if (at == INDEX_NONE)
		return;

	struct slot *slot = &r->slots[at];
	size_t length = pack(r->packed, record, r->size);

	if (length > slot->room) {
		records_put(r, key, record, slot->marked);
		return;
	}
	memcpy(r->bytes + slot->at, r->packed, length);
	slot->length = length;
}

int records_get(const struct records *r, uint64_t key, void *ret)
{
	uint32_t at = find(r, key);

	if (at == INDEX_NONE)
		return -1;
	unpack(ret, r->bytes + r->slots[at].at, r->slots[at].length);
	return 0;
}

int records_next(const struct records *r, uint64_t *cursor, void *ret)
{
	if (*cursor < r->dropped)
		*cursor = r->dropped;
	while (*cursor < r->dropped + r->used) {
		uint64_t at =
			(r->oldest + (*cursor)++ - r->dropped) % r->count_max;

		if (r->slots[at].current) {
			unpack(ret, r->bytes + r->slots[at].at,
			       r->slots[at].length);
			return 0;
		}
	}
	return -1;
}

uint32_t records_count(const struct records *r)
{
	return r->index.count;
}

uint32_t records_marked(const struct records *r)
{
	return r->marked;
}
