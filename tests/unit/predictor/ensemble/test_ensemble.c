/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_ensemble.c - the models together */
#include <string.h>

#include "predictor/ensemble/past_events.h"
#include "predictor/ensemble/time_bounds.h"
#include "tests/unit/predictor/ensemble/jobs_past.h"
#include "tests/unit/suite.h"

#define JOBS 1500

static double runtime_of(const struct past_job *job)
{
	return job->outcome.ended_at_s - job->outcome.started_at_s;
}

/* --- Looking ahead -------------------------------------------------------- */

struct tape {
	struct verdict submitted[JOBS], started[JOBS];
};

static void tape_submitted(void *context, size_t job,
			   const struct verdict *verdict)
{
	((struct tape *)context)->submitted[job] = *verdict;
}

static void tape_started(void *context, size_t job,
			 const struct verdict *verdict)
{
	((struct tape *)context)->started[job] = *verdict;
}

static struct tape *record(const struct past_job *jobs, size_t count)
{
	struct tape *tape = calloc(1, sizeof(*tape));
	struct ensemble *e = ensemble_create();
	struct replay_visitor visitor = { .context = tape,
					  .submitted = tape_submitted,
					  .started = tape_started };

	ck_assert_int_eq(replay(e, jobs, count, 0, &visitor, NULL), 0);
	ensemble_destroy(e);
	return tape;
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void same(const struct verdict *a, const struct verdict *b)
{
	ck_assert_int_eq(a->model, b->model);
	ck_assert_uint_eq(a->runs, b->runs);
	ck_assert(same_number(a->median_s, b->median_s));
	ck_assert(same_number(a->last_error, b->last_error));
	for (int k = 0; k < PREDICTION_KNOTS; k++)
		ck_assert(same_number(a->knots_s[k], b->knots_s[k]));
	for (int i = 0; i < a->candidates_count; i++)
		ck_assert(same_number(a->candidates_s[i], b->candidates_s[i]));
}

/* What became of jobs that end after a moment must not be seen before it. */
START_TEST(test_nobody_looks_ahead)
{
	struct past_job *jobs = past_make(JOBS, 11);
	struct past_job *other = malloc(JOBS * sizeof(*other));
	struct random r = { 17 };
	double now_s = jobs[JOBS * 2 / 3].subject.submitted_at_s;
	size_t checked = 0;

	memcpy(other, jobs, JOBS * sizeof(*other));
	for (size_t i = 0; i < JOBS; i++) {
		struct past_job *job = &other[i];

		if (job->outcome.ended_at_s <= now_s)
			continue;
		/* Another end, another time to it, and perhaps another start:
		 * all of it later than now. */
		if (job->outcome.started_at_s > now_s)
			job->outcome.started_at_s +=
				floor(1e4 * random_unit(&r));
		job->outcome.ended_at_s =
			fmax(now_s, job->outcome.started_at_s) + 1 +
			floor(1e5 * random_unit(&r));
		job->outcome.end = (enum outcome_end)random_below(&r, 5);
	}

	struct tape *before = record(jobs, JOBS);
	struct tape *after = record(other, JOBS);

	for (size_t i = 0; i < JOBS; i++) {
		if (jobs[i].subject.submitted_at_s <= now_s) {
			same(&before->submitted[i], &after->submitted[i]);
			checked++;
		}
		if (jobs[i].outcome.started_at_s <= now_s)
			same(&before->started[i], &after->started[i]);
	}
	ck_assert_uint_ge(checked, JOBS * 2 / 3);
	free(before);
	free(after);
	free(other);
	free(jobs);
}
END_TEST

/* --- Being right ---------------------------------------------------------- */

struct sums {
	const struct past_job *jobs;
	double error_s, actual_s, last_error_s;
	int covered, count;
	int last; /* row */
};

static void sum_up(void *context, size_t job, const struct verdict *v)
{
	struct sums *s = context;
	double actual_s = runtime_of(&s->jobs[job]);
	double limit_s = s->jobs[job].subject.limit_s;

	for (int k = 1; k < PREDICTION_KNOTS && v->model >= 0; k++) {
		ck_assert_double_ge(v->knots_s[k], v->knots_s[k - 1]);
		if (limit_s > 0)
			ck_assert_double_le(v->knots_s[k], limit_s);
	}
	if (job < JOBS / 3)
		return;
	ck_assert_int_ge(v->model, 0);
	s->count++;
	s->error_s += fabs(v->median_s - actual_s);
	s->last_error_s += fabs(v->candidates_s[s->last] - actual_s);
	s->actual_s += actual_s;
	s->covered += actual_s <= verdict_quantile(v->knots_s, 0.9);
}

START_TEST(test_better_than_the_last_run)
{
	struct past_job *jobs = past_make(JOBS, 13);
	struct sums s = { .jobs = jobs };
	struct ensemble *e = ensemble_create();
	struct replay_visitor visitor = { .context = &s, .submitted = sum_up };

	while (strcmp(models[s.last]->name, "last") != 0)
		s.last++;
	ck_assert_int_eq(replay(e, jobs, JOBS, 0, &visitor, NULL), 0);
	ck_assert_double_le(s.error_s, 0.7 * s.last_error_s);
	ck_assert_double_le(s.error_s, 0.3 * s.actual_s);
	ck_assert_int_ge(s.covered, s.count * 86 / 100);
	ck_assert_int_le(s.covered, s.count * 94 / 100);
	ensemble_destroy(e);
	free(jobs);
}
END_TEST

static void add_verdict(void *context, size_t job, const struct verdict *v)
{
	double *sum = context;

	(void)job;
	if (v->model >= 0)
		*sum += v->median_s + verdict_quantile(v->knots_s, 0.9);
}

/* The sum of all medians and 0.9-quantiles for jobs of a cluster of
 * that name. */
static double said_on_cluster(const char *cluster)
{
	struct past_job *jobs = past_make(JOBS, 13);
	struct ensemble *e = ensemble_create();
	double sum = 0;
	struct replay_visitor visitor = { .context = &sum,
					  .submitted = add_verdict };

	for (size_t i = 0; i < JOBS; i++)
		jobs[i].subject.cluster = cluster;
	ck_assert_int_eq(replay(e, jobs, JOBS, 0, &visitor, NULL), 0);
	ensemble_destroy(e);
	free(jobs);
	return sum;
}

START_TEST(test_the_name_of_a_cluster_changes_nothing)
{
	double said = said_on_cluster("tiny");

	ck_assert_double_gt(said, 0);
	ck_assert_double_eq(said_on_cluster("alpha"), said);
	ck_assert_double_eq(said_on_cluster("a-much-longer-name"), said);
}
END_TEST

/* What had been known of a cluster, and the longest quantile
 * predicted then. */
struct reach {
	const struct past_job *jobs;
	double longest_s;
	double worst; /* a 0.99-quantile over the longest known */
};

static void check_reach(void *context, size_t job, const struct verdict *v)
{
	struct reach *reach = context;
	double limit_s = reach->jobs[job].subject.limit_s;
	double known_s = isfinite(limit_s) ? fmax(reach->longest_s, limit_s)
					   : reach->longest_s;

	if (v->model >= 0 && known_s > 0)
		reach->worst = fmax(reach->worst,
				    v->knots_s[PREDICTION_KNOTS - 1] / known_s);
}

static void note_longest(void *context, size_t job)
{
	struct reach *reach = context;
	double limit_s = reach->jobs[job].subject.limit_s;

	reach->longest_s =
		fmax(reach->longest_s, runtime_of(&reach->jobs[job]));
	if (isfinite(limit_s))
		reach->longest_s = fmax(reach->longest_s, limit_s);
}

/* Heavy tails, without limits, or with limits that nobody enforces: quantiles
 * stay within a few times of what was ever seen. */
START_TEST(test_no_quantile_is_absurd)
{
	for (int limited = 0; limited < 2; limited++) {
		struct past_job *jobs = past_make(JOBS, 17);
		struct random r = { 23 };
		struct reach reach = { .jobs = jobs };
		struct ensemble *e = ensemble_create();
		struct replay_visitor visitor = { .context = &reach,
						  .submitted = check_reach,
						  .ended = note_longest };

		for (size_t i = 0; i < JOBS; i++) {
			struct outcome *o = &jobs[i].outcome;

			o->ended_at_s =
				o->started_at_s +
				ceil(pow(1 - random_unit(&r), -1 / 0.7));
			jobs[i].subject.limit_s = limited ? 5 : NAN;
		}
		ck_assert_int_eq(replay(e, jobs, JOBS, 0, &visitor, NULL), 0);
		ck_assert_double_gt(reach.worst, 0.1);
		ck_assert_double_le(reach.worst,
				    TIME_BOUNDS_BEYOND * (1 + 1e-6));
		ensemble_destroy(e);
		free(jobs);
	}
}
END_TEST

/* One job after the other, equal but for `n` (NAN: without) and the user. */
struct line {
	struct ensemble *ensemble;
	double now_s;
	uint32_t number;
	uint32_t user;
};

static struct past_job next_job(struct line *line, double n, double runtime_s,
				enum outcome_end end)
{
	static struct application application = { .name = "solver" };
	struct past_job job = {
		.subject = { .cluster = "tiny",
			     .qos = "",
			     .features = "",
			     .gres = "",
			     .traits = "",
			     .account = "",
			     .partition = "main",
			     .user_id = 5 + line->user,
			     .application = &application,
			     .nodes = 1,
			     .tasks = 1,
			     .cpus = 1,
			     .limit_s = 36000,
			     .submitted_at_s = line->now_s },
		.outcome = { .job_id = ++line->number,
			     .end = end,
			     .started_at_s = line->now_s + 3,
			     .ended_at_s = line->now_s + 3 + runtime_s },
	};

	conditions_init(&job.before);
	application.parameters.count = 0;
	if (!isnan(n))
		parameters_set(&application.parameters, "n", n, NULL);
	return job;
}

static struct verdict run_one(struct line *line, double n, double runtime_s,
			      enum outcome_end end)
{
	struct past_job job = next_job(line, n, runtime_s, end);
	struct verdict verdict;

	ensemble_predict(line->ensemble, &job.subject, &job.before, line->now_s,
			 line->number, &verdict);
	ensemble_start(line->ensemble, line->number, line->now_s + 3);
	ck_assert_int_eq(ensemble_end(line->ensemble, line->number, &job, NULL),
			 0);
	line->now_s = job.outcome.ended_at_s + 60;
	return verdict;
}

START_TEST(test_drift_is_followed)
{
	struct line line = { ensemble_create(), 1e9, 0, 0 };
	struct random r = { 3 };
	struct verdict v;
	int wrong = 0;

	for (int i = 0; i < 60; i++) {
		double n = 1000 * (1 + (double)random_below(&r, 9));

		v = run_one(&line, n, floor(n / 10), OUTCOME_COMPLETED);
		if (i > 30 && fabs(v.median_s / (n / 10) - 1) > 0.15)
			wrong++;
	}
	ck_assert_int_le(wrong, 3);

	/* A new version takes 900 s, whatever n. */
	wrong = 0;
	for (int i = 0; i < 30; i++) {
		double n = 1000 * (1 + (double)random_below(&r, 9));

		v = run_one(&line, n, 900, OUTCOME_COMPLETED);
		wrong += fabs(v.median_s / 900 - 1) > 0.25;
	}
	/* Runs of before outweigh the new ones for a while; a last-run baseline
	 * is not allowed to win in their place. */
	ck_assert_int_le(wrong, 12);
	ensemble_destroy(line.ensemble);
}
END_TEST

START_TEST(test_crashes_do_not_spoil)
{
	struct line line = { ensemble_create(), 1e9, 0, 0 };
	struct verdict v;

	for (int i = 0; i < 40; i++)
		run_one(&line, 1000, 700 + i % 5,
			i % 8 == 7 ? OUTCOME_OTHER : OUTCOME_COMPLETED);
	v = run_one(&line, 1000, 4, OUTCOME_FAILED);
	ck_assert_double_eq_tol(v.median_s, 702, 20);
	v = run_one(&line, 1000, 9, OUTCOME_CANCELLED);
	ck_assert_double_eq_tol(v.median_s, 702, 40);
	v = run_one(&line, 1000, 2, OUTCOME_OTHER);
	ck_assert_double_eq_tol(v.median_s, 702, 40);
	v = run_one(&line, 1000, 60, OUTCOME_TIMEOUT);
	ck_assert_double_eq_tol(v.median_s, 702, 40);
	v = run_one(&line, 1000, 701, OUTCOME_COMPLETED);
	ck_assert_double_eq_tol(v.median_s, 702, 40);
	/* The last run that completed counts, not the one that was ended. */
	ck_assert_double_lt(v.last_error, 0.1);
	ensemble_destroy(line.ensemble);
}
END_TEST

/* The 0.9-quantile and the median after 20 runs of about 4 s, one cancelled if
 * `cancelled_s` is not 0, and a few more. */
static struct verdict after_cancelled(double cancelled_s)
{
	struct line line = { ensemble_create(), 1e9, 0, 0 };
	struct verdict v;

	for (int i = 0; i < 20; i++)
		run_one(&line, 1000, 4 + 0.01 * (i % 3), OUTCOME_COMPLETED);
	if (cancelled_s > 0)
		run_one(&line, 1000, cancelled_s, OUTCOME_CANCELLED);
	for (int i = 0; i < 3; i++)
		v = run_one(&line, 1000, 4, OUTCOME_COMPLETED);
	ensemble_destroy(line.ensemble);
	return v;
}

START_TEST(test_a_cancelled_run_moves_nothing)
{
	struct verdict none = after_cancelled(0);
	static const double cancelled_s[] = { 120, 1, 4 };

	for (int i = 0; i < 3; i++) {
		struct verdict v = after_cancelled(cancelled_s[i]);
		double low_s = verdict_quantile(none.knots_s, 0.1);

		ck_assert_double_eq_tol(v.median_s / none.median_s, 1, 0.01);
		ck_assert_double_le(verdict_quantile(v.knots_s, 0.9),
				    1.02 * verdict_quantile(none.knots_s, 0.9));
		ck_assert_double_ge(verdict_quantile(v.knots_s, 0.1),
				    0.98 * low_s);
	}
}
END_TEST

/* Jobs in flight stay so whatever the clock of a node that reports a start. */
START_TEST(test_a_wrong_clock_ends_no_flight)
{
	struct verdict last[2];

	for (int wrong = 0; wrong < 2; wrong++) {
		struct line line = { ensemble_create(), 1e9, 0, 0 };

		for (int i = 0; i < 30; i++)
			run_one(&line, 1000, 100 + i % 7, OUTCOME_COMPLETED);
		for (int i = 0; i < 100; i++) {
			struct past_job job =
				next_job(&line, 1000, 100, OUTCOME_COMPLETED);

			ensemble_predict(line.ensemble, &job.subject,
					 &job.before, line.now_s, line.number,
					 &last[wrong]);
		}
		if (wrong)
			ensemble_start(line.ensemble, line.number + 1000,
				       line.now_s + 365 * 86400.0);
		run_one(&line, 1000, 900, OUTCOME_COMPLETED);
		last[wrong] = run_one(&line, 1000, 100, OUTCOME_COMPLETED);
		ensemble_destroy(line.ensemble);
	}
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		ck_assert_double_eq(last[0].knots_s[i], last[1].knots_s[i]);
}
END_TEST

static struct verdict predict_only(struct line *line, uint32_t user)
{
	struct past_job job;
	struct verdict verdict;

	line->user = user;
	job = next_job(line, NAN, 100, OUTCOME_COMPLETED);
	ensemble_predict(line->ensemble, &job.subject, &job.before, line->now_s,
			 0, &verdict);
	return verdict;
}

/* Users who are new outlive their quantiles: these reach further for new users,
 * and stay for one with many runs. */
START_TEST(test_new_users_widen_no_others)
{
	struct line line = { ensemble_create(), 1e9, 0, 0 };
	struct verdict old_before, new_before, old_after, new_after;

	for (int i = 0; i < 60; i++)
		run_one(&line, NAN, 100 + i % 7, OUTCOME_COMPLETED);
	old_before = predict_only(&line, 0);
	new_before = predict_only(&line, 99);
	for (int i = 0; i < 30; i++) {
		line.user = 1 + (uint32_t)i;
		run_one(&line, NAN, 130 * pow(1.2, i), OUTCOME_COMPLETED);
	}
	old_after = predict_only(&line, 0);
	new_after = predict_only(&line, 99);
	for (int i = 0; i < PREDICTION_LEVELS; i++)
		ck_assert_double_eq(old_before.levels[i], old_after.levels[i]);
	ck_assert_double_gt(new_after.levels[3], new_before.levels[3]);
	ensemble_destroy(line.ensemble);
}
END_TEST

static void check_remaining(const struct verdict *v)
{
	for (int share = 1; share < 5; share++)
		ck_assert_double_eq(
			verdict_remaining(v->knots_s, v->levels,
					  share * v->median_s / 2, 0.5),
			verdict_remaining(v->knots_s, NULL,
					  share * v->median_s / 2, 0.5));
}

/* What remains of a job outside of all runs, far or not, goes by the widened
 * quantiles, whatever the levels were at which they were read before. */
START_TEST(test_what_remains_goes_by_widened_quantiles)
{
	struct line line = { ensemble_create(), 1e9, 0, 0 };
	struct verdict v;

	for (int i = 0; i < 20; i++)
		run_one(&line, 1000 + i, 100 + i % 7, OUTCOME_COMPLETED);
	for (int i = 0; i < 20; i++)
		v = run_one(&line, 3000 * pow(3, i), 300 * pow(1.1, i),
			    OUTCOME_COMPLETED);
	ck_assert(v.outside.extrapolated);
	check_remaining(&v);
	v = run_one(&line, 3000 * pow(3, 19) * 1.5, 2000, OUTCOME_COMPLETED);
	ck_assert(!v.outside.extrapolated && v.outside.count > 0);
	check_remaining(&v);
	ensemble_destroy(line.ensemble);
}
END_TEST

/* Runs that the system ends say nothing of the limit. */
START_TEST(test_ended_by_the_system_says_nothing_of_the_limit)
{
	struct line line = { ensemble_create(), 1e9, 0, 0 };
	double before, after;

	for (int i = 0; i < 12; i++)
		run_one(&line, NAN, 36000, OUTCOME_TIMEOUT);
	before = predict_only(&line, 0).limit_chance;
	for (int i = 0; i < 30; i++)
		run_one(&line, NAN, 10, OUTCOME_OTHER);
	after = predict_only(&line, 0).limit_chance;
	ck_assert_double_gt(before, 0.5);
	ck_assert_double_gt(after, before - 0.01);
	ensemble_destroy(line.ensemble);
}
END_TEST

START_TEST(test_bad_ends_are_refused)
{
	struct past_job *jobs = past_make(1, 1);
	struct ensemble *e = ensemble_create();
	struct sp_error err;

	jobs[0].outcome.ended_at_s = jobs[0].outcome.started_at_s - 1;
	ck_assert_int_eq(ensemble_end(e, 0, &jobs[0], &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "job 1: bad run time -1"));
	jobs[0].outcome.ended_at_s = NAN;
	ck_assert_int_eq(ensemble_end(e, 0, &jobs[0], &err), -1);
	ck_assert_uint_eq(ensemble_history(e)->runs, 0);
	ensemble_destroy(e);
	free(jobs);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_nobody_looks_ahead,
		test_better_than_the_last_run,
		test_the_name_of_a_cluster_changes_nothing,
		test_no_quantile_is_absurd,
		test_drift_is_followed,
		test_crashes_do_not_spoil,
		test_a_cancelled_run_moves_nothing,
		test_a_wrong_clock_ends_no_flight,
		test_new_users_widen_no_others,
		test_what_remains_goes_by_widened_quantiles,
		test_ended_by_the_system_says_nothing_of_the_limit,
		test_bad_ends_are_refused,
		NULL,
	};

	return suite_run("ensemble", tests);
}
