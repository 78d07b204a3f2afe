/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prediction_records.c - the last predictions, by id and stage */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "predictor/base/clock.h"
#include "predictor/base/index.h"
#include "predictor/engine/prediction_records.h"

struct records *predictions_create(void)
{
	return records_create(sizeof(struct prediction), PREDICTIONS_MAX,
			      PREDICTIONS_BYTES_MAX);
}

static uint64_t random_number(void)
{
	uint64_t number;

	/* Early at boot there may be no randomness: the clock must do, as ids
	 * need to differ, and not to be secret. */
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		number = (uint64_t)(clock_now_s() * 1e9);
	return number;
}

/* What is made at the same time lies side by side in an index of ids: storing
 * it touches few pages.  The time is coarse and comes again after seven weeks,
 * so that most of an id is chance: two predictds may share a database. */
void predictions_name(const struct records *predictions, struct prediction *p)
{
	uint64_t minute = (uint64_t)p->made_at_s >> 6 & 0xffff;
	struct prediction other;

	do {
		snprintf(p->id, sizeof(p->id), "%04" PRIx64 "%012" PRIx64,
			 minute, random_number() >> 16);
	} while (predictions_get(predictions, p->id, STAGE_SUBMISSION,
				 &other) == 0);
}

static uint64_t key_of(const char *id, enum prediction_stage stage)
{
	return index_hash_text((uint64_t)stage, id);
}

int predictions_put(struct records *predictions, const struct prediction *p)
{
	struct prediction other;

	if (predictions_get(predictions, p->id, p->stage, &other) == 0) {
		if (p->stage == STAGE_WAITING && other.made_at_s < p->made_at_s)
			records_update(predictions, key_of(p->id, p->stage), p);
		return 0;
	}
	return records_put(predictions, key_of(p->id, p->stage), p, false);
}

void predictions_replace(struct records *predictions,
			 const struct prediction *p)
{
	records_put(predictions, key_of(p->id, p->stage), p, false);
}

int predictions_get(const struct records *predictions, const char *id,
		    enum prediction_stage stage, struct prediction *ret)
{
	if (records_get(predictions, key_of(id, stage), ret))
		return -1;
	return strcmp(ret->id, id) == 0 && ret->stage == stage ? 0 : -1;
}

static bool is_of_run(const struct prediction *p, const struct run *run)
{
	return p->user_id == run->user_id &&
	       (!*p->cluster || strcmp(p->cluster, run->cluster) == 0);
}

bool predictions_is_foreign(const struct records *predictions,
			    const struct run *run)
{
	struct prediction p;

	return *run->prediction_id &&
	       !predictions_get(predictions, run->prediction_id,
				STAGE_SUBMISSION, &p) &&
	       !is_of_run(&p, run);
}

int predictions_of_run(const struct records *predictions, const struct run *run,
		       struct prediction *ret)
{
	return *run->prediction_id &&
			       !predictions_get(predictions, run->prediction_id,
						STAGE_SUBMISSION, ret) &&
			       is_of_run(ret, run)
		       ? 0
		       : -1;
}
