/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mixture_candidates.c - the finished runs that are most likely similar
 *
 * Rings are read in their order until there are enough; the same run is often
 * in several.
 */
#include <stdbool.h>
#include <string.h>

#include "predictor/models/mixture/mixture_candidates.h"

/* Runs of other users are read only while there are fewer than this. */
#define ENOUGH 48

/* A set of slots: open addressing, far from full. */
#define SET_SIZE 256

_Static_assert(SET_SIZE >= 4 * ENOUGH, "the set stays sparse");

/* Slots are stored plus 1. */
static bool set_add(uint32_t set[SET_SIZE], uint32_t slot)
{
	uint32_t i = slot * 0x9e3779b1u >> 24;

	while (set[i]) {
		if (set[i] == slot + 1)
			return false;
		i = (i + 1) % SET_SIZE;
	}
	set[i] = slot + 1;
	return true;
}

/* By insertion: rings return their newest first, so little is out of order. */
static void sort_newest_first(const struct mixture_runs *runs, int count,
			      uint32_t *slots)
{
	uint64_t by_end[SET_SIZE];

	for (int i = 0; i < count; i++) {
		uint64_t key =
			(uint64_t)mixture_runs_at(runs, slots[i])->sequence
				<< 32 |
			slots[i];
		int at = i;

		for (; at && by_end[at - 1] < key; at--)
			by_end[at] = by_end[at - 1];
		by_end[at] = key;
	}
	for (int i = 0; i < count; i++)
		slots[i] = (uint32_t)by_end[i];
}

int mixture_candidates(struct mixture_runs *runs,
		       const struct mixture_point *point, int max,
		       uint32_t *ret)
{
	uint64_t keys[MIXTURE_RING_KINDS];
	uint32_t set[SET_SIZE];
	int count = 0;

	mixture_runs_keys(runs, point->cluster, point->traits, keys);
	memset(set, 0, sizeof(set));
	for (int k = 0; k < MIXTURE_RING_KINDS; k++) {
		const struct mixture_ring_kind *kind = &mixture_ring_kinds[k];

		if (kind->fallback && count >= ENOUGH)
			break;
		if (kind->needs & ~point->known)
			continue;

		uint32_t slots[MIXTURE_RING_MAX];
		int n = mixture_runs_ring(runs, keys[k], slots);

		for (int i = 0; i < n && count < max; i++) {
			if (!set_add(set, slots[i]))
				continue;
			__builtin_prefetch(mixture_runs_at(runs, slots[i]));
			ret[count++] = slots[i];
		}
	}
	sort_newest_first(runs, count, ret);
	return count;
}
