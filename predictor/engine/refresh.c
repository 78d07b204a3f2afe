/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refresh.c - which waiting job is predicted again next
 *
 * To find all jobs of a user is a pass over all places, which takes less time
 * than a prediction.  A submission takes a free place; where none is, the
 * cheapest of SWEEP: a pass over all would take a third of a prediction's time.
 */
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/engine/nodes/assumed_set.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/subjects.h"
#include "predictor/engine/waiting.h"

#define REST_EVERY 8  /* turns */
#define SWEEP      64 /* places */

struct refresh_job {
	uint64_t id;        /* 0: it waits no longer */
	uint32_t next_free; /* place that is free as well, plus 1; 0: none */
	uint32_t user_id;
	uint32_t application; /* hash of its name */
	double submitted_at_s;
	bool due;
	bool started; /* a task of it */
	uint8_t sets; /* assumed */
	float weights[ASSUMED_SETS_MAX], ratios[ASSUMED_SETS_MAX];
};

struct refresh {
	uint32_t used;        /* places that were taken */
	uint32_t last, turns; /* place of the job that was taken last */
	uint32_t swept;       /* where the next sweep begins */
	uint32_t due;         /* jobs */
	uint32_t free;        /* the first place, as next_free */
	struct index by_id;   /* places; a number of an id is its own hash */
	struct refresh_job jobs[REFRESH_MAX];
};

struct refresh *refresh_create(void)
{
	return calloc(1, sizeof(struct refresh));
}

void refresh_destroy(struct refresh *r)
{
	if (r)
		index_clear(&r->by_id);
	free(r);
}

static struct refresh_job *job_find(struct refresh *r, uint64_t id)
{
	uint32_t at = index_find(&r->by_id, id, NULL, NULL);

	return at == INDEX_NONE ? NULL : &r->jobs[at];
}

static uint32_t hash_of(const struct application *application)
{
	return (uint32_t)index_hash_text(0, application->name);
}

/* Free its place, if it has one. */
static void job_clear(struct refresh *r, struct refresh_job *job)
{
	uint32_t at = (uint32_t)(job - r->jobs);

	if (!job->id)
		return;
	index_remove(&r->by_id, job->id, at);
	r->due -= job->due;
	*job = (struct refresh_job){ .next_free = r->free };
	r->free = at + 1;
}

/* Return whether a place is rather to be given away: first those of arrays,
 * then the oldest. */
static bool is_cheaper(const struct refresh_job *a, const struct refresh_job *b)
{
	return a->started != b->started ? a->started
					: a->submitted_at_s < b->submitted_at_s;
}

/* Free the cheapest place of the next SWEEP.  The sweep goes on behind it:
 * places that were taken one after the other are freed in that order. */
static void place_free(struct refresh *r)
{
	uint32_t cheapest = r->swept;

	for (uint32_t i = 1; i < SWEEP; i++) {
		uint32_t at = (r->swept + i) % REFRESH_MAX;

		if (is_cheaper(&r->jobs[at], &r->jobs[cheapest]))
			cheapest = at;
	}
	job_clear(r, &r->jobs[cheapest]);
	r->swept = (cheapest + 1) % REFRESH_MAX;
}

static struct refresh_job *place_take(struct refresh *r)
{
	struct refresh_job *job;

	if (!r->free && r->used < REFRESH_MAX)
		return &r->jobs[r->used++];
	if (!r->free)
		place_free(r);
	job = &r->jobs[r->free - 1];
	r->free = job->next_free;
	return job;
}

void refresh_add(struct refresh *r, const struct prediction *p,
		 const struct assumed *assumed)
{
	uint64_t id = engine_ticket(p->id);

	if (index_find(&r->by_id, id, NULL, NULL) != INDEX_NONE ||
	    index_reserve(&r->by_id))
		return;

	struct refresh_job *job = place_take(r);

	index_add(&r->by_id, id, (uint32_t)(job - r->jobs));
	*job = (struct refresh_job){ .id = id,
				     .user_id = p->user_id,
				     .application = hash_of(&p->application),
				     .submitted_at_s = p->made_at_s };
	for (int i = 0; assumed && i < assumed->count; i++) {
		job->weights[i] = (float)assumed->weights[i];
		job->ratios[i] = (float)assumed->ratios[i];
		job->sets++;
	}
}

bool refresh_note(struct refresh *r, const struct run *run)
{
	uint64_t id = engine_ticket(run->prediction_id);
	uint32_t application = hash_of(&run->application);
	bool ended = run->state != RUN_RUNNING;
	bool there = false;

	for (uint32_t i = 0; i < r->used; i++) {
		struct refresh_job *job = &r->jobs[i];
		bool of_user = job->user_id == run->user_id;
		bool own = of_user && job->id == id;

		if (!job->id)
			continue;
		if (own && !run->array_job_id) {
			job_clear(r, job);
			continue;
		}
		there = there || own;
		if (own && !ended) {
			job->started = true;
		} else if (ended && !job->due &&
			   (of_user || job->application == application)) {
			job->due = true;
			r->due++;
		}
	}
	return there;
}

void refresh_set(struct refresh *r, const struct prediction *p,
		 enum refresh_wait wait)
{
	if (wait != REFRESH_GONE)
		refresh_add(r, p, NULL);

	struct refresh_job *job = job_find(r, engine_ticket(p->id));

	if (job && wait == REFRESH_GONE)
		job_clear(r, job);
	else if (job && wait == REFRESH_BEGUN)
		job->started = true;
}

static void sets_get(const struct refresh_job *job, struct assumed *ret)
{
	ret->count = job->sets;
	for (int i = 0; i < ret->count; i++) {
		ret->weights[i] = (double)job->weights[i];
		ret->ratios[i] = (double)job->ratios[i];
	}
}

uint64_t refresh_take(struct refresh *r, double now_s,
		      struct assumed *ret_assumed, bool *ret_due)
{
	bool rest = !r->due || ++r->turns % REST_EVERY == 0;

	for (uint32_t i = 1; i <= r->used; i++) {
		uint32_t at = (r->last + i) % r->used;
		struct refresh_job *job = &r->jobs[at];

		if (job->submitted_at_s + WAITING_S < now_s)
			job_clear(r, job);
		if (!job->id || (!job->due && (!rest || job->started)))
			continue;
		r->last = at;
		r->due -= job->due;
		job->due = false;
		*ret_due = r->due > 0;
		sets_get(job, ret_assumed);
		return job->id;
	}
	*ret_due = false;
	return 0;
}

bool refresh_waits(const struct refresh *r, uint64_t id, bool *ret_started)
{
	*ret_started = r->jobs[r->last].started;
	return r->jobs[r->last].id == id;
}
