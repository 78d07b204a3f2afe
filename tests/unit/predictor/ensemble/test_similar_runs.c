/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_similar_runs.c - limits below what a job needs, and extrapolation */
#include <check.h>
#include <math.h>

#include "predictor/ensemble/ensemble.h"
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

int main(void)
{
	const TTest *const tests[] = {
		test_limit_too_low,
		test_limit_announces_shorter_runs,
		test_limit_fits,
		test_extrapolated,
		NULL,
	};

	return suite_run("similar_runs", tests);
}
