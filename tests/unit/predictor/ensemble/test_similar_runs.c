/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_similar_runs.c - limits below what a job needs, and extrapolation */
#include <check.h>
#include <math.h>

#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/queries.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define HOUR 3600.0

static struct random generator = { 20260 };

/* `solve`, as one user runs it; n is no parameter if NAN. */
static struct subject solve(struct application *application, double n)
{
	*application = (struct application){ .name = "solve" };
	if (!isnan(n))
		parameters_set(&application->parameters, "n", n, NULL);
	return (struct subject){
		.cluster = "tiny",
		.account = "",
		.partition = "main",
		.qos = "",
		.traits = "",
		.features = "",
		.gres = "",
		.user_id = 1234,
		.application = application,
		.nodes = 2,
		.tasks = 8,
		.cpus = 8,
		.limit_s = 2 * HOUR,
	};
}

static double learn_job(struct ensemble *e, const struct subject *subject,
			int count, double runtime_s, enum outcome_end end,
			double now_s)
{
	struct past_job job = { .subject = *subject };
	struct verdict verdict;

	for (int i = 0; i < count; i++) {
		static uint64_t ticket = 1;

		conditions_init(&job.before);
		job.subject.submitted_at_s = now_s;
		job.outcome = (struct outcome){
			.job_id = (uint32_t)ticket,
			.end = end,
			.started_at_s = now_s,
			.ended_at_s =
				now_s +
				runtime_s *
					(0.97 + 0.06 * random_unit(&generator)),
		};
		ensemble_predict(e, &job.subject, &job.before, now_s, ticket,
				 &verdict);
		ensemble_start(e, ticket, now_s);
		ck_assert_int_eq(ensemble_end(e, ticket, &job, NULL), 0);
		ticket++;
		now_s = job.outcome.ended_at_s + 60;
	}
	return now_s;
}

/* Runs that took about that time, one after the other; when the last ended. */
static double learn(struct ensemble *e, double n, int count, double runtime_s,
		    enum outcome_end end, double now_s)
{
	struct application application;
	struct subject subject = solve(&application, n);

	return learn_job(e, &subject, count, runtime_s, end, now_s);
}

static struct verdict predict(struct ensemble *e, const struct subject *subject,
			      double now_s)
{
	struct conditions conditions;
	struct subject asked = *subject;
	struct verdict verdict;

	conditions_init(&conditions);
	asked.submitted_at_s = now_s;
	ensemble_predict(e, &asked, &conditions, now_s, 0, &verdict);
	return verdict;
}

/* All took an hour, the limit is half an hour: the job is cut there. */
static void limit_too_low(double n)
{
	struct application application;
	struct ensemble *e = ensemble_create();
	struct subject job = solve(&application, n);
	double now_s = learn(e, n, 20, HOUR, OUTCOME_COMPLETED, 1e9);
	struct verdict v = predict(e, &job, now_s);

	ck_assert_double_eq_tol(v.median_s, HOUR, 0.1 * HOUR);
	ck_assert_uint_eq(v.similar.count, 20);
	ck_assert_uint_eq(v.similar.over_limit, 0);
	job.limit_s = HOUR / 2;
	v = predict(e, &job, now_s);
	ck_assert_double_eq_tol(v.median_s, HOUR / 2, 1);
	ck_assert_double_eq_tol(verdict_quantile(v.knots_s, 0.9), HOUR / 2, 1);
	ck_assert_uint_eq(v.similar.count, 20);
	ck_assert_uint_eq(v.similar.over_limit, 20);

	/* Others that say nothing: another parameter, crashes, and runs that a
	 * lower limit ended; and one that says much. */
	if (!isnan(n))
		now_s = learn(e, 1.06 * n, 5, HOUR / 3, OUTCOME_COMPLETED,
			      now_s);
	now_s = learn(e, n, 5, HOUR / 9, OUTCOME_FAILED, now_s);
	now_s = learn(e, n, 5, HOUR / 4, OUTCOME_TIMEOUT, now_s);
	now_s = learn(e, n, 1, HOUR, OUTCOME_TIMEOUT, now_s);
	v = predict(e, &job, now_s);
	ck_assert_uint_eq(v.similar.count, 21);
	ck_assert_uint_eq(v.similar.over_limit, 21);

	/* No limit is too low. */
	job.limit_s = HUGE_VAL;
	v = predict(e, &job, now_s);
	ck_assert_uint_eq(v.similar.over_limit, 0);
	ensemble_destroy(e);
}

START_TEST(test_limit_too_low)
{
	limit_too_low(1000);
	limit_too_low(NAN);
}
END_TEST

/* A run that its limit ended needed more than that limit, and how long it would
 * have taken is not known. */
START_TEST(test_ended_by_its_limit)
{
	static const enum outcome_end ends[] = { OUTCOME_TIMEOUT,
						 OUTCOME_COMPLETED };

	for (int i = 0; i < 2; i++) {
		struct application application;
		struct ensemble *e = ensemble_create();
		struct subject job = solve(&application, 1000);
		double now_s = learn(e, 1000, 1, HOUR, ends[i], 1e9);
		bool completed = ends[i] == OUTCOME_COMPLETED;
		struct runs_of_parameters runs;
		struct conditions conditions;
		struct query query;

		job.limit_s = (now_s - 60 - 1e9) / 0.995;
		ck_assert_uint_eq(predict(e, &job, now_s).similar.over_limit,
				  !completed);
		conditions_init(&conditions);
		query_make(ensemble_history(e), &job, &conditions, now_s, 0,
			   &query);
		similar_runs_of_parameters(ensemble_history(e), &query, &runs);
		ck_assert_uint_eq(runs.count, completed);
		ensemble_destroy(e);
	}
}
END_TEST

/* Where a lower limit has announced shorter runs, without parameters, it is not
 * taken for too low; with parameters it is. */
START_TEST(test_limit_announces_shorter_runs)
{
	struct application application;
	struct ensemble *e = ensemble_create();
	struct subject job = solve(&application, NAN);
	double now_s = 1e9;

	for (uint32_t user = 1; user <= 9; user++) {
		job.user_id = user;
		job.limit_s = 2 * HOUR;
		now_s = learn_job(e, &job, 8, HOUR, OUTCOME_COMPLETED, now_s);
		job.limit_s = HOUR / 2;
		now_s = learn_job(e, &job, 1, HOUR / 9, OUTCOME_COMPLETED,
				  now_s);
	}
	job.user_id = 1234;
	job.limit_s = 2 * HOUR;
	now_s = learn_job(e, &job, 8, HOUR, OUTCOME_COMPLETED, now_s);
	job.limit_s = HOUR / 2;

	struct verdict v = predict(e, &job, now_s);

	ck_assert_uint_eq(v.similar.over_limit, 8);
	ck_assert_double_le(v.median_s, 0.8 * HOUR / 2);

	job = solve(&application, 7);
	now_s = learn_job(e, &job, 8, HOUR, OUTCOME_COMPLETED, now_s);
	job.limit_s = HOUR / 2;
	v = predict(e, &job, now_s);
	ck_assert_double_eq_tol(v.median_s, HOUR / 2, 1);
	ensemble_destroy(e);
}
END_TEST

/* Few runs of another length do not bind the job to its limit. */
START_TEST(test_limit_fits)
{
	struct application application;
	struct ensemble *e = ensemble_create();
	struct subject job = solve(&application, 1000);
	double now_s = learn(e, 1000, 3, HOUR, OUTCOME_COMPLETED, 1e9);

	now_s = learn(e, 1000, 17, HOUR / 9, OUTCOME_COMPLETED, now_s);
	job.limit_s = HOUR / 2;

	struct verdict v = predict(e, &job, now_s);

	ck_assert_uint_eq(v.similar.count, 20);
	ck_assert_uint_eq(v.similar.over_limit, 3);
	ck_assert_double_le(v.median_s, HOUR / 6);
	ensemble_destroy(e);
}
END_TEST

/* Three runs, two of them longer than the limit: quantiles beyond (1 + 1/2) / 4
 * are raised to it. */
START_TEST(test_bound)
{
	const struct similar_runs similar = { .count = 3,
					      .over_limit = 2,
					      .precise = true };
	double median_s = 100, knots_s[PREDICTION_KNOTS];

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		knots_s[i] = 90 + i;
	similar_runs_bound(&similar, HOUR, NAN, &median_s, knots_s);
	ck_assert_double_eq(median_s, HOUR);
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		ck_assert_double_eq(knots_s[i], prediction_knots[i] > 0.375
							? HOUR
							: 90 + i);
}
END_TEST

START_TEST(test_extrapolated)
{
	static const struct {
		double n;
		uint32_t nodes, tasks;
		bool extrapolated;
	} rows[] = {
		{ 1000, 2, 8, false }, { 3000, 2, 8, false },
		{ 5900, 2, 8, false }, { 6100, 2, 8, true },
		{ 510, 2, 8, false },  { 490, 2, 8, true },
		{ -1000, 2, 8, true }, { 1000, 4, 8, true },
		{ 1000, 1, 8, true },  { 1000, 2, 16, true },
		{ 80000, 2, 8, true }, { NAN, 2, 8, true },
	};
	struct application application;
	struct ensemble *e = ensemble_create();
	struct subject job = solve(&application, 7);

	ck_assert(!predict(e, &job, 1e9).outside.extrapolated);

	double now_s = learn(e, 1000, 8, 100, OUTCOME_COMPLETED, 1e9);

	now_s = learn(e, 3000, 8, 300, OUTCOME_COMPLETED, now_s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		job = solve(&application, rows[i].n);
		job.nodes = rows[i].nodes;
		job.tasks = rows[i].tasks;
		ck_assert_msg(predict(e, &job, now_s).outside.extrapolated ==
				      rows[i].extrapolated,
			      "row %zu", i);
	}
	ensemble_destroy(e);
}
END_TEST

/* --- Unlike the runs of these parameters ---------------------------------- */

static enum prediction_unlike unlike(struct ensemble *e,
				     const struct subject *subject,
				     const struct conditions *conditions,
				     struct runs_of_parameters *ret_runs)
{
	struct verdict verdict;

	ensemble_predict(e, subject, conditions, 2e9, 0, &verdict);
	return ensemble_unlike(e, subject, conditions, 2e9, &verdict, ret_runs);
}

/* 60 runs that take 300 s times the load of their nodes and one, on two nodes
 * and on eight, where it is a fifth. */
static struct ensemble *learn_loads(struct application *application)
{
	struct ensemble *e = ensemble_create();

	for (int i = 0; i < 60; i++) {
		struct past_job job = { .subject = solve(application, 100) };
		double load = i % 2 ? 7 : 0.1 * (i % 4);

		job.subject.limit_s = 8 * HOUR;
		if (i % 3 == 0)
			parameters_set(&application->parameters, "n", 900,
				       NULL);
		conditions_init(&job.before);
		job.before.nodes_known = 2;
		job.before.cpu_load = job.before.cpu_load_max = load;
		job.outcome = (struct outcome){
			.job_id = (uint32_t)i + 1,
			.end = OUTCOME_COMPLETED,
			.started_at_s = 1e9 + 1e5 * i,
		};
		/* These parameters never met the load. */
		if (i % 3 != 0)
			job.before.cpu_load = job.before.cpu_load_max = load =
				0.1;
		job.outcome.ended_at_s =
			job.outcome.started_at_s + 300 * (1 + load);
		ck_assert_int_eq(ensemble_end(e, 0, &job, NULL), 0);
	}
	return e;
}

START_TEST(test_unlike_by_load)
{
	struct application application;
	struct ensemble *e = learn_loads(&application);
	struct subject job = solve(&application, 100);
	struct runs_of_parameters runs;
	struct conditions now;

	job.limit_s = 8 * HOUR;
	conditions_init(&now);
	now.nodes_known = 2;
	now.cpu_load = now.cpu_load_max = 0.1;
	ck_assert_int_eq(unlike(e, &job, &now, &runs), UNLIKE_NOT);
	ck_assert_uint_eq(runs.count, 40);
	ck_assert_double_eq_tol(runs.shortest_s, 330, 1e-3);
	ck_assert_double_eq_tol(runs.longest_s, 330, 1e-3);
	now.cpu_load = now.cpu_load_max = 7;
	ck_assert_int_eq(unlike(e, &job, &now, &runs), UNLIKE_CONDITIONS);
	ensemble_destroy(e);
}
END_TEST

/* Each task does the same: eight times the tasks take an eighth. */
START_TEST(test_unlike_by_size_and_for_few_runs)
{
	struct application application;
	struct ensemble *e = ensemble_create();
	struct runs_of_parameters runs;
	struct conditions unknown;
	struct subject job;

	conditions_init(&unknown);
	for (int n = 1; n <= 6; n++) {
		job = solve(&application, 100 * n);
		job.limit_s = 1e6;
		if (n != 3)
			learn_job(e, &job, 8, 9e4 * n, OUTCOME_COMPLETED, 1e9);
		job.nodes = 16;
		job.tasks = job.cpus = 64;
		learn_job(e, &job, 8, 1e4 * n, OUTCOME_COMPLETED, 1.1e9);
	}
	job = solve(&application, 300);
	job.limit_s = 1e6;
	ck_assert_int_eq(unlike(e, &job, &unknown, &runs), UNLIKE_SIZE);
	ck_assert_uint_eq(runs.tasks, 64);
	ck_assert_double_eq_tol(runs.longest_s, 3e4, 1e3);

	/* One run, a tenth of what all others say. */
	job = solve(&application, 1000);
	job.limit_s = 1e6;
	learn_job(e, &job, 1, 9e3, OUTCOME_COMPLETED, 1.2e9);
	ck_assert_int_eq(unlike(e, &job, &unknown, &runs), UNLIKE_FEW);
	ck_assert_uint_eq(runs.count, 1);
	ensemble_destroy(e);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_limit_too_low,
		test_ended_by_its_limit,
		test_limit_announces_shorter_runs,
		test_limit_fits,
		test_bound,
		test_extrapolated,
		test_unlike_by_load,
		test_unlike_by_size_and_for_few_runs,
		NULL,
	};

	return suite_run("similar_runs", tests);
}
