/* SPDX-License-Identifier: GPL-2.0-or-later */
/* track_record.c - whether quantiles held, by user and application */
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/engine/track_record.h"

#define TRACKS 16384 /* 256 KiB */

struct track {
	uint64_t key;    /* 0: unused */
	uint32_t held;   /* bit 0: the newest */
	uint32_t judged; /* at most TRACK_LENGTH */
};

struct track_record {
	struct track tracks[TRACKS];
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

void track_record_note(struct track_record *t, const struct prediction *p,
		       bool held)
{
	uint64_t key = track_key(p);
	struct track *track = &t->tracks[(key >> 1) % TRACKS];

	if (track->key != key)
		*track = (struct track){ .key = key };
	track->held = track->held << 1 | held;
	if (track->judged < TRACK_LENGTH)
		track->judged++;
}

void track_record_read(const struct track_record *t, const struct prediction *p,
		       uint32_t *ret_judged, uint32_t *ret_held)
{
	uint64_t key = track_key(p);
	const struct track *track = &t->tracks[(key >> 1) % TRACKS];
	bool known = track->key == key;

	*ret_judged = known ? track->judged : 0;
	*ret_held = known ? (uint32_t)__builtin_popcount(track->held) : 0;
}
