/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_last.c - the user's last run of the application */
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

static double last_of(const struct history *h, const struct run *run)
{
	const struct model *last = model_named("last");
	void *object = last->create();
	struct query q = query_of(h, run);
	struct model_result result;
	int rc = last->predict(object, h, &q, &result, NULL);

	last->destroy(object);
	return rc ? NAN : result.median_s;
}

START_TEST(test_the_users_own_first)
{
	struct history *h = history_create();
	struct run run = nbody_run(1, 1, 1000, 31);
	struct run other = nbody_run(2, 2, 700, 77);

	other.user_id = 99;
	ck_assert_double_nan(last_of(h, &run));
	history_add_run(h, &other, NULL);
	ck_assert_double_eq(last_of(h, &run), 77); /* of another user */
	history_add_run(h, &run, NULL);
	ck_assert_double_eq(last_of(h, &run), 31);
	run = nbody_run(7, 4, 5000, 43);
	history_add_run(h, &run, NULL);
	run = nbody_run(5, 4, 5000, 17); /* ended earlier, added later */
	history_add_run(h, &run, NULL);
	ck_assert_double_eq(last_of(h, &run), 43);
	run.limit_s = 30;
	ck_assert_double_eq(last_of(h, &run), 30);
	history_destroy(h);
}
END_TEST

START_TEST(test_of_no_application_the_users_last)
{
	struct history *h = history_create();
	struct run run = nbody_run(1, 1, 1000, 31);

	run.application.name[0] = '\0';
	ck_assert_double_nan(last_of(h, &run));
	ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	ck_assert_double_eq(last_of(h, &run), 31);
	ck_assert_uint_eq(h->applications_count, 0);
	history_destroy(h);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_the_users_own_first,
		test_of_no_application_the_users_last,
		NULL,
	};

	return suite_run("last", tests);
}
