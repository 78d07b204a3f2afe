/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_sooner.c - whether jobs start as much sooner as was predicted
 *
 * usage: bench-sooner FOLDER [DAYS [EVERY]]
 *
 * KTH-SP2, CTC-SP2 and SDSC-SP2 of the folder, each in a world of its own: the
 * log's submissions, run times and limits under backfill with reservations.
 * Its runs teach the ensemble.  Each job that waits and was submitted in the
 * first DAYS of every EVERY days (default: all) asks at its submission, and
 * once an hour until it gets a suggestion, from what was known then, as
 * `spredict job` does: next_request_find() for a limit, sooner_find() for the
 * gain.  Two simulations from that moment judge a suggestion: true run times,
 * the real later arrivals, with the change and without.
 *
 * A cut is too short if the job ran longer; then it ends by its new limit, and
 * is left out of what others gain.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/whatif.h"
#include "predictor/base/compare.h"
#include "predictor/ensemble/past_events.h"
#include "predictor/logs/joblog.h"
#include "predictor/models/next_request.h"
#include "predictor/scheduler/sooner.h"
#include "tests/bench/logs.h"

#define RESERVATIONS 50
#define DAY_S        86400.0
#define WARM_DAYS    30 /* nothing is judged before */
#define WAITING_S    600.0
#define RECENT_S     (90 * DAY_S)
#define ASKED_S      3600.0
#define PURSUED_S    (2 * DAY_S) /* arrivals after the wait */
#define PROGRESS     512

struct job {
	double submitted_s, runtime_s, limit_s; /* runtime_s <= limit_s */
	double started_s;                       /* in the world */
	uint32_t cpus;
	double ask_s; /* next; HUGE_VAL: not */
	bool known;   /* predicted from history */
	float submission_s[PREDICTION_KNOTS], start_s[PREDICTION_KNOTS];
	size_t before; /* of its user and application, the one that
			  ended last; SIZE_MAX: none */
};

struct tally {
	size_t waiting, told, told_waiting, true_gains, too_short, cuts;
	size_t others_cuts;
	double told_s, gained_s;
	double others_min, others_square; /* sums over cuts of means */
};

#define GROUPS 65536

struct world {
	const char *name;
	double window_s, every_s;
	struct past_jobs past;
	struct job *jobs;
	uint32_t cpus;
	size_t newest[GROUPS], owner[GROUPS];
	size_t *active, active_count; /* run or wait, by submission */
	struct tally tally;
	bool failed;
};

/* --- The world ------------------------------------------------------------ */

static int simulate(const struct world *w, const struct easy_job *jobs,
		    size_t count, double *ret_started_s, struct sp_error *err);

static int by_submission(const void *a, const void *b)
{
	const struct past_job *x = a, *y = b;
	double d = x->subject.submitted_at_s - y->subject.submitted_at_s;

	return d != 0 ? (d > 0) - (d < 0)
		      : (x->outcome.job_id > y->outcome.job_id) -
				(x->outcome.job_id < y->outcome.job_id);
}

static void jobs_make(struct world *w)
{
	double longest_s = 0;

	qsort(w->past.of, w->past.count, sizeof(*w->past.of), by_submission);
	for (size_t i = 0; i < w->past.count; i++)
		if (isfinite(w->past.of[i].subject.limit_s))
			longest_s =
				fmax(longest_s, w->past.of[i].subject.limit_s);
	for (size_t i = 0; i < w->past.count; i++) {
		const struct past_job *p = &w->past.of[i];
		double limit_s =
			p->subject.limit_s > 0 && isfinite(p->subject.limit_s)
				? p->subject.limit_s
				: longest_s;

		w->jobs[i] = (struct job){
			.submitted_s = p->subject.submitted_at_s,
			.runtime_s = fmax(1, p->outcome.ended_at_s -
						     p->outcome.started_at_s),
			.cpus = p->subject.cpus < w->cpus ? p->subject.cpus
							  : w->cpus,
			.ask_s = HUGE_VAL,
			.before = SIZE_MAX,
		};
		/* What ran on beyond its limit was let to. */
		w->jobs[i].limit_s = fmax(limit_s, w->jobs[i].runtime_s);
	}
}

static int plan_limit(void *context, size_t job, double now_s,
		      struct easy_plan *ret, struct sp_error *err)
{
	const struct easy_job *jobs = context;

	(void)now_s;
	(void)err;
	ret->order_s = ret->reserve_s = jobs[job].limit_s;
	return 0;
}

static int simulate(const struct world *w, const struct easy_job *jobs,
		    size_t count, double *ret_started_s, struct sp_error *err)
{
	const struct easy_rules rules = { .cpus = w->cpus,
					  .reservations = RESERVATIONS };
	const struct easy_planner planner = { .context = (void *)jobs,
					      .submitted = plan_limit };

	return easy_simulate(&rules, jobs, count, &planner, ret_started_s, err);
}

static int world_run(struct world *w, struct sp_error *err)
{
	size_t count = w->past.count;
	struct easy_job *jobs = calloc(count + 1, sizeof(*jobs));
	double *started_s = calloc(count + 1, sizeof(*started_s));
	int rc = -1;

	for (size_t i = 0; jobs && i < count; i++)
		jobs[i] = (struct easy_job){ w->jobs[i].submitted_s,
					     w->jobs[i].runtime_s,
					     w->jobs[i].limit_s,
					     w->jobs[i].cpus };
	if (jobs && started_s)
		rc = simulate(w, jobs, count, started_s, err);
	else
		sp_error_set(err, "out of memory");
	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct past_job *p = &w->past.of[i];

		w->jobs[i].started_s = started_s[i];
		p->outcome.started_at_s = started_s[i];
		p->outcome.ended_at_s = started_s[i] + w->jobs[i].runtime_s;
	}
	free(jobs);
	free(started_s);
	return rc;
}

/* --- What was known ------------------------------------------------------- */

static void knots_keep(const struct verdict *verdict, float *to)
{
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		to[i] = (float)verdict->knots_s[i];
}

static void left_set(const struct job *job, double elapsed_s,
		     struct start_job *ret)
{
	const float *from = elapsed_s > 0 ? job->start_s : job->submission_s;
	double knots_s[PREDICTION_KNOTS];

	ret->left_s[0] = NAN;
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = (double)from[i];
	for (int i = 0; job->known && i < START_LEVELS; i++)
		ret->left_s[i] = verdict_remaining(knots_s, NULL, elapsed_s,
						   (i + 0.5) / START_LEVELS);
}

/* The queue at now_s, those that run first.  ret_of has positions in jobs[].
 * Returns the position of `job` in it. */
static size_t queue_make(struct world *w, double now_s, size_t job,
			 struct start_job *ret, size_t *ret_of,
			 size_t *ret_count)
{
	size_t kept = 0, count = 0, which = 0;

	for (size_t k = 0; k < w->active_count; k++) {
		const struct job *j = &w->jobs[w->active[k]];

		if (j->started_s + j->runtime_s > now_s)
			w->active[kept++] = w->active[k];
	}
	w->active_count = kept;
	for (int waits = 0; waits <= 1; waits++)
		for (size_t k = 0; k < kept; k++) {
			const struct job *j = &w->jobs[w->active[k]];
			double elapsed_s = waits ? 0 : now_s - j->started_s;

			if ((j->started_s > now_s) != waits)
				continue;
			if (w->active[k] == job)
				which = count;
			ret_of[count] = w->active[k];
			ret[count] = (struct start_job){
				.cpus = j->cpus,
				.running = !waits,
				.limit_s = j->limit_s - elapsed_s,
			};
			left_set(j, elapsed_s, &ret[count++]);
		}
	*ret_count = count;
	return which;
}

/* --- Advice --------------------------------------------------------------- */

static size_t group_of(struct world *w, size_t job)
{
	const struct subject *s = &w->past.of[job].subject;
	uint32_t hash = s->user_id * 2654435761u;

	for (const char *c = s->application->name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	for (;; hash++) {
		size_t at = hash % GROUPS;
		const struct subject *o =
			w->newest[at] == SIZE_MAX
				? NULL
				: &w->past.of[w->owner[at]].subject;

		if (!o || (o->user_id == s->user_id &&
			   !strcmp(o->application->name, s->application->name)))
			return at;
	}
}

static struct used_run used_of(const struct world *w, size_t job)
{
	const struct past_job *p = &w->past.of[job];
	static const enum run_state states[OUTCOME_ENDS] = {
		[OUTCOME_COMPLETED] = RUN_COMPLETED,
		[OUTCOME_FAILED] = RUN_FAILED,
		[OUTCOME_CANCELLED] = RUN_CANCELLED,
		[OUTCOME_TIMEOUT] = RUN_TIMEOUT,
		[OUTCOME_OTHER] = RUN_FAILED,
	};

	return (struct used_run){ .job_id = p->outcome.job_id,
				  .nodes = p->subject.nodes,
				  .tasks = p->subject.tasks,
				  .cpus = p->subject.cpus,
				  .memory_mb = NAN,
				  .limit_s = w->jobs[job].limit_s,
				  .runtime_s = w->jobs[job].runtime_s,
				  .cpu_s = NAN,
				  .peak_memory_mb = NAN,
				  .quantile_s = NAN,
				  .state = states[p->outcome.end] };
}

/* NAN: no shorter one is advised. */
static double limit_find(struct world *w, size_t job, double now_s)
{
	struct used_run runs[NEXT_REQUEST_RUNS], like = used_of(w, job);
	const struct job *j = &w->jobs[job];
	struct next_request next;
	size_t count = 0;

	if (!j->known)
		return NAN;
	for (size_t i = w->newest[group_of(w, job)];
	     i != SIZE_MAX && count < NEXT_REQUEST_RUNS; i = w->jobs[i].before)
		if (w->past.of[i].outcome.ended_at_s <= now_s &&
		    w->past.of[i].outcome.ended_at_s >= now_s - RECENT_S)
			runs[count++] = used_of(w, i);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		if (prediction_knots[i] == SOONER_QUANTILE)
			like.quantile_s = (double)j->submission_s[i];
	next_request_find(&like, runs, count, &next);
	return next.matching >= SOONER_MATCHING && next.limit_s < j->limit_s
		       ? next.limit_s
		       : NAN;
}

/* --- What came of it ------------------------------------------------------ */

/* The queue at now_s, with what came later, from jobs[next] on. */
static size_t future_make(const struct world *w, double now_s, double end_s,
			  size_t next, const size_t *of, size_t count,
			  struct easy_job *ret)
{
	for (size_t k = 0; k < count; k++) {
		const struct job *j = &w->jobs[of[k]];
		double elapsed_s = fmax(0, now_s - j->started_s);

		ret[k] = (struct easy_job){ 0, j->runtime_s - elapsed_s,
					    j->limit_s - elapsed_s, j->cpus };
	}
	for (size_t i = next;
	     i < w->past.count && w->jobs[i].submitted_s < end_s; i++)
		ret[count++] = (struct easy_job){
			w->jobs[i].submitted_s - now_s, w->jobs[i].runtime_s,
			w->jobs[i].limit_s, w->jobs[i].cpus
		};
	return count;
}

static void others_add(struct tally *t, const double *before_s,
		       const double *after_s, size_t job, size_t count,
		       size_t running)
{
	double sum_s = 0;

	for (size_t k = running; k < count; k++)
		if (k != job)
			sum_s += after_s[k] - before_s[k];

	double mean_min = count > running + 1
				  ? sum_s / (double)(count - running - 1) / 60
				  : 0;

	t->others_cuts++;
	t->others_min += mean_min;
	t->others_square += mean_min * mean_min;
}

/* What is suggested for pool->which. */
struct question {
	struct sooner_pool pool;
	size_t *of;  /* positions in jobs[] */
	size_t next; /* of jobs[]: the first that comes later */
	double limit_s;
	struct sooner told;
};

static void gain_add(struct world *w, const struct question *q, double gain_s)
{
	const struct job *job = &w->jobs[q->of[q->pool.which]];
	struct tally *t = &w->tally;

	t->told++;
	t->told_waiting += job->started_s - job->submitted_s > WAITING_S;
	t->too_short += job->runtime_s > q->limit_s;
	t->true_gains += gain_s >= q->told.gain_s[0] / 2;
	t->told_s += q->told.gain_s[0];
	t->gained_s += gain_s;
}

static int told_judge(struct world *w, const struct question *q,
		      struct sp_error *err)
{
	const struct job *job = &w->jobs[q->of[q->pool.which]];
	size_t room = w->past.count - q->next + q->pool.count + 1;
	struct easy_job *jobs = calloc(room, sizeof(*jobs));
	double *before_s = calloc(2 * room, sizeof(*before_s));
	double *after_s = before_s ? before_s + room : NULL;
	size_t at = q->pool.which, running = 0, count = 0;
	int rc = -1;

	while (q->pool.jobs[running].running)
		running++;
	if (jobs && before_s) {
		count = future_make(w, q->pool.now_s,
				    job->started_s + PURSUED_S, q->next, q->of,
				    q->pool.count, jobs);
		rc = simulate(w, jobs, count, before_s, err);
		jobs[at].limit_s = q->limit_s;
		jobs[at].runtime_s = fmin(jobs[at].runtime_s, q->limit_s);
		if (rc == 0)
			rc = simulate(w, jobs, count, after_s, err);
	} else {
		sp_error_set(err, "out of memory");
	}
	if (rc == 0)
		gain_add(w, q, before_s[at] - after_s[at]);
	if (rc == 0 && job->runtime_s <= q->limit_s)
		others_add(&w->tally, before_s, after_s, at, count, running);
	free(jobs);
	free(before_s);
	return rc;
}

static bool is_judged(const struct world *w, size_t job)
{
	double at_s = w->jobs[job].submitted_s - w->jobs[0].submitted_s;

	return at_s >= WARM_DAYS * DAY_S &&
	       fmod(at_s - WARM_DAYS * DAY_S, w->every_s) < w->window_s;
}

static bool never(void *argument)
{
	(void)argument;
	return false;
}

/* Ask for a job at now_s, and again later if nothing is suggested. */
static int job_ask(struct world *w, size_t job, double now_s, size_t next,
		   struct sp_error *err)
{
	size_t room = w->active_count + 1;
	struct question q = {
		.pool = { .rules = { w->cpus, RESERVATIONS },
			  .jobs = calloc(room, sizeof(*q.pool.jobs)),
			  .now_s = now_s },
		.of = calloc(room, sizeof(*q.of)),
		.next = next,
		.limit_s = limit_find(w, job, now_s),
	};
	int rc = 0;

	w->jobs[job].ask_s = now_s + ASKED_S;
	w->tally.cuts += !isnan(q.limit_s);
	if (!q.pool.jobs || !q.of)
		rc = sp_error_set(err, "out of memory");
	if (rc == 0 && !isnan(q.limit_s)) {
		q.pool.which = queue_make(w, now_s, job, q.pool.jobs, q.of,
					  &q.pool.count);

		struct sooner_change cut = { q.pool.jobs[q.pool.which], 0 };

		cut.job.limit_s = fmin(q.limit_s, cut.job.limit_s);
		rc = sooner_find(&q.pool, &cut, 1, never, NULL, &q.told, err);
	}
	if (rc == 0 && q.told.worth) {
		w->jobs[job].ask_s = HUGE_VAL;
		rc = told_judge(w, &q, err);
	}
	free(q.pool.jobs);
	free(q.of);
	return rc;
}

/* Ask for those who have waited for long enough, one after the other. */
static int asks_do(struct world *w, double now_s, size_t next,
		   struct sp_error *err)
{
	for (;;) {
		size_t first = SIZE_MAX;

		for (size_t k = 0; k < w->active_count; k++) {
			const struct job *j = &w->jobs[w->active[k]];

			if (j->ask_s < fmin(now_s, j->started_s) &&
			    (first == SIZE_MAX ||
			     j->ask_s < w->jobs[first].ask_s))
				first = w->active[k];
		}
		if (first == SIZE_MAX)
			return 0;
		if (job_ask(w, first, w->jobs[first].ask_s, next, err))
			return -1;
	}
}

/* --- The replay ----------------------------------------------------------- */

static void submitted(void *context, size_t i, const struct verdict *verdict)
{
	struct world *w = context;
	struct job *j = &w->jobs[i];
	struct sp_error err;

	if (!w->failed && asks_do(w, j->submitted_s, i, &err))
		w->failed = true;
	j->known = verdict->basis == BASIS_HISTORY && !verdict->unbounded;
	knots_keep(verdict, j->submission_s);
	knots_keep(verdict, j->start_s);
	w->active[w->active_count++] = i;
	if (i % PROGRESS == 0)
		logs_progress((void *)w->name, i, w->past.count);
	if (w->failed || !is_judged(w, i) || j->started_s <= j->submitted_s)
		return;
	w->tally.waiting += j->started_s - j->submitted_s > WAITING_S;
	w->failed = job_ask(w, i, j->submitted_s, i + 1, &err);
	if (w->failed)
		fprintf(stderr, "bench-sooner: %s\n", err.text);
}

static void started(void *context, size_t i, const struct verdict *verdict)
{
	struct world *w = context;

	knots_keep(verdict, w->jobs[i].start_s);
}

static void ended(void *context, size_t i)
{
	struct world *w = context;
	size_t group = group_of(w, i);

	w->jobs[i].before = w->newest[group];
	w->newest[group] = i;
	w->owner[group] = i;
}

static int world_replay(struct world *w, struct sp_error *err)
{
	const struct replay_visitor visitor = {
		.context = w,
		.submitted = submitted,
		.started = started,
		.ended = ended,
	};
	struct ensemble *ensemble = ensemble_create();
	int rc = ensemble ? replay(ensemble, w->past.of, w->past.count, 0,
				   &visitor, err)
			  : sp_error_set(err, "out of memory");

	logs_progress_end();
	ensemble_destroy(ensemble);
	return w->failed ? -1 : rc;
}

/* --- Results -------------------------------------------------------------- */

static double pct(size_t part, size_t of)
{
	return 100.0 * (double)part / (double)of;
}

static void tally_print(const char *name, const struct tally *t)
{
	double cuts = (double)t->others_cuts;
	double mean = t->others_min / cuts;
	double noise =
		sqrt(fmax(0, t->others_square / cuts - mean * mean) / cuts);

	printf("%-10s %6zu waited, %6zu times asked with a shorter limit, %5zu "
	       "told; hours "
	       "told %.2f, gained %.2f; true %.1f %%, too short %.1f %%, "
	       "others %+.2f +- %.2f min\n",
	       name, t->waiting, t->cuts, t->told,
	       t->told_s / (double)t->told / 3600,
	       t->gained_s / (double)t->told / 3600,
	       pct(t->true_gains, t->told), pct(t->too_short, t->told), mean,
	       noise);
}

static void tally_add(struct tally *sum, const struct tally *t)
{
	sum->waiting += t->waiting;
	sum->cuts += t->cuts;
	sum->told += t->told;
	sum->told_waiting += t->told_waiting;
	sum->true_gains += t->true_gains;
	sum->too_short += t->too_short;
	sum->told_s += t->told_s;
	sum->gained_s += t->gained_s;
	sum->others_cuts += t->others_cuts;
	sum->others_min += t->others_min;
	sum->others_square += t->others_square;
}

struct bench {
	double days, every;
	struct tally sum;
};

static int bench_log(const char *path, void *context, struct sp_error *err)
{
	const struct joblog_config config = { .cluster = "bench" };
	struct bench *bench = context;
	struct joblog_machine machine;
	struct world *w = calloc(1, sizeof(*w));
	int rc = w ? 0 : sp_error_set(err, "out of memory");

	if (rc)
		return rc;
	w->name = logs_name(path);
	w->window_s = bench->days * DAY_S;
	w->every_s = bench->every * DAY_S;
	past_jobs_init(&w->past);
	for (size_t i = 0; i < GROUPS; i++)
		w->newest[i] = SIZE_MAX;
	rc = joblog_read(path, &joblog_swf, &config, &w->past, NULL, &machine,
			 err);
	w->jobs = calloc(w->past.count + 1, sizeof(*w->jobs));
	w->active = calloc(w->past.count + 1, sizeof(*w->active));
	if (rc == 0 && (!w->jobs || !w->active))
		rc = sp_error_set(err, "out of memory");
	if (rc == 0) {
		w->cpus = machine.processors
				  ? machine.processors
				  : whatif_peak_cpus(w->past.of, w->past.count);
		jobs_make(w);
		rc = world_run(w, err) || world_replay(w, err) ? -1 : 0;
	}
	if (rc == 0) {
		tally_print(w->name, &w->tally);
		tally_add(&bench->sum, &w->tally);
		fflush(stdout);
	}
	past_jobs_clear(&w->past);
	free(w->jobs);
	free(w->active);
	free(w);
	return rc;
}

int main(int argc, char **argv)
{
	static const char *const wanted[] = { "KTH-SP2", "CTC-SP2", "SDSC-SP2",
					      NULL };
	struct bench bench = { .days = 1, .every = 1 };
	struct tally *t = &bench.sum;
	struct sp_error err = { "" };

	if (argc > 2)
		bench.days = bench.every = strtod(argv[2], NULL);
	if (argc > 3)
		bench.every = strtod(argv[3], NULL);
	if (argc < 2 || argc > 4 || !(bench.every >= bench.days)) {
		fprintf(stderr, "usage: bench-sooner FOLDER [DAYS [EVERY]]\n");
		return 2;
	}
	if (logs_visit(argv[1], wanted, bench_log, &bench, &err)) {
		fprintf(stderr, "bench-sooner: %s\n", err.text);
		return 1;
	}
	tally_print("all", t);
	printf("bar sooner_told_pct %.2f\n", pct(t->told_waiting, t->waiting));
	printf("bar sooner_true_pct %.2f\n", pct(t->true_gains, t->told));
	printf("bar sooner_too_short_pct %.2f\n", pct(t->too_short, t->told));
	printf("bar sooner_others_min %.3f\n",
	       t->others_min / (double)t->others_cuts);
	return 0;
}
