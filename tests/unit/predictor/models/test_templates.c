/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_templates.c - the mean of runs of the best template */
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

static const struct model *model;
static void *object;

static struct query query(uint64_t user, uint64_t application, uint32_t cpus)
{
	static const struct parameters none;

	return (struct query){ .parameters = &none,
			       .cluster_key = 7,
			       .user_key = user,
			       .application_key = application,
			       .cpus = cpus,
			       .limit_s = 3600 };
}

static void ran(const struct query *q, enum outcome_end end, double runtime_s)
{
	struct outcome outcome = { .end = end,
				   .started_at_s = 1e9,
				   .ended_at_s = 1e9 + runtime_s };

	model->learn(object, NULL, q, &outcome);
}

static double median_of(const struct query *q)
{
	struct model_result result;

	return model->predict(object, NULL, q, &result, NULL) ? NAN
							      : result.median_s;
}

static void begin(void)
{
	model = model_named("templates");
	object = model->create();
}

START_TEST(test_the_narrowest_category)
{
	struct query mine = query(1, 11, 4);
	struct query others = query(2, 12, 8);
	struct query big = query(1, 11, 64);

	begin();
	ck_assert_double_nan(median_of(&mine));
	ran(&mine, OUTCOME_COMPLETED, 100);
	ck_assert_double_nan(median_of(&mine));
	ran(&mine, OUTCOME_COMPLETED, 110);
	ran(&mine, OUTCOME_FAILED, 105);
	ran(&mine, OUTCOME_OTHER, 9999); /* not learned */
	for (int i = 0; i < 9; i++)
		ran(&others, OUTCOME_COMPLETED, 1000 + 500 * (i % 3));
	/* 105 +- 8.4 is narrower than 1500 +- 266. */
	ck_assert_double_eq_tol(median_of(&mine), 105, 1e-3);
	/* The same program in another size: the user's and application's. */
	ck_assert_double_eq_tol(median_of(&big), 105, 1e-3);
	ck_assert_double_eq_tol(median_of(&others), 1500, 1e-3);
	mine.limit_s = 60;
	ck_assert_double_eq(median_of(&mine), 60);
	model->destroy(object);
}
END_TEST

START_TEST(test_new_runs_displace_old)
{
	struct query q = query(1, 11, 4);

	begin();
	for (int i = 0; i < 100; i++)
		ran(&q, OUTCOME_COMPLETED, 1000);
	for (int i = 0; i < 400; i++)
		ran(&q, OUTCOME_COMPLETED, 10);
	ck_assert_double_le(median_of(&q), 15);
	model->destroy(object);
}
END_TEST

/* As many users as never fit: the memory stays, the newest are known. */
START_TEST(test_bounded)
{
	struct query q;

	begin();
	for (uint64_t i = 1; i < 150000; i++) {
		q = query(i * 0x9e3779b97f4a7c15u, i * 0xbf58476d1ce4e5b9u, 4);
		ran(&q, OUTCOME_COMPLETED, 100);
		ran(&q, OUTCOME_COMPLETED, 100);
	}
	ck_assert_double_eq(median_of(&q), 100);
	model->destroy(object);
	model->destroy(NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_the_narrowest_category,
		test_new_runs_displace_old,
		test_bounded,
		NULL,
	};

	return suite_run("templates", tests);
}
