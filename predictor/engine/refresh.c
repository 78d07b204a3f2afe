/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refresh.c - which waiting job is predicted again next
 *
 * To find a job or all of a user is a pass over the ring, which takes less
 * time than a prediction.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/subjects.h"

#define REST_EVERY 8 /* turns */

struct refresh_job {
	uint64_t id; /* 0: it waits no longer */
	uint32_t user_id;
	uint32_t application; /* hash of its name */
	bool due;
};

struct refresh {
	uint32_t used, next;  /* places that were taken; the next one */
	uint32_t last, turns; /* place of the job that was taken last */
	uint32_t due;         /* jobs */
	struct refresh_job jobs[REFRESH_MAX];
};

struct refresh *refresh_create(void)
{
	return calloc(1, sizeof(struct refresh));
}

static uint32_t hash_of(const struct application *application)
{
	return (uint32_t)index_hash_text(0, application->name);
}

static void job_clear(struct refresh *r, struct refresh_job *job)
{
	r->due -= job->due;
	*job = (struct refresh_job){ .id = 0 };
}

void refresh_add(struct refresh *r, const struct prediction *p)
{
	struct refresh_job *job = &r->jobs[r->next];

	job_clear(r, job);
	*job = (struct refresh_job){ .id = engine_ticket(p->id),
				     .user_id = p->user_id,
				     .application = hash_of(&p->application) };
	r->next = (r->next + 1) % REFRESH_MAX;
	r->used += r->used < REFRESH_MAX;
}

void refresh_note(struct refresh *r, const struct run *run)
{
	uint64_t id = engine_ticket(run->prediction_id);
	uint32_t application = hash_of(&run->application);
	bool ended = run->state != RUN_RUNNING;

	for (uint32_t i = 0; i < r->used; i++) {
		struct refresh_job *job = &r->jobs[i];
		bool of_user = job->user_id == run->user_id;

		if (!job->id)
			continue;
		if (of_user && job->id == id) {
			job_clear(r, job);
		} else if (ended && !job->due &&
			   (of_user || job->application == application)) {
			job->due = true;
			r->due++;
		}
	}
}

void refresh_clear(struct refresh *r)
{
	memset(r, 0, sizeof(*r));
}

uint64_t refresh_take(struct refresh *r, bool *ret_due)
{
	bool rest = !r->due || ++r->turns % REST_EVERY == 0;

	for (uint32_t i = 1; i <= r->used; i++) {
		uint32_t at = (r->last + i) % r->used;
		struct refresh_job *job = &r->jobs[at];

		if (!job->id || (!rest && !job->due))
			continue;
		r->last = at;
		r->due -= job->due;
		job->due = false;
		*ret_due = r->due > 0;
		return job->id;
	}
	*ret_due = false;
	return 0;
}

bool refresh_waits(const struct refresh *r, uint64_t id)
{
	return r->jobs[r->last].id == id;
}
