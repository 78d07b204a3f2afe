/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loading.c - learning the past, when predictd starts or runs were imported
 *
 * What is learned goes into a fresh ensemble, which takes the place of the old
 * one in the end, and knows the same as if it had been there all the time.  The
 * newest runs are replayed in the order in which they became known: those with
 * a prediction are predicted from what had been learned by then, the others are
 * only taught, as engine_learn() does.  Imported runs, which nobody predicted,
 * are predicted as in a backtest, so that choice and calibration begin with
 * them.  Older ones are only taught.  Two generations of runs are held: when
 * the younger is full, the elder is taught and forgotten, which leaves one to
 * two generations for the replay.
 *
 * Jobs that have not ended are submitted in the replay too, and so are judged
 * when they do.  All of this belongs to the one thread that reloads the past;
 * the engine's lock is taken only to read predictions and to swap.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/features/script/identify.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/store.h"
#include "predictor/engine/subjects.h"
#include "predictor/engine/loading.h"
#include "predictor/ensemble/past_events.h"
#include "predictor/engine/engine_state.h"
#include "predictor/features/past_jobs.h"

/* Predicted jobs of a generation: at 10 us each a replay takes less than a
 * second.  All jobs: a bulk without predictions has room beside them. */
#define GENERATION     32768
#define GENERATION_ALL 131072

/* What a past job does not say itself. */
struct loaded_job {
	uint64_t ticket;           /* of its prediction; 0: it is only taught */
	struct conditions assumed; /* at its submission */
	int64_t change;            /* with which its end came; 0: imported */
	int64_t seen, start_seen;  /* by its predictions; 0: not known */
	bool started;              /* its start became known */
	double lost_s;             /* when its run was lost; 0: it was not */
	struct past_times known;   /* in the replay */
};

struct generation {
	struct past_jobs jobs;
	size_t predicted, room;
	struct loaded_job *loaded_jobs; /* of each */
};

struct loading {
	struct learned fresh;
	struct generation elder, younger;
	double taught_until_s; /* the last end of those that were taught */
	struct index seen;     /* tickets of runs that came, with whether the
				  job waits after the last: a refresh_wait */
	uint64_t cursor;       /* behind the predictions that were read */
	uint64_t imported;     /* runs, for their tickets */
	int64_t change;        /* the last of all runs */
	uint64_t ended;        /* runs */
	double ended_since_s;  /* the first of their ends */
};

/* --- Generations ---------------------------------------------------------- */

static void generation_clear(struct generation *g)
{
	past_jobs_clear(&g->jobs);
	free(g->loaded_jobs);
	*g = (struct generation){ .room = 0 };
}

static int generation_reserve(struct generation *g)
{
	size_t room = g->room ? 2 * g->room : 256;
	struct loaded_job *grown;

	if (g->jobs.count < g->room)
		return 0;
	grown = reallocarray(g->loaded_jobs, room, sizeof(*grown));
	if (!grown)
		return -1;
	g->loaded_jobs = grown;
	g->room = room;
	return 0;
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
	struct generation *g = &l->younger;

	if (g->predicted == GENERATION || g->jobs.count == GENERATION_ALL) {
		if (elder_learn(l, err))
			return -1;
		generation_clear(&l->elder);
		l->elder = *g;
		*g = (struct generation){ .room = 0 };
	}
	if (generation_reserve(g))
		return sp_error_set(err, "out of memory for a run");
	if (past_jobs_add(&g->jobs, job, err))
		return -1;
	g->loaded_jobs[g->jobs.count - 1] = *loaded;
	g->predicted += loaded->ticket != 0;
	return 0;
}

/* --- Taking in runs ------------------------------------------------------- */

/* A ticket's number is random: it is its own hash. */
static uint32_t seen_find(const struct loading *l, const char *prediction_id)
{
	return index_find(&l->seen, engine_ticket(prediction_id), NULL, NULL);
}

static int seen_put(struct loading *l, const char *prediction_id,
		    enum refresh_wait wait)
{
	uint64_t ticket = engine_ticket(prediction_id);
	uint32_t before = seen_find(l, prediction_id);

	if (index_reserve(&l->seen))
		return -1;
	if (before != INDEX_NONE)
		index_remove(&l->seen, ticket, before);
	index_add(&l->seen, ticket, wait);
	return 0;
}

/* Return whether the job waits after this run, as it is when learn.c notes
 * one. */
static enum refresh_wait wait_after(const struct run *run)
{
	if (run->array_job_id)
		return REFRESH_BEGUN;
	return run_is_requeued(run) ? REFRESH_WAITS : REFRESH_GONE;
}

/* What is known of the job by the predictions for it, of which `start` may be
 * NULL. */
static struct loaded_job loaded_predicted(const struct prediction *p,
					  const struct prediction *start)
{
	return (struct loaded_job){ .ticket = engine_ticket(p->id),
				    .assumed = p->conditions,
				    .seen = p->seen,
				    .start_seen = start ? start->seen : 0,
				    .started = start != NULL };
}

static int run_add(struct loading *l, const struct run *run, double lost_s,
		   const struct prediction *p, const struct prediction *start,
		   struct sp_error *err)
{
	struct loaded_job loaded = { .assumed = run->before };
	struct past_job job;

	engine_past_job(run, p, &job);
	if (p)
		loaded = loaded_predicted(p, start);
	else if (!run->change)
		/* Above all that are given to predictions but by chance. */
		loaded = (struct loaded_job){
			.ticket = UINT64_MAX - l->imported++,
			.assumed = run->before,
			.started = true,
		};
	loaded.change = run->change;
	loaded.lost_s = lost_s;
	if (p && seen_put(l, p->id, wait_after(run)))
		return sp_error_set(err, "job %u: out of memory", run->job_id);
	return generation_add(l, &job, &loaded, err);
}

int loading_add(struct engine *engine, const struct run *run,
		struct sp_error *err)
{
	struct loading *l = engine->loading;
	struct run example;
	struct prediction p, start;
	double lost_s = run->state == RUN_LOST ? run->ended_at_s : 0;

	l->change = run->change > l->change ? run->change : l->change;
	l->ended += run->state != RUN_RUNNING;
	l->ended_since_s = fmin(l->ended_since_s, run->ended_at_s);
	if (learned_knows(&l->fresh, run))
		return 0;
	example = *run;
	if (lost_s > 0) { /* its end may still be reported */
		example.state = RUN_RUNNING;
		example.ended_at_s = NAN;
	}
	ordered_lock_take(&engine->lock);

	bool predicted = predictions_of_run(engine->predictions, run, &p) == 0;
	bool started = predicted && predictions_get(engine->predictions, p.id,
						    STAGE_START, &start) == 0;

	ordered_lock_give(&engine->lock);
	if (example.state == RUN_RUNNING && !predicted)
		return 0;
	if (index_reserve(&l->fresh.ended))
		return sp_error_set(err, "job %u: out of memory", run->job_id);
	if (!*run->application.name)
		application_from_name(run->job_name, &example.application);
	if (run_add(l, &example, lost_s, predicted ? &p : NULL,
		    started ? &start : NULL, err))
		return -1;
	if (example.state == RUN_RUNNING)
		return 0;
	learned_note(&l->fresh, run);
	if (predicted)
		learned_score(&l->fresh, run, &p);
	return 0;
}

/* --- The end -------------------------------------------------------------- */

/* Return since when a job must have been predicted for its run, if it has
 * ended, to be among those that came: at the start the newest come first. */
static double waiting_since_s(const struct engine *engine,
			      const struct loading *l)
{
	return engine->change == 0 && l->ended >= STORE_RUNS_FIRST
		       ? l->ended_since_s
		       : -HUGE_VAL;
}

/* Add the predictions whose job has not even started, and have refresh.c know
 * which jobs wait. */
static int waiting_add(struct engine *engine, struct loading *l,
		       struct sp_error *err)
{
	double since_s = waiting_since_s(engine, l);
	struct prediction p = { .id = "" };

	for (;;) {
		ordered_lock_take(&engine->lock);

		int rc = records_next(engine->predictions, &l->cursor, &p);
		uint32_t wait = seen_find(l, p.id);
		bool ran = wait != INDEX_NONE;
		bool counts = !rc && p.stage == STAGE_SUBMISSION &&
			      (ran || !(p.made_at_s < since_s));

		if (counts)
			refresh_set(engine->refresh, &p,
				    ran ? wait : REFRESH_WAITS);
		ordered_lock_give(&engine->lock);
		if (rc)
			return 0;
		if (!counts || ran)
			continue;

		struct loaded_job loaded = loaded_predicted(&p, NULL);
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

/* Find the next job that came while the fresh ensemble was built.  The caller
 * holds engine->lock. */
static bool late_next(struct engine *engine, struct loading *l,
		      struct prediction *ret)
{
	while (!records_next(engine->predictions, &l->cursor, ret))
		if (ret->stage == STAGE_SUBMISSION &&
		    seen_find(l, ret->id) == INDEX_NONE)
			return true;
	return false;
}

/* Predict it in that ensemble as well. */
static void late_predict(struct loading *l, const struct prediction *p)
{
	struct verdict verdict;
	struct subject subject;

	engine_subject(p, &subject);
	ensemble_predict(l->fresh.ensemble, &subject, &p->conditions,
			 p->made_at_s, engine_ticket(p->id), &verdict);
}

struct replayed {
	size_t count;
	struct past_job *jobs;
	struct loaded_job *loaded_jobs;
};

static uint64_t ticket_of(void *context, size_t job)
{
	return ((struct replayed *)context)->loaded_jobs[job].ticket;
}

static const struct conditions *assumed_of(void *context, size_t job)
{
	return &((struct replayed *)context)->loaded_jobs[job].assumed;
}

/* Models remember what they said last: it is predicted again at the start. */
static void note_start(void *context UNUSED, size_t job UNUSED,
		       const struct verdict *verdict UNUSED)
{
}

static struct past_times known_of(void *context, size_t job)
{
	return ((struct replayed *)context)->loaded_jobs[job].known;
}

static void replayed_append(struct replayed *r, struct generation *g,
			    double taught_until_s)
{
	for (size_t i = 0; i < g->jobs.count; i++) {
		struct past_job *job = &r->jobs[r->count];
		struct loaded_job *loaded = &r->loaded_jobs[r->count++];

		*job = g->jobs.of[i];
		*loaded = g->loaded_jobs[i];
		if (!(job->subject.submitted_at_s < taught_until_s))
			continue;
		if (isfinite(job->outcome.ended_at_s))
			loaded->ticket = 0;
		else
			job->subject.submitted_at_s = taught_until_s;
	}
}

/* --- The order in which things became known ------------------------------- */

/* Ends are numbered by the store; a prediction comes behind the last end that
 * it knew. */
struct step {
	int64_t number;
	bool predicts;
	double *time_s; /* in `known` */
};

static int by_number(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return COMPARE(x->number, y->number)
		       ?: COMPARE(x->predicts, y->predicts)
		       ?: COMPARE(*x->time_s, *y->time_s)
		       ?: COMPARE(x->time_s, y->time_s);
}

static size_t step_add(struct step *steps, size_t n, int64_t number,
		       bool predicts, double *time_s)
{
	if (number >= 0 && isfinite(*time_s))
		steps[n++] = (struct step){ number, predicts, time_s };
	return n;
}

/* Set when each thing became known: at its own time, but not before what is
 * known to have come before it. */
static int find_known(struct replayed *r)
{
	struct step *steps = malloc((3 * r->count + 1) * sizeof(*steps));
	double before_s = -HUGE_VAL;
	size_t n = 0;

	if (!steps)
		return -1;
	for (size_t i = 0; i < r->count; i++) {
		struct loaded_job *l = &r->loaded_jobs[i];
		const struct outcome *o = &r->jobs[i].outcome;
		double at_s = r->jobs[i].subject.submitted_at_s;
		struct past_times *t = &l->known;

		*t = (struct past_times){
			.submitted_s = isfinite(at_s) ? at_s : o->started_at_s,
			.started_s = NAN,
			.ended_s = o->ended_at_s,
		};
		if (l->lost_s > 0)
			t->ended_s = fmax(l->lost_s, t->submitted_s);
		if (l->started) /* the clock of a node may be behind */
			t->started_s = fmax(o->started_at_s, at_s);
		n = step_add(steps, n, l->change ? l->change : -1, false,
			     &t->ended_s);
		n = step_add(steps, n, l->seen - 1, true, &t->submitted_s);
		n = step_add(steps, n, l->start_seen - 1, true, &t->started_s);
	}
	qsort(steps, n, sizeof(*steps), by_number);
	for (size_t i = 0; i < n; i++) {
		*steps[i].time_s =
			fmax(*steps[i].time_s, nextafter(before_s, HUGE_VAL));
		before_s = *steps[i].time_s;
	}
	free(steps);
	return 0;
}

static int replay_newest(struct loading *l, struct sp_error *err)
{
	size_t count = l->elder.jobs.count + l->younger.jobs.count;
	struct replayed r = {
		.jobs = calloc(count + 1, sizeof(r.jobs[0])),
		.loaded_jobs = calloc(count + 1, sizeof(r.loaded_jobs[0])),
	};
	struct replay_visitor visitor = { .context = &r,
					  .started = note_start,
					  .ticket = ticket_of,
					  .known = known_of,
					  .assumed_of = assumed_of };
	int rc = -1;

	if (r.jobs && r.loaded_jobs) {
		replayed_append(&r, &l->elder, l->taught_until_s);
		replayed_append(&r, &l->younger, l->taught_until_s);
		rc = find_known(&r);
	}
	rc = rc ? sp_error_set(err, "out of memory for %zu runs", count)
		: replay(l->fresh.ensemble, r.jobs, r.count, 0, &visitor, err);
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
	l->ended_since_s = HUGE_VAL;
	if (learned_create(&l->fresh)) {
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
	struct prediction late;

	ordered_lock_take(&engine->lock);
	while (!rc && late_next(engine, l, &late)) {
		ordered_lock_give(&engine->lock);
		late_predict(l, &late);
		ordered_lock_take(&engine->lock);
	}
	if (!rc) {
		struct learned before = engine->learned;

		ensemble_set_profiles(l->fresh.ensemble, engine->profiles);
		ensemble_set_profiles(before.ensemble, NULL);
		engine->learned = l->fresh;
		engine->change = l->change;
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
