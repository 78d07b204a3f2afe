/* SPDX-License-Identifier: GPL-2.0-or-later */
/* easy.c - simulates a log under EASY backfilling
 *
 * Events are submissions (an array sorted by time), ends (a heap) and
 * corrections, when a job outlives its plan (running jobs are sorted by their
 * planned ends).  At each time, ends are handled first, then corrections, then
 * submissions; then the queue is scheduled.  The one reservation needs nothing
 * but the planned ends.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/scheduler/easy.h"
#include "predictor/scheduler/free_cpus.h"
#include "predictor/scheduler/job_ends.h"

#define NO_JOB   UINT32_MAX
#define MINUTE_S 60.0

/* [2], 3.2: what is added at the first correction, the second, and so on. */
static const double steps_s[] = {
	60,       5 * 60,    15 * 60,   30 * 60,   3600,       7200,
	5 * 3600, 10 * 3600, 20 * 3600, 50 * 3600, 100 * 3600,
};
#define STEPS (sizeof(steps_s) / sizeof(steps_s[0]))

/* A job in the simulated world. */
struct easy_state {
	double order_s, reserve_s; /* the least order_s is tried first */
	uint32_t place;            /* in the order of submission */
	uint32_t next,
		previous; /* of those that wait, in the order of trying */
	uint32_t corrections;
	bool waits;
};

struct running_job {
	double planned_end_s;
	uint32_t job, cpus;
};

struct simulation {
	const struct easy_rules *rules;
	const struct easy_job *jobs;
	const struct easy_planner *planner;
	double *started_s;
	size_t count;

	uint32_t *submissions; /* jobs by their submission */
	size_t arrived, first; /* of `submissions`; the first that may wait */
	struct easy_state *states;
	uint32_t tried_first, tried_last; /* ends of the list of waiting jobs */

	uint32_t free_cpus;
	double refreshed_at_s;       /* when waiting jobs were planned again */
	struct running_job *running; /* by planned end */
	struct job_end *endings;     /* a heap */
	size_t running_count;        /* of both */
	size_t overdue;        /* that many first ones may end any moment */
	struct free_cpus plan; /* with several reservations */
};

/* --- Running jobs, by planned end -------------------------------------- */

static void running_insert(struct running_job *running, size_t count,
			   struct running_job new)
{
	size_t i = count;

	while (i > 0 && running[i - 1].planned_end_s > new.planned_end_s) {
		running[i] = running[i - 1];
		i--;
	}
	running[i] = new;
}

/* Return where it was. */
static size_t running_remove(struct running_job *running, size_t count,
			     uint32_t job)
{
	size_t i = 0;

	while (running[i].job != job)
		i++;
	memmove(&running[i], &running[i + 1],
		(count - i - 1) * sizeof(running[0]));
	return i;
}

/* --- Waiting jobs, in the order in which they are tried ---------------- */

static bool tried_before(const struct simulation *w, uint32_t a, uint32_t b)
{
	const struct easy_state *x = &w->states[a], *y = &w->states[b];

	if (x->order_s != y->order_s)
		return x->order_s < y->order_s;
	return x->place < y->place;
}

static void waiting_insert(struct simulation *w, uint32_t job)
{
	struct easy_state *state = &w->states[job];
	uint32_t previous = w->tried_last;

	while (previous != NO_JOB && tried_before(w, job, previous))
		previous = w->states[previous].previous;
	uint32_t *from_before = previous == NO_JOB ? &w->tried_first
						   : &w->states[previous].next;
	state->previous = previous;
	state->next = *from_before;
	*from_before = job;
	if (state->next == NO_JOB)
		w->tried_last = job;
	else
		w->states[state->next].previous = job;
	state->waits = true;
}

static void waiting_remove(struct simulation *w, uint32_t job)
{
	struct easy_state *state = &w->states[job];

	if (state->previous == NO_JOB)
		w->tried_first = state->next;
	else
		w->states[state->previous].next = state->next;
	if (state->next == NO_JOB)
		w->tried_last = state->previous;
	else
		w->states[state->next].previous = state->previous;
	state->waits = false;
}

/* Return the first of the aged order, else the job that has waited longest;
 * or NO_JOB. */
static uint32_t waiting_head(struct simulation *w)
{
	if (w->rules->aged > 0)
		return w->tried_first;
	while (w->first < w->arrived &&
	       !w->states[w->submissions[w->first]].waits)
		w->first++;
	return w->first < w->arrived ? w->submissions[w->first] : NO_JOB;
}

/* --- Scheduling -------------------------------------------------------- */

static int job_start(struct simulation *w, uint32_t job, double now_s,
		     struct sp_error *err)
{
	const struct easy_job *j = &w->jobs[job];

	waiting_remove(w, job);
	w->started_s[job] = now_s;
	w->free_cpus -= j->cpus;
	running_insert(
		w->running, w->running_count,
		(struct running_job){ .planned_end_s =
					      now_s + w->states[job].reserve_s,
				      .job = job,
				      .cpus = j->cpus });
	job_ends_push(
		w->endings, w->running_count,
		(struct job_end){ .at_s = now_s + j->runtime_s, .job = job });
	w->running_count++;
	return w->planner->started ? w->planner->started(w->planner->context,
							 job, now_s, err)
				   : 0;
}

/* When `cpus` will be free, and how many more then.  There are more running
 * jobs than it takes, since the job fits the machine. */
static double reservation_time(const struct simulation *w, uint32_t cpus,
			       double now_s, uint32_t *ret_spare)
{
	uint32_t available = w->free_cpus;
	double at_s = now_s;
	size_t i = 0;

	while (available < cpus) {
		at_s = fmax(now_s, w->running[i].planned_end_s);
		available += w->running[i++].cpus;
	}
	while (i < w->running_count && w->running[i].planned_end_s <= at_s)
		available += w->running[i++].cpus;
	*ret_spare = available - cpus;
	return at_s;
}

static int backfill(struct simulation *w, uint32_t head, double now_s,
		    struct sp_error *err)
{
	uint32_t spare;
	double shadow_s =
		reservation_time(w, w->jobs[head].cpus, now_s, &spare);
	uint32_t next;

	for (uint32_t job = w->tried_first; job != NO_JOB && w->free_cpus > 0;
	     job = next) {
		uint32_t cpus = w->jobs[job].cpus;

		next = w->states[job].next;
		if (job == head || cpus > w->free_cpus)
			continue;
		if (now_s + w->states[job].reserve_s > shadow_s) {
			if (cpus > spare)
				continue;
			spare -= cpus;
		}
		if (job_start(w, job, now_s, err))
			return -1;
	}
	return 0;
}

/* Each of the first jobs gets the earliest time that delays none before it; the
 * others may start only now. */
static int schedule_many(struct simulation *w, double now_s,
			 struct sp_error *err)
{
	uint32_t reservations = w->rules->reservations;
	uint32_t next;

	free_cpus_begin(&w->plan, now_s, w->free_cpus);
	for (size_t i = 0; i < w->running_count; i++)
		free_cpus_release(&w->plan,
				  fmax(now_s, w->running[i].planned_end_s),
				  w->running[i].cpus);
	for (uint32_t job = w->tried_first; job != NO_JOB && w->free_cpus > 0;
	     job = next) {
		uint32_t cpus = w->jobs[job].cpus;
		double length_s = w->states[job].reserve_s;

		next = w->states[job].next;
		if (reservations == 0 && cpus > w->free_cpus)
			continue;

		double at_s = free_cpus_find(&w->plan, cpus, length_s);

		if (at_s > now_s && reservations == 0)
			continue;
		free_cpus_take(&w->plan, at_s, length_s, cpus);
		if (at_s > now_s)
			reservations--;
		else if (job_start(w, job, now_s, err))
			return -1;
	}
	return 0;
}

static int schedule(struct simulation *w, double now_s, struct sp_error *err)
{
	if (w->rules->reservations > 1)
		return schedule_many(w, now_s, err);

	uint32_t head = waiting_head(w);

	while (head != NO_JOB && w->jobs[head].cpus <= w->free_cpus) {
		if (job_start(w, head, now_s, err))
			return -1;
		head = waiting_head(w);
	}
	return head == NO_JOB || w->free_cpus == 0
		       ? 0
		       : backfill(w, head, now_s, err);
}

/* --- Events ------------------------------------------------------------ */

static double order_of(const struct simulation *w, uint32_t job,
		       double length_s)
{
	double most_s = w->rules->aged_most_s;

	if (most_s > 0) /* as in plugin/site/plan.h */
		length_s = most_s * log1p(fmin(length_s, most_s) / MINUTE_S) /
			   log1p(most_s / MINUTE_S);
	if (w->rules->aged > 0)
		return w->jobs[job].submitted_s + w->rules->aged * length_s;
	return w->rules->shortest_first ? length_s : 0;
}

static int job_plan(struct simulation *w, uint32_t job, double now_s,
		    struct sp_error *err)
{
	struct easy_state *state = &w->states[job];
	double limit_s = w->jobs[job].limit_s;
	struct easy_plan plan;

	if (w->planner->submitted(w->planner->context, job, now_s, &plan, err))
		return -1;
	state->order_s = order_of(w, job, fmin(plan.order_s, limit_s));
	state->reserve_s = fmin(plan.reserve_s, limit_s);
	return 0;
}

static int job_submit_next(struct simulation *w, double now_s,
			   struct sp_error *err)
{
	uint32_t job = w->submissions[w->arrived];

	if (job_plan(w, job, now_s, err))
		return -1;
	w->states[job].place = (uint32_t)w->arrived++;
	waiting_insert(w, job);
	return 0;
}

/* Plan all waiting jobs again: the list is built anew, a job at a time. */
static int refresh(struct simulation *w, double now_s, struct sp_error *err)
{
	uint32_t next, job = w->tried_first;

	w->refreshed_at_s = now_s;
	w->tried_first = w->tried_last = NO_JOB;
	for (; job != NO_JOB; job = next) {
		next = w->states[job].next;
		if (job_plan(w, job, now_s, err))
			return -1;
		waiting_insert(w, job);
	}
	return 0;
}

static int job_end_next(struct simulation *w, double now_s,
			struct sp_error *err)
{
	uint32_t job = job_ends_pop(w->endings, w->running_count).job;

	if (running_remove(w->running, w->running_count, job) < w->overdue)
		w->overdue--;
	w->running_count--;
	w->free_cpus += w->jobs[job].cpus;
	return w->planner->ended
		       ? w->planner->ended(w->planner->context, job,
					   w->started_s[job], now_s, err)
		       : 0;
}

/* The first planned end has passed, but the job has not ended. */
static void plan_correct(struct simulation *w, double now_s)
{
	struct running_job late = w->running[w->overdue];
	struct easy_state *state = &w->states[late.job];
	double limit_at_s = w->started_s[late.job] + w->jobs[late.job].limit_s;

	late.planned_end_s = limit_at_s;
	if (w->rules->correction == EASY_IN_STEPS && state->corrections < STEPS)
		late.planned_end_s =
			fmin(limit_at_s, now_s + steps_s[state->corrections++]);
	if (w->rules->correction == EASY_HALFWAY)
		late.planned_end_s =
			fmin(limit_at_s,
			     now_s + fmax(MINUTE_S, (limit_at_s - now_s) / 2));
	running_remove(w->running, w->running_count, late.job);
	if (late.planned_end_s <= now_s) {
		late.planned_end_s = -HUGE_VAL;
		w->overdue++;
	}
	running_insert(w->running, w->running_count - 1, late);
}

/* What happens next; HUGE_VAL: nothing of the kind. */
static double next_end(const struct simulation *w)
{
	return w->running_count > 0 ? w->endings[0].at_s : HUGE_VAL;
}

static double next_correction(const struct simulation *w)
{
	return w->overdue < w->running_count
		       ? w->running[w->overdue].planned_end_s
		       : HUGE_VAL;
}

static double next_submission(const struct simulation *w)
{
	return w->arrived < w->count
		       ? w->jobs[w->submissions[w->arrived]].submitted_s
		       : HUGE_VAL;
}

/* All that happens at one moment happens before the queue is scanned. */
static int events_handle(struct simulation *w, double now_s,
			 struct sp_error *err)
{
	while (next_end(w) <= now_s)
		if (job_end_next(w, now_s, err))
			return -1;
	while (next_correction(w) <= now_s)
		plan_correct(w, now_s);
	while (next_submission(w) <= now_s)
		if (job_submit_next(w, now_s, err))
			return -1;
	if (w->rules->refresh_s > 0 &&
	    now_s - w->refreshed_at_s >= w->rules->refresh_s)
		return refresh(w, now_s, err);
	return 0;
}

static int simulation_run(struct simulation *w, struct sp_error *err)
{
	while (w->running_count > 0 || w->arrived < w->count) {
		double now_s = fmin(next_end(w), fmin(next_correction(w),
						      next_submission(w)));

		if (events_handle(w, now_s, err) || schedule(w, now_s, err))
			return -1;
	}
	return 0;
}

/* --- The world's beginning and end ------------------------------------- */

static int jobs_check(const struct easy_rules *rules,
		      const struct easy_job *jobs, size_t count,
		      struct sp_error *err)
{
	if (count >= NO_JOB)
		return sp_error_set(err, "%zu jobs are too many", count);
	for (size_t i = 0; i < count; i++) {
		const struct easy_job *j = &jobs[i];

		if (j->cpus < 1 || j->cpus > rules->cpus)
			return sp_error_set(err,
					    "job %zu: %u CPUs on a machine of "
					    "%u",
					    i, j->cpus, rules->cpus);
		if (!isfinite(j->submitted_s) || !isfinite(j->runtime_s) ||
		    !(j->runtime_s >= 0) || !(j->limit_s > 0))
			return sp_error_set(err, "job %zu: impossible times",
					    i);
	}
	return 0;
}

static int compare_submissions(const void *a, const void *b, void *context)
{
	const struct easy_job *jobs = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (jobs[x].submitted_s != jobs[y].submitted_s)
		return jobs[x].submitted_s < jobs[y].submitted_s ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int simulation_create(struct simulation *w, struct sp_error *err)
{
	/* No more can run at a time than there are CPUs. */
	size_t at_a_time =
		w->count < w->rules->cpus ? w->count : w->rules->cpus;

	w->submissions = calloc(w->count + 1, sizeof(*w->submissions));
	w->states = calloc(w->count + 1, sizeof(*w->states));
	w->running = calloc(at_a_time + 1, sizeof(*w->running));
	w->endings = calloc(at_a_time + 1, sizeof(*w->endings));
	/* A job that starts takes two steps, one that ran gave one. */
	w->plan.steps = calloc(4 * at_a_time + 2ul * w->rules->reservations + 4,
			       sizeof(*w->plan.steps));
	if (!w->submissions || !w->states || !w->running || !w->endings ||
	    !w->plan.steps)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < w->count; i++)
		w->submissions[i] = (uint32_t)i;
	qsort_r(w->submissions, w->count, sizeof(*w->submissions),
		compare_submissions, (void *)w->jobs);
	return 0;
}

int easy_simulate(const struct easy_rules *rules, const struct easy_job *jobs,
		  size_t count, const struct easy_planner *planner,
		  double *ret_started_s, struct sp_error *err)
{
	struct simulation w = {
		.rules = rules,
		.jobs = jobs,
		.planner = planner,
		.started_s = ret_started_s,
		.count = count,
		.tried_first = NO_JOB,
		.tried_last = NO_JOB,
		.free_cpus = rules->cpus,
	};
	int status = -1;

	if (!jobs_check(rules, jobs, count, err) && !simulation_create(&w, err))
		status = simulation_run(&w, err);
	free(w.submissions);
	free(w.states);
	free(w.running);
	free(w.endings);
	free(w.plan.steps);
	return status;
}
