/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_avg2.c - the mean of the user's last two runs, and the user's limit */
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

START_TEST(test_mean_of_the_last_two)
{
	const struct model *avg2 = model_named("avg2");
	void *object = avg2->create();
	struct history *h = history_create();
	struct run run = nbody_run(1, 1, 1000, 31);
	struct query q = query_of(h, &run);
	struct model_result result;
	struct sp_error err;

	ck_assert_int_eq(avg2->predict(object, h, &q, &result, &err), -1);
	ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	q = query_of(h, &run);
	ck_assert_int_eq(avg2->predict(object, h, &q, &result, &err), 0);
	ck_assert_double_eq_tol(result.median_s, 31, 1e-6);
	ck_assert_uint_eq(result.runs, 1);
	for (uint32_t i = 2; i < 9; i++) {
		run = nbody_run(i, i, 77 * i, 100 + i * i);
		run.application.name[0] = (char)('a' + i); /* of whatever */
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}
	ck_assert_int_eq(avg2->predict(object, h, &q, &result, &err), 0);
	ck_assert_double_eq_tol(result.median_s, 156.5, 1e-6);
	ck_assert_uint_eq(result.runs, 2);
	q.limit_s = 120;
	ck_assert_int_eq(avg2->predict(object, h, &q, &result, &err), 0);
	ck_assert_double_eq(result.median_s, 120);
	q.limit_s = HUGE_VAL;
	ck_assert_int_eq(avg2->predict(object, h, &q, &result, &err), 0);
	ck_assert_double_eq_tol(result.median_s, 156.5, 1e-6);
	avg2->destroy(object);
	history_destroy(h);
}
END_TEST

START_TEST(test_limit)
{
	const struct model *limit = model_named("limit");
	void *object = limit->create();
	struct history *h = history_create();
	struct run run = nbody_run(1, 1, 1000, 31);
	struct query q = query_of(h, &run);
	struct model_result result;
	static const double none[] = { NAN, HUGE_VAL, 0, -5 };

	ck_assert_int_eq(limit->predict(object, h, &q, &result, NULL), 0);
	ck_assert_double_eq(result.median_s, 3600);
	ck_assert_uint_eq(result.runs, 0);
	for (int i = 0; i < 4; i++) {
		q.limit_s = none[i];
		ck_assert_int_eq(limit->predict(object, h, &q, &result, NULL),
				 -1);
	}
	limit->destroy(object);
	history_destroy(h);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_mean_of_the_last_two,
		test_limit,
		NULL,
	};

	return suite_run("avg2 and limit", tests);
}
