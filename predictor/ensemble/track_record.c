/* SPDX-License-Identifier: GPL-2.0-or-later */
/* track_record.c - whether quantiles held, by user and application */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/ensemble/track_record.h"

#define BUCKETS 16384
#define WAYS    4 /* tracks of one bucket; in all 1.5 MiB */

struct track {
	uint64_t key;    /* 0: unused */
	uint64_t noted;  /* when, by the count of notes */
	uint32_t held;   /* bit 0: the newest */
	uint32_t judged; /* at most TRACK_LENGTH */
};

struct track_record {
	uint64_t notes;
	struct track tracks[BUCKETS][WAYS];
};

struct track_record *track_record_create(void)
{
	return calloc(1, sizeof(struct track_record));
}

void track_record_destroy(struct track_record *t)
{
	free(t);
}

/* Chains of hashes keep the three apart.  Not 0. */
static uint64_t track_key(const struct prediction *p)
{
	uint64_t key = index_hash_text(0, p->cluster);

	key = index_hash(key, &p->user_id, sizeof(p->user_id));
	return index_hash_text(key, p->application.name) | 1;
}

/* Return the track of a key; NULL: none. */
static const struct track *track_find(const struct track_record *t,
				      uint64_t key)
{
	const struct track *bucket = t->tracks[(key >> 1) % BUCKETS];

	for (int i = 0; i < WAYS; i++)
		if (bucket[i].key == key)
			return &bucket[i];
	return NULL;
}

/* In place of the one of its bucket that was noted longest ago. */
static struct track *track_add(struct track_record *t, uint64_t key)
{
	struct track *bucket = t->tracks[(key >> 1) % BUCKETS];
	struct track *oldest = bucket;

	for (int i = 1; i < WAYS; i++)
		if (bucket[i].noted < oldest->noted)
			oldest = &bucket[i];
	*oldest = (struct track){ .key = key };
	return oldest;
}

static void track_note(struct track_record *t, const struct prediction *p,
		       bool held)
{
	uint64_t key = track_key(p);
	struct track *track = (struct track *)track_find(t, key);

	if (!track)
		track = track_add(t, key);
	track->noted = ++t->notes;
	track->held = track->held << 1 | held;
	if (track->judged < TRACK_LENGTH)
		track->judged++;
}

void track_record_judge(struct track_record *t, const struct prediction *p,
			enum outcome_end end, double runtime_s, uint32_t nodes)
{
	bool within = runtime_s <= p->quantile_s;

	if (p->basis != BASIS_HISTORY ||
	    !(isfinite(p->quantile_s) && p->quantile_s > 0) ||
	    (nodes && nodes != p->nodes))
		return;
	if (end == OUTCOME_TIMEOUT || !within)
		track_note(t, p, false);
	else if (end == OUTCOME_COMPLETED)
		track_note(t, p, true);
}

void track_record_read(const struct track_record *t, const struct prediction *p,
		       uint32_t *ret_judged, uint32_t *ret_held)
{
	const struct track *track = track_find(t, track_key(p));

	*ret_judged = track ? track->judged : 0;
	*ret_held = track ? (uint32_t)__builtin_popcount(track->held) : 0;
}
