/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history_traits.c - the traits of runs in memory, each set of them once
 *
 * A set counts its runs.  Without any it leaves the index, and its place is the
 * next to be used: names of files that are never the same take memory only
 * while their runs do.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/models/history_intern.h"

static uint64_t hash_keys(const struct trait_key of[], int count)
{
	return index_hash((uint64_t)count, of, (size_t)count * sizeof(of[0]));
}

struct traits_lookup {
	const struct history *h;
	const struct trait_keys *keys;
};

static bool same_traits(const void *context, uint32_t position)
{
	const struct traits_lookup *lookup = context;
	const struct history_traits *t = &lookup->h->traits[position];

	return t->count == lookup->keys->count &&
	       !memcmp(t->of, lookup->keys->of,
		       (size_t)t->count * sizeof(t->of[0]));
}

/* Return a place for one more; INDEX_NONE: out of memory. */
static uint32_t reserve_traits(struct history *h)
{
	if (index_reserve(&h->traits_index))
		return INDEX_NONE;
	if (h->traits_unused != INDEX_NONE)
		return h->traits_unused;
	if (index_grow(&h->traits, &h->traits_capacity, h->traits_count,
		       sizeof(h->traits[0])))
		return INDEX_NONE;
	return h->traits_count;
}

uint32_t history_intern_traits(struct history *h, const struct trait_keys *keys)
{
	const struct traits_lookup lookup = { h, keys };
	uint64_t hash = hash_keys(keys->of, keys->count);
	uint32_t at = keys->count ? index_find(&h->traits_index, hash,
					       same_traits, &lookup)
				  : INDEX_NONE;

	if (at != INDEX_NONE)
		h->traits[at].runs++;
	if (at != INDEX_NONE || !keys->count)
		return at;
	at = reserve_traits(h);
	if (at == INDEX_NONE)
		return INDEX_NONE;

	size_t size = (size_t)keys->count * sizeof(keys->of[0]);
	struct trait_key *copy = malloc(size);

	if (!copy)
		return INDEX_NONE;
	memcpy(copy, keys->of, size);
	if (at == h->traits_count)
		h->traits_count++;
	else
		h->traits_unused = h->traits[at].next;
	h->traits[at] = (struct history_traits){
		.runs = 1, .next = INDEX_NONE, .count = keys->count, .of = copy
	};
	index_add(&h->traits_index, hash, at);
	return at;
}

void history_release_traits(struct history *h, uint32_t traits)
{
	if (traits == INDEX_NONE)
		return;

	struct history_traits *t = &h->traits[traits];

	if (--t->runs)
		return;
	index_remove(&h->traits_index, hash_keys(t->of, t->count), traits);
	free(t->of);
	*t = (struct history_traits){ .next = h->traits_unused };
	h->traits_unused = traits;
}

const struct trait_key *history_trait(const struct history *h, uint32_t traits,
				      uint32_t name)
{
	return traits == INDEX_NONE
		       ? NULL
		       : trait_keys_find(h->traits[traits].of,
					 h->traits[traits].count, name);
}
