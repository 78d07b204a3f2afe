/* SPDX-License-Identifier: GPL-2.0-or-later */
/* easy.c - simulates a log under EASY backfilling
 *
 * Events are submissions (an array sorted by time), ends (a heap) and
 * corrections, when a job outlives its plan (running jobs are sorted by their
 * planned ends).  At each time, ends are handled first, then corrections, then
 * submissions; then the queue is scheduled.  As Slurm does it, the turns of its
 * backfill are events, too.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/compare.h"
#include "predictor/scheduler/easy.h"
#include "predictor/scheduler/free_cpus.h"
#include "predictor/scheduler/job_ends.h"
#include "predictor/scheduler/node_pool.h"
#include "predictor/scheduler/waiting_list.h"

#define MINUTE_S 60.0

struct simulation {
	const struct easy_rules *rules;
	const struct easy_job *jobs;
	const struct easy_planner *planner;
	double *started_s;
	size_t count;

	uint32_t *submissions;   /* jobs by their submission */
	size_t arrived, first;   /* of `submissions`; the first that may wait */
	struct easy_plan *plans; /* of each job, up to its limit */
	struct waiting_list waiting;

	uint32_t free_cpus;
	struct planned_end *running; /* by planned end */
	struct job_end *endings;     /* a heap */
	size_t running_count;        /* of both */
	struct free_cpus plan;       /* for backfill, by counts */
	struct node_pool nodes;      /* as Slurm does it; likewise: */
	double turn_s;               /* backfill's next; HUGE_VAL: none */
};

/* --- Waiting jobs, in the order in which they are tried ---------------- */

/* Return the first of the aged order, else the job that has waited longest;
 * or NO_JOB. */
static uint32_t waiting_head(struct simulation *w)
{
	if (w->rules->aged > 0)
		return w->waiting.first;
	while (w->first < w->arrived &&
	       !w->waiting.of[w->submissions[w->first]].waits)
		w->first++;
	return w->first < w->arrived ? w->submissions[w->first] : NO_JOB;
}

/* --- Scheduling -------------------------------------------------------- */

static int job_start(struct simulation *w, uint32_t job, double now_s,
		     struct sp_error *err)
{
	const struct easy_job *j = &w->jobs[job];

	waiting_list_remove(&w->waiting, job);
	w->started_s[job] = now_s;
	w->free_cpus -= j->cpus;
	planned_ends_insert(
		w->running, w->running_count,
		(struct planned_end){ .at_s = now_s + w->plans[job].reserve_s,
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

/* The first jobs that do not fit, of which the head is one, get the earliest
 * time that delays none before them; the others may start only now. */
static int backfill(struct simulation *w, uint32_t head, double now_s,
		    struct sp_error *err)
{
	uint32_t reservations = w->rules->reservations;
	uint32_t next;

	free_cpus_begin(&w->plan, now_s, w->free_cpus);
	for (size_t i = 0; i < w->running_count; i++)
		free_cpus_release(&w->plan, w->running[i].at_s,
				  w->running[i].cpus);
	reservations -= reservations > 0;
	free_cpus_take(&w->plan,
		       free_cpus_find(&w->plan, w->jobs[head].cpus,
				      w->plans[head].reserve_s),
		       w->plans[head].reserve_s, w->jobs[head].cpus);
	for (uint32_t job = w->waiting.first; job != NO_JOB && w->free_cpus > 0;
	     job = next) {
		uint32_t cpus = w->jobs[job].cpus;
		double length_s = w->plans[job].reserve_s;

		next = w->waiting.of[job].next;
		if (job == head || (reservations == 0 && cpus > w->free_cpus))
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

/* Return whether a job that does not fit is given a reservation. */
static bool job_reserves(const struct simulation *w, uint32_t job, double now_s)
{
	const struct easy_slurm *slurm = w->rules->slurm;
	double length_s = fmax(MINUTE_S, w->plans[job].order_s);
	double waited_s = now_s - w->jobs[job].submitted_s;

	return waited_s >= slurm->reserve_age_s ||
	       (slurm->reserve_slowdown > 0 &&
		waited_s + length_s >= slurm->reserve_slowdown * length_s);
}

/* One reservation, of particular nodes, for the first that is given one. */
static int backfill_nodes(struct simulation *w, double now_s,
			  struct sp_error *err)
{
	double linear_s = w->rules->slurm->window_linear_s;
	double reserved_s = HUGE_VAL; /* nothing yet */
	uint32_t next;

	for (uint32_t job = w->waiting.first; job != NO_JOB && w->free_cpus > 0;
	     job = next) {
		uint32_t cpus = w->jobs[job].cpus;
		bool ends_before =
			now_s + w->plans[job].reserve_s <= reserved_s;

		next = w->waiting.of[job].next;
		if (cpus <= w->free_cpus) {
			if (node_pool_take(&w->nodes, job, cpus, ends_before) &&
			    job_start(w, job, now_s, err))
				return -1;
		} else if (isinf(reserved_s) && job_reserves(w, job, now_s)) {
			reserved_s = node_pool_reserve(&w->nodes, w->running,
						       w->running_count, cpus,
						       now_s, linear_s);
		}
	}
	return 0;
}

/* Slurm's main scheduler starts the first jobs in the order; all else is left
 * to backfill's next turn. */
static int schedule_in_turns(struct simulation *w, double now_s,
			     struct sp_error *err)
{
	const struct easy_slurm *slurm = w->rules->slurm;
	uint32_t job = w->waiting.first;

	if (now_s >= w->turn_s) {
		w->turn_s = HUGE_VAL;
		return backfill_nodes(w, now_s, err);
	}
	while (job != NO_JOB && w->jobs[job].cpus <= w->free_cpus &&
	       (!slurm->turns_only || w->jobs[job].submitted_s == now_s)) {
		node_pool_take(&w->nodes, job, w->jobs[job].cpus, true);
		if (job_start(w, job, now_s, err))
			return -1;
		job = w->waiting.first;
	}
	if (job != NO_JOB)
		w->turn_s = fmin(w->turn_s, (floor(now_s / slurm->interval_s) +
					     1) * slurm->interval_s);
	return 0;
}

static int schedule(struct simulation *w, double now_s, struct sp_error *err)
{
	if (w->rules->slurm)
		return schedule_in_turns(w, now_s, err);

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
	struct easy_plan *plan = &w->plans[job];
	double limit_s = w->jobs[job].limit_s;

	if (w->planner->submitted(w->planner->context, job, now_s, plan, err))
		return -1;
	plan->order_s = fmin(plan->order_s, limit_s);
	plan->reserve_s = fmin(plan->reserve_s, limit_s);
	w->waiting.of[job].order_s = order_of(w, job, plan->order_s);
	return 0;
}

static int job_submit_next(struct simulation *w, double now_s,
			   struct sp_error *err)
{
	uint32_t job = w->submissions[w->arrived];

	if (job_plan(w, job, now_s, err))
		return -1;
	w->waiting.of[job].place = (uint32_t)w->arrived++;
	waiting_list_insert(&w->waiting, job);
	return 0;
}

static int job_end_next(struct simulation *w, double now_s,
			struct sp_error *err)
{
	uint32_t job = job_ends_pop(w->endings, w->running_count).job;

	planned_ends_remove(w->running, w->running_count, job);
	w->running_count--;
	w->free_cpus += w->jobs[job].cpus;
	if (w->rules->slurm)
		node_pool_release(&w->nodes, job);
	return w->planner->ended
		       ? w->planner->ended(w->planner->context, job,
					   w->started_s[job], now_s, err)
		       : 0;
}

/* The first planned end has passed, but the job has not ended: its limit is the
 * new plan. */
static void plan_correct(struct simulation *w)
{
	struct planned_end late = w->running[0];

	late.at_s = w->started_s[late.job] + w->jobs[late.job].limit_s;
	planned_ends_remove(w->running, w->running_count, late.job);
	planned_ends_insert(w->running, w->running_count - 1, late);
}

/* What happens next; HUGE_VAL: nothing of the kind. */
static double next_end(const struct simulation *w)
{
	return w->running_count > 0 ? w->endings[0].at_s : HUGE_VAL;
}

static double next_correction(const struct simulation *w)
{
	return w->running_count > 0 ? w->running[0].at_s : HUGE_VAL;
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
		plan_correct(w);
	while (next_submission(w) <= now_s)
		if (job_submit_next(w, now_s, err))
			return -1;
	return 0;
}

static int simulation_run(struct simulation *w, struct sp_error *err)
{
	while (w->running_count > 0 || w->arrived < w->count ||
	       w->turn_s < HUGE_VAL) {
		double now_s = fmin(fmin(next_end(w), next_correction(w)),
				    fmin(next_submission(w), w->turn_s));

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
		    !(j->runtime_s >= 0) || !(j->limit_s > 0) ||
		    j->runtime_s > j->limit_s)
			return sp_error_set(err, "job %zu: impossible times",
					    i);
	}
	return 0;
}

static int compare_submissions(const void *a, const void *b, void *context)
{
	const struct easy_job *jobs = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return COMPARE(jobs[x].submitted_s, jobs[y].submitted_s)
		       ?: COMPARE(x, y);
}

static int simulation_create(struct simulation *w, struct sp_error *err)
{
	/* No more can run at a time than there are CPUs. */
	size_t at_a_time =
		w->count < w->rules->cpus ? w->count : w->rules->cpus;

	w->submissions = calloc(w->count + 1, sizeof(*w->submissions));
	w->plans = calloc(w->count + 1, sizeof(*w->plans));
	w->waiting.of = calloc(w->count + 1, sizeof(*w->waiting.of));
	w->running = calloc(at_a_time + 1, sizeof(*w->running));
	w->endings = calloc(at_a_time + 1, sizeof(*w->endings));
	/* A job that starts takes two steps, one that ran gave one. */
	w->plan.steps = calloc(4 * at_a_time + 2ul * w->rules->reservations + 4,
			       sizeof(*w->plan.steps));
	if (!w->submissions || !w->plans || !w->waiting.of || !w->running ||
	    !w->endings || !w->plan.steps)
		return sp_error_set(err, "out of memory");
	if (w->rules->slurm &&
	    node_pool_create(&w->nodes, w->rules->cpus, w->count, err))
		return -1;
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
		.waiting = { .first = NO_JOB, .last = NO_JOB },
		.free_cpus = rules->cpus,
		.turn_s = HUGE_VAL,
	};
	int status = -1;

	if (!jobs_check(rules, jobs, count, err) && !simulation_create(&w, err))
		status = simulation_run(&w, err);
	free(w.submissions);
	free(w.plans);
	free(w.waiting.of);
	free(w.running);
	free(w.endings);
	free(w.plan.steps);
	node_pool_clear(&w.nodes);
	return status;
}
