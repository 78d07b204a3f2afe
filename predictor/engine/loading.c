/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loading.c - learning the past, when predictd starts or runs were imported
 *
 * What is learned goes into a fresh ensemble, which takes the place of the old
 * one in the end.  The newest runs are replayed as they happened: each is
 * predicted at its submission from what had ended by then, so that choice and
 * calibration find themselves where they were.  Older ones are only taught.
 * Two generations of runs are held: when the younger is full, the elder is
 * taught and forgotten, which leaves one to two generations for the replay.
 *
 * Jobs that have not ended are submitted in the replay too, and so are judged
 * when they do.  All of this belongs to the one thread that reloads the past;
 * the engine's lock is taken only to read predictions and to swap.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/identify.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/subjects.h"
#include "predictor/engine/loading.h"
#include "predictor/ensemble/past_events.h"
#include "predictor/engine/engine_state.h"
#include "predictor/features/past_jobs.h"

/* At 10 us each a replay takes less than a second. */
#define GENERATION 32768

/* What a past job does not say itself. */
struct loaded_job {
	uint64_t ticket;           /* of its prediction; 0: none was made */
	struct conditions assumed; /* at its submission */
};

struct generation {
	struct past_jobs jobs;
	struct loaded_job *loaded_jobs; /* of each, room for GENERATION + 1 */
};

struct loading {
	struct learned fresh;
	struct generation elder, younger;
	double taught_until_s; /* the last end of those that were taught */
	struct index seen;     /* tickets of runs that came */
};

/* --- Generations ---------------------------------------------------------- */

static int generation_create(struct generation *g)
{
	past_jobs_init(&g->jobs);
	g->loaded_jobs = malloc(GENERATION * sizeof(g->loaded_jobs[0]));
	return g->loaded_jobs ? 0 : -1;
}

static void generation_clear(struct generation *g)
{
	past_jobs_clear(&g->jobs);
	free(g->loaded_jobs);
	g->loaded_jobs = NULL;
}

static int elder_learn(struct loading *l, struct sp_error *err)
{
	for (size_t i = 0; i < l->elder.jobs.count; i++) {
		const struct past_job *job = &l->elder.jobs.of[i];

		if (!isfinite(job->outcome.ended_at_s))
			continue;
		if (ensemble_end(l->fresh.ensemble, 0, job, err))
			return -1;
		l->taught_until_s =
			fmax(l->taught_until_s, job->outcome.ended_at_s);
	}
	return 0;
}

static int generation_add(struct loading *l, const struct past_job *job,
			  const struct loaded_job *loaded, struct sp_error *err)
{
	if (l->younger.jobs.count == GENERATION) {
		struct generation emptied = l->elder;

		if (elder_learn(l, err))
			return -1;
		past_jobs_clear(&emptied.jobs);
		past_jobs_init(&emptied.jobs);
		l->elder = l->younger;
		l->younger = emptied;
	}
	if (past_jobs_add(&l->younger.jobs, job, err))
		return -1;
	l->younger.loaded_jobs[l->younger.jobs.count - 1] = *loaded;
	return 0;
}

/* --- Taking in runs ------------------------------------------------------- */

/* A ticket's number is random: it is its own hash. */
static bool seen_find(const struct loading *l, uint64_t ticket)
{
	return index_find(&l->seen, ticket, NULL, NULL) != INDEX_NONE;
}

static int seen_add(struct loading *l, uint64_t ticket)
{
	if (seen_find(l, ticket))
		return 0;
	if (index_reserve(&l->seen))
		return -1;
	index_add(&l->seen, ticket, 0);
	return 0;
}

static int run_add(struct loading *l, const struct run *run,
		   const struct prediction *p, struct sp_error *err)
{
	struct loaded_job loaded = { 0, run->before };
	struct past_job job;

	engine_past_job(run, p, &job);
	if (p) {
		loaded = (struct loaded_job){ engine_ticket(p->id),
					      p->conditions };
		if (seen_add(l, loaded.ticket))
			return sp_error_set(err, "job %u: out of memory",
					    run->job_id);
	}
	return generation_add(l, &job, &loaded, err);
}

int loading_add(struct engine *engine, const struct run *run,
		struct sp_error *err)
{
	struct loading *l = engine->loading;
	struct run example;
	struct prediction p;

	if (run->state == RUN_LOST || learned_knows(&l->fresh, run))
		return 0;
	ordered_lock_take(&engine->lock);

	bool predicted = predictions_of_run(engine->predictions, run, &p) == 0;

	ordered_lock_give(&engine->lock);
	if (run->state == RUN_RUNNING && !predicted)
		return 0;
	if (index_reserve(&l->fresh.ended))
		return sp_error_set(err, "job %u: out of memory", run->job_id);
	example = *run;
	if (predicted)
		example.application = p.application;
	else if (!*example.application.name)
		application_from_name(run->job_name, &example.application);
	if (run_add(l, &example, predicted ? &p : NULL, err))
		return -1;
	if (run->state == RUN_RUNNING)
		return 0;
	learned_note(&l->fresh, run);
	if (predicted)
		learned_score(&l->fresh, run, &p);
	return 0;
}

/* --- The end -------------------------------------------------------------- */

/* The predictions whose job has not even started.  They are read again
 * after training, which cannot be undone. */
static int waiting_add(struct engine *engine, struct loading *l,
		       struct sp_error *err)
{
	struct prediction p;
	uint32_t cursor = 0;

	for (;;) {
		ordered_lock_take(&engine->lock);

		int rc = records_next(engine->predictions, &cursor, &p);

		ordered_lock_give(&engine->lock);
		if (rc)
			return 0;
		if (p.stage != STAGE_SUBMISSION ||
		    seen_find(l, engine_ticket(p.id)))
			continue;

		struct loaded_job loaded = { engine_ticket(p.id),
					     p.conditions };
		struct past_job job = {
			.outcome = { .end = OUTCOME_OTHER,
				     .started_at_s = NAN,
				     .ended_at_s = NAN },
			.before = p.conditions,
		};

		engine_subject(&p, &job.subject);
		if (generation_add(l, &job, &loaded, err))
			return -1;
	}
}

struct replayed {
	size_t count;
	struct past_job *jobs;
	struct loaded_job *loaded_jobs;
	size_t warm;
};

static uint64_t ticket_of(void *context, size_t job)
{
	const struct replayed *r = context;

	/* Above all that are given to predictions but by chance. */
	return r->loaded_jobs[job].ticket ? r->loaded_jobs[job].ticket
					  : UINT64_MAX - job;
}

static const struct conditions *assumed_of(void *context, size_t job)
{
	const struct replayed *r = context;

	return &r->loaded_jobs[job].assumed;
}

static void replayed_append(struct replayed *r, const struct generation *g,
			    double taught_until_s)
{
	for (size_t i = 0; i < g->jobs.count; i++) {
		struct past_job *job = &r->jobs[r->count];

		*job = g->jobs.of[i];
		r->loaded_jobs[r->count++] = g->loaded_jobs[i];
		if (!(job->subject.submitted_at_s < taught_until_s))
			continue;
		if (isfinite(job->outcome.ended_at_s))
			r->warm++;
		else
			job->subject.submitted_at_s = taught_until_s;
	}
}

static int replay_newest(struct loading *l, struct sp_error *err)
{
	size_t count = l->elder.jobs.count + l->younger.jobs.count;
	struct replayed r = {
		.jobs = calloc(count + 1, sizeof(r.jobs[0])),
		.loaded_jobs = calloc(count + 1, sizeof(r.loaded_jobs[0])),
	};
	struct replay_visitor visitor = { .context = &r,
					  .ticket = ticket_of,
					  .assumed_of = assumed_of };
	int rc;

	if (r.jobs && r.loaded_jobs) {
		replayed_append(&r, &l->elder, l->taught_until_s);
		replayed_append(&r, &l->younger, l->taught_until_s);
		rc = replay(l->fresh.ensemble, r.jobs, r.count, r.warm,
			    &visitor, err);
	} else {
		rc = sp_error_set(err, "out of memory for %zu runs", count);
	}
	free(r.jobs);
	free(r.loaded_jobs);
	return rc;
}

static struct loading *swap_loading(struct engine *engine, struct loading *l)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	struct loading *before = engine->loading;

	engine->loading = l;
	return before;
}

int engine_load_begin(struct engine *engine, struct sp_error *err)
{
	struct loading *l = calloc(1, sizeof(*l));

	if (!l)
		return sp_error_set(err, "out of memory");
	l->taught_until_s = -HUGE_VAL;
	if (learned_create(&l->fresh) || generation_create(&l->elder) ||
	    generation_create(&l->younger)) {
		loading_destroy(l);
		return sp_error_set(err, "out of memory");
	}
	if (engine->start &&
	    ensemble_set_start(l->fresh.ensemble, engine->start,
			       strlen(engine->start), err)) {
		loading_destroy(l);
		return -1;
	}
	loading_destroy(swap_loading(engine, l));
	return 0;
}

int engine_load_end(struct engine *engine, struct sp_error *err)
{
	struct loading *l = engine->loading;

	if (!l)
		return 0;

	int rc = waiting_add(engine, l, err) || replay_newest(l, err) ? -1 : 0;

	ordered_lock_take(&engine->lock);
	if (!rc) {
		struct learned before = engine->learned;

		ensemble_set_profiles(l->fresh.ensemble, engine->profiles);
		ensemble_set_profiles(before.ensemble, NULL);
		engine->learned = l->fresh;
		l->fresh = before;
	}
	engine->loading = NULL;
	ordered_lock_give(&engine->lock);
	loading_destroy(l);
	return rc;
}

void loading_destroy(struct loading *l)
{
	if (!l)
		return;
	learned_destroy(&l->fresh);
	generation_clear(&l->elder);
	generation_clear(&l->younger);
	index_clear(&l->seen);
	free(l);
}
