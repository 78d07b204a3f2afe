/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_jobs.c - many jobs that have ended, with their texts interned
 *
 * Each text and each application is stored once, in a block of its own, so that
 * it never moves; an index by its bytes finds it again.  An application is
 * stored with the parameters that it has, not with room for all of them.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/features/past_jobs.h"

/* Texts or applications, each stored once. */
struct interned {
	size_t size;
	void *bytes;
};

struct pool {
	struct interned *of;
	uint32_t count, capacity;
	struct index index;
};

struct past_jobs_texts {
	struct pool texts;        /* char[] */
	struct pool applications; /* struct application */
};

enum outcome_end outcome_end_of(enum run_state state)
{
	switch (state) {
	case RUN_COMPLETED:
		return OUTCOME_COMPLETED;
	case RUN_FAILED:
	case RUN_OUT_OF_MEMORY:
		return OUTCOME_FAILED;
	case RUN_CANCELLED:
		return OUTCOME_CANCELLED;
	case RUN_TIMEOUT:
		return OUTCOME_TIMEOUT;
	default:
		return OUTCOME_OTHER;
	}
}

void past_job_of_run(const struct run *run, struct past_job *ret)
{
	*ret = (struct past_job){
		.subject = SUBJECT_OF(run, run->submitted_at_s),
		.outcome = {
			.job_id = run->job_id,
			.end = outcome_end_of(run->state),
			/* Models know no suspensions: it began later. */
			.started_at_s = run->started_at_s + run->suspended_s,
			.ended_at_s = run->ended_at_s,
		},
		.before = run->before,
	};
}

/* --- Interning ---------------------------------------------------- */

struct bytes_key {
	const struct pool *pool;
	size_t size;
	const void *bytes;
};

static bool bytes_equal(const void *context, uint32_t position)
{
	const struct bytes_key *w = context;
	const struct interned *interned = &w->pool->of[position];

	return interned->size == w->size &&
	       memcmp(interned->bytes, w->bytes, w->size) == 0;
}

/* Return the pool's copy of `size` bytes; NULL: out of memory. */
static const void *pool_intern(struct pool *pool, const void *bytes,
			       size_t size)
{
	const struct bytes_key key = { pool, size, bytes };
	uint64_t hash = index_hash(0, bytes, size);
	uint32_t position = index_find(&pool->index, hash, bytes_equal, &key);

	if (position != INDEX_NONE)
		return pool->of[position].bytes;
	if (index_reserve(&pool->index) ||
	    index_grow(&pool->of, &pool->capacity, pool->count,
		       sizeof(pool->of[0])))
		return NULL;

	void *copy = malloc(size);

	if (!copy)
		return NULL;
	memcpy(copy, bytes, size);
	index_add(&pool->index, hash, pool->count);
	pool->of[pool->count++] = (struct interned){ size, copy };
	return copy;
}

static void pool_clear(struct pool *pool)
{
	for (uint32_t i = 0; i < pool->count; i++)
		free(pool->of[i].bytes);
	free(pool->of);
	index_clear(&pool->index);
}

static const char *text_intern(struct past_jobs_texts *texts, const char *text)
{
	return pool_intern(&texts->texts, text, strlen(text) + 1);
}

static const struct application *
application_intern(struct past_jobs_texts *texts, const struct application *app)
{
	struct application clean;
	int count = app->parameters.count;

	/* Bytes behind a terminator must not make a difference. */
	memset(&clean, 0, sizeof(clean));
	memccpy(clean.name, app->name, '\0', sizeof(clean.name) - 1);
	clean.parameters.count = count;
	for (int i = 0; i < count; i++) {
		const struct parameter *from = &app->parameters.of[i];
		struct parameter *to = &clean.parameters.of[i];

		memccpy(to->name, from->name, '\0', sizeof(to->name) - 1);
		to->value = from->value;
	}
	return pool_intern(&texts->applications, &clean,
			   offsetof(struct application, parameters.of) +
				   (size_t)count *
					   sizeof(app->parameters.of[0]));
}

/* --- The jobs ------------------------------------------------------------- */

void past_jobs_init(struct past_jobs *ret)
{
	*ret = (struct past_jobs){ .of = NULL };
}

static int jobs_reserve(struct past_jobs *jobs)
{
	if (!jobs->texts) {
		jobs->texts = calloc(1, sizeof(*jobs->texts));
		if (!jobs->texts)
			return -1;
	}
	return index_grow(&jobs->of, &jobs->capacity, (uint32_t)jobs->count,
			  sizeof(*jobs->of));
}

int past_jobs_add(struct past_jobs *jobs, const struct past_job *job,
		  struct sp_error *err)
{
	if (jobs_reserve(jobs))
		return sp_error_set(err, "out of memory after %zu jobs",
				    jobs->count);

	struct past_job kept = *job;
	struct subject *s = &kept.subject;

	s->cluster = text_intern(jobs->texts, s->cluster);
	s->account = text_intern(jobs->texts, s->account);
	s->partition = text_intern(jobs->texts, s->partition);
	s->qos = text_intern(jobs->texts, s->qos);
	s->features = text_intern(jobs->texts, s->features);
	s->gres = text_intern(jobs->texts, s->gres);
	s->traits = text_intern(jobs->texts, s->traits);
	s->application = application_intern(jobs->texts, s->application);
	if (!s->cluster || !s->account || !s->partition || !s->qos ||
	    !s->features || !s->gres || !s->traits || !s->application)
		return sp_error_set(err, "out of memory after %zu jobs",
				    jobs->count);
	jobs->of[jobs->count++] = kept;
	return 0;
}

void past_jobs_clear(struct past_jobs *jobs)
{
	if (jobs->texts) {
		pool_clear(&jobs->texts->texts);
		pool_clear(&jobs->texts->applications);
	}
	free(jobs->texts);
	free(jobs->of);
	past_jobs_init(jobs);
}
