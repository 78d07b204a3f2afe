/* easy.c - what would have happened under EASY backfilling
 *
 * Events are submissions (an array sorted by time), ends (a heap) and the
 * moments at which a job outlives its plan (the first of the running jobs,
 * which are kept by their planned ends).  At each moment ends come first, then
 * corrections, then submissions, then the queue is looked at.  The planned ends
 * are all that the one reservation needs of a profile.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/easy.h"

#define NOBODY UINT32_MAX

/* [2], 3.2: what is added at the first correction, the second, and so on. */
static const double steps_s[] = {
	60,       5 * 60,    15 * 60,   30 * 60,   3600,       7200,
	5 * 3600, 10 * 3600, 20 * 3600, 50 * 3600, 100 * 3600,
};
#define STEPS (sizeof(steps_s) / sizeof(steps_s[0]))

/* A job in the simulated world. */
struct actor {
	double order_s, reserve_s;
	uint32_t place;        /* in the order of submission */
	uint32_t next, before; /* of those that wait, in the order of trying */
	uint32_t corrections;
	bool waits;
};

struct running {
	double planned_end_s;
	uint32_t job, cpus;
};

struct ending {
	double at_s;
	uint32_t job;
};

struct world {
	const struct easy_rules *rules;
	const struct easy_job *jobs;
	const struct easy_planner *planner;
	double *started_s;
	size_t count;

	uint32_t *submissions; /* jobs by their submission */
	size_t arrived, first; /* of `submissions`; the first that may wait */
	struct actor *actors;
	uint32_t tried_first, tried_last; /* ends of the list of waiting jobs */

	uint32_t free_cpus;
	struct running *running; /* by planned end */
	struct ending *endings;  /* a heap */
	size_t running_count;    /* of both */
	size_t overdue;          /* that many first ones may end any moment */
};

/* --- The heap of ends -------------------------------------------------- */

static bool ends_before(const struct ending *a, const struct ending *b)
{
	return a->at_s < b->at_s || (a->at_s == b->at_s && a->job < b->job);
}

static void endings_push(struct world *w, struct ending new)
{
	size_t i = w->running_count;

	while (i > 0 && ends_before(&new, &w->endings[(i - 1) / 2])) {
		w->endings[i] = w->endings[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	w->endings[i] = new;
}

static struct ending endings_pop(struct world *w)
{
	struct ending top = w->endings[0];
	size_t count = w->running_count - 1;
	struct ending last = w->endings[count];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
		    ends_before(&w->endings[child + 1], &w->endings[child]))
			child++;
		if (!ends_before(&w->endings[child], &last))
			break;
		w->endings[i] = w->endings[child];
		i = child;
	}
	w->endings[i] = last;
	return top;
}

/* --- Running jobs, by planned end -------------------------------------- */

static void running_insert(struct running *running, size_t count,
			   struct running new)
{
	size_t i = count;

	while (i > 0 && running[i - 1].planned_end_s > new.planned_end_s) {
		running[i] = running[i - 1];
		i--;
	}
	running[i] = new;
}

/* Return where it was. */
static size_t running_remove(struct running *running, size_t count,
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

static bool tried_before(const struct world *w, uint32_t a, uint32_t b)
{
	const struct actor *x = &w->actors[a], *y = &w->actors[b];

	if (w->rules->shortest_first && x->order_s != y->order_s)
		return x->order_s < y->order_s;
	return x->place < y->place;
}

static void waiting_insert(struct world *w, uint32_t job)
{
	struct actor *actor = &w->actors[job];
	uint32_t before = w->tried_last;

	while (before != NOBODY && tried_before(w, job, before))
		before = w->actors[before].before;
	uint32_t *from_before =
		before == NOBODY ? &w->tried_first : &w->actors[before].next;
	actor->before = before;
	actor->next = *from_before;
	*from_before = job;
	if (actor->next == NOBODY)
		w->tried_last = job;
	else
		w->actors[actor->next].before = job;
	actor->waits = true;
}

static void waiting_remove(struct world *w, uint32_t job)
{
	struct actor *actor = &w->actors[job];

	if (actor->before == NOBODY)
		w->tried_first = actor->next;
	else
		w->actors[actor->before].next = actor->next;
	if (actor->next == NOBODY)
		w->tried_last = actor->before;
	else
		w->actors[actor->next].before = actor->before;
	actor->waits = false;
}

/* The job that has waited longest, or NOBODY. */
static uint32_t waiting_head(struct world *w)
{
	while (w->first < w->arrived &&
	       !w->actors[w->submissions[w->first]].waits)
		w->first++;
	return w->first < w->arrived ? w->submissions[w->first] : NOBODY;
}

/* --- Scheduling -------------------------------------------------------- */

static int start(struct world *w, uint32_t job, double now_s,
		 struct sp_error *err)
{
	const struct easy_job *j = &w->jobs[job];

	waiting_remove(w, job);
	w->started_s[job] = now_s;
	w->free_cpus -= j->cpus;
	running_insert(
		w->running, w->running_count,
		(struct running){ .planned_end_s =
					  now_s + w->actors[job].reserve_s,
				  .job = job,
				  .cpus = j->cpus });
	endings_push(
		w, (struct ending){ .at_s = now_s + j->runtime_s, .job = job });
	w->running_count++;
	return w->planner->started ? w->planner->started(w->planner->context,
							 job, now_s, err)
				   : 0;
}

/* When `cpus` will be free, and how many more then.  There are more running
 * jobs than it takes, since the job fits the machine. */
static double reserve(const struct world *w, uint32_t cpus, double now_s,
		      uint32_t *ret_spare)
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

static int backfill(struct world *w, uint32_t head, double now_s,
		    struct sp_error *err)
{
	uint32_t spare;
	double shadow_s = reserve(w, w->jobs[head].cpus, now_s, &spare);
	uint32_t next;

	for (uint32_t job = w->tried_first; job != NOBODY && w->free_cpus > 0;
	     job = next) {
		uint32_t cpus = w->jobs[job].cpus;

		next = w->actors[job].next;
		if (job == head || cpus > w->free_cpus)
			continue;
		if (now_s + w->actors[job].reserve_s > shadow_s) {
			if (cpus > spare)
				continue;
			spare -= cpus;
		}
		if (start(w, job, now_s, err))
			return -1;
	}
	return 0;
}

static int schedule(struct world *w, double now_s, struct sp_error *err)
{
	uint32_t head = waiting_head(w);

	while (head != NOBODY && w->jobs[head].cpus <= w->free_cpus) {
		if (start(w, head, now_s, err))
			return -1;
		head = waiting_head(w);
	}
	return head == NOBODY || w->free_cpus == 0
		       ? 0
		       : backfill(w, head, now_s, err);
}

/* --- Events ------------------------------------------------------------ */

static int submission(struct world *w, double now_s, struct sp_error *err)
{
	uint32_t job = w->submissions[w->arrived];
	struct actor *actor = &w->actors[job];
	double limit_s = w->jobs[job].limit_s;
	struct easy_plan plan;

	if (w->planner->submitted(w->planner->context, job, now_s, &plan, err))
		return -1;
	actor->place = (uint32_t)w->arrived++;
	actor->order_s = fmin(plan.order_s, limit_s);
	actor->reserve_s = fmin(plan.reserve_s, limit_s);
	waiting_insert(w, job);
	return 0;
}

static int end(struct world *w, double now_s, struct sp_error *err)
{
	uint32_t job = endings_pop(w).job;

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
static void correct(struct world *w, double now_s)
{
	struct running late = w->running[w->overdue];
	struct actor *actor = &w->actors[late.job];
	double limit_at_s = w->started_s[late.job] + w->jobs[late.job].limit_s;

	late.planned_end_s = limit_at_s;
	if (w->rules->correction == EASY_IN_STEPS && actor->corrections < STEPS)
		late.planned_end_s =
			fmin(limit_at_s, now_s + steps_s[actor->corrections++]);
	running_remove(w->running, w->running_count, late.job);
	if (late.planned_end_s <= now_s) {
		late.planned_end_s = -HUGE_VAL;
		w->overdue++;
	}
	running_insert(w->running, w->running_count - 1, late);
}

/* What happens next; HUGE_VAL: nothing of the kind. */
static double next_end(const struct world *w)
{
	return w->running_count > 0 ? w->endings[0].at_s : HUGE_VAL;
}

static double next_correction(const struct world *w)
{
	return w->overdue < w->running_count
		       ? w->running[w->overdue].planned_end_s
		       : HUGE_VAL;
}

static double next_submission(const struct world *w)
{
	return w->arrived < w->count
		       ? w->jobs[w->submissions[w->arrived]].submitted_s
		       : HUGE_VAL;
}

/* All that happens at one moment happens before the queue is looked at. */
static int happen(struct world *w, double now_s, struct sp_error *err)
{
	while (next_end(w) <= now_s)
		if (end(w, now_s, err))
			return -1;
	while (next_correction(w) <= now_s)
		correct(w, now_s);
	while (next_submission(w) <= now_s)
		if (submission(w, now_s, err))
			return -1;
	return 0;
}

static int live(struct world *w, struct sp_error *err)
{
	while (w->running_count > 0 || w->arrived < w->count) {
		double now_s = fmin(next_end(w), fmin(next_correction(w),
						      next_submission(w)));

		if (happen(w, now_s, err) || schedule(w, now_s, err))
			return -1;
	}
	return 0;
}

/* --- The world's beginning and end ------------------------------------- */

static int check(const struct easy_rules *rules, const struct easy_job *jobs,
		 size_t count, struct sp_error *err)
{
	if (count >= NOBODY)
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

static int by_submission(const void *a, const void *b, void *context)
{
	const struct easy_job *jobs = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (jobs[x].submitted_s != jobs[y].submitted_s)
		return jobs[x].submitted_s < jobs[y].submitted_s ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int create(struct world *w, struct sp_error *err)
{
	/* No more can run at a time than there are CPUs. */
	size_t at_a_time =
		w->count < w->rules->cpus ? w->count : w->rules->cpus;

	w->submissions = calloc(w->count + 1, sizeof(*w->submissions));
	w->actors = calloc(w->count + 1, sizeof(*w->actors));
	w->running = calloc(at_a_time + 1, sizeof(*w->running));
	w->endings = calloc(at_a_time + 1, sizeof(*w->endings));
	if (!w->submissions || !w->actors || !w->running || !w->endings)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < w->count; i++)
		w->submissions[i] = (uint32_t)i;
	qsort_r(w->submissions, w->count, sizeof(*w->submissions),
		by_submission, (void *)w->jobs);
	return 0;
}

int easy_simulate(const struct easy_rules *rules, const struct easy_job *jobs,
		  size_t count, const struct easy_planner *planner,
		  double *ret_started_s, struct sp_error *err)
{
	struct world w = {
		.rules = rules,
		.jobs = jobs,
		.planner = planner,
		.started_s = ret_started_s,
		.count = count,
		.tried_first = NOBODY,
		.tried_last = NOBODY,
		.free_cpus = rules->cpus,
	};
	int status = -1;

	if (!check(rules, jobs, count, err) && !create(&w, err))
		status = live(&w, err);
	free(w.submissions);
	free(w.actors);
	free(w.running);
	free(w.endings);
	return status;
}
