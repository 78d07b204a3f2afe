/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_history.c - the finished runs that models learn from, in memory */
#include <stdio.h>

#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

START_TEST(test_groups_what_is_alike)
{
	struct history *h = history_create();

	for (uint32_t i = 0; i < 60; i++) {
		struct run run = nbody_run(i, 1 + i % 3, 1000 + i, 17 + i);

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	struct run run = nbody_run(1, 2, 1, 1);
	uint32_t a = history_application(h, "tiny", "nbody");
	uint32_t names = history_names(h, &run.application.parameters);
	uint32_t g = history_group(h, a, names, 2, 2, 2);

	ck_assert_uint_eq(h->runs, 60);
	ck_assert_uint_eq(h->applications_count, 1);
	ck_assert_uint_eq(h->groups_count, 3);
	ck_assert_uint_eq(h->applications[a].runs, 60);
	ck_assert_uint_eq(h->groups[g].count, 20);
	for (uint32_t i = 0; i < 20; i++) {
		ck_assert_double_eq(h->groups[g].values[i], 1001 + 3 * i);
		ck_assert_double_eq_tol(h->groups[g].runs[i].runtime_s,
					18 + 3 * i, 1e-6);
	}
	ck_assert_uint_eq(history_group(h, a, names, 2, 2, 4), INDEX_NONE);
	ck_assert_uint_eq(history_application(h, "other", "nbody"), INDEX_NONE);
	ck_assert_uint_eq(history_application(h, "tiny", "n"), INDEX_NONE);
	ck_assert_uint_eq(history_user(h, "tiny", 4), INDEX_NONE);
	history_destroy(h);
	history_destroy(NULL);
}
END_TEST

START_TEST(test_users_runs_are_in_the_order_of_their_ends)
{
	/* Job 5 ended together with job 4, and was added before it. */
	static const uint32_t order[] = { 3, 1, 5, 2, 6, 4 };
	struct history *h = history_create();

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		struct run run = nbody_run(order[i], 1, 1000, 10 + order[i]);

		if (order[i] == 5) {
			run.started_at_s -= 101;
			run.ended_at_s -= 101;
		}
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	uint32_t user = history_user(h, "tiny", 1234);

	for (uint32_t i = 0; i < HISTORY_USER_RUNS; i++)
		ck_assert_uint_eq(history_user_run(h, user, i)->job_id, 6 - i);
	ck_assert_ptr_null(history_user_run(h, user, HISTORY_USER_RUNS));

	uint32_t pair =
		history_pair(h, user, history_application(h, "tiny", "nbody"));

	ck_assert_uint_eq(h->users[user].pairs, pair);
	ck_assert_uint_eq(h->pairs[pair].runs, 6);
	ck_assert_uint_eq(h->pairs[pair].last_job_id, 6);
	ck_assert_uint_eq(h->pairs[pair].next, INDEX_NONE);
	history_destroy(h);
}
END_TEST

START_TEST(test_refuses_and_stays_unchanged)
{
	struct history *h = history_create();
	struct run run = nbody_run(7, 1, 1000, 10);
	struct sp_error err;

	static const enum run_state faults[] = {
		RUN_NODE_FAIL,
		RUN_PREEMPTED,
		RUN_REQUEUED,
		RUN_LOST,
	};

	for (int i = 0; i < 4; i++) {
		run.state = faults[i];
		ck_assert_int_eq(history_add_run(h, &run, &err), -1);
		ck_assert_str_eq(err.text, "job 7: ended by the system");
	}
	run.state = RUN_COMPLETED;
	run.ended_at_s = run.started_at_s - 1;
	ck_assert_int_eq(history_add_run(h, &run, &err), -1);
	run.ended_at_s = NAN;
	ck_assert_int_eq(history_add_run(h, &run, &err), -1);
	ck_assert_uint_eq(h->runs, 0);
	ck_assert_uint_eq(h->users_count, 0);
	history_destroy(h);
}
END_TEST

START_TEST(test_a_second_has_parts)
{
	struct history *h = history_create();
	struct run run = nbody_run(7, 1, 1000, 0);

	ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	ck_assert_double_eq(h->groups[0].runs[0].runtime_s,
			    HISTORY_RUNTIME_MIN_S);
	history_destroy(h);
}
END_TEST

START_TEST(test_a_group_keeps_its_newest)
{
	struct history *h = history_create();

	for (uint32_t i = 0; i < 10000; i++) {
		struct run run = nbody_run(i, 1, 7 * i, 1 + i);

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);

		const struct history_group *g = &h->groups[0];

		ck_assert_uint_eq(g->runs[g->count - 1].job_id, i);
		ck_assert_uint_ge(g->count, i < HISTORY_GROUP_RUNS
						    ? i + 1
						    : HISTORY_GROUP_RUNS);
		ck_assert_uint_le(g->count, HISTORY_GROUP_RUNS * 3 / 2);
	}

	const struct history_group *g = &h->groups[0];

	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t job_id = 10000 - g->count + i;

		ck_assert_uint_eq(g->runs[i].job_id, job_id);
		ck_assert_double_eq(g->values[i], 7.0 * job_id);
	}
	ck_assert_uint_eq(h->runs, 10000);
	ck_assert_uint_eq(h->applications[0].runs, 10000);
	history_destroy(h);
}
END_TEST

START_TEST(test_many)
{
	struct history *h = history_create();

	for (uint32_t i = 0; i < 20000; i++) {
		struct run run = nbody_run(i, 1 + i % 7, i, 10);

		run.user_id = i % 101;
		snprintf(run.application.name, APPLICATION_NAME_SIZE, "a%u",
			 i % 503);
		if (i % 2)
			parameters_set(&run.application.parameters, "s", 1,
				       NULL);
		if (i % 5 == 0)
			run.application.parameters.count = 0;
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}
	ck_assert_uint_eq(h->applications_count, 503);
	ck_assert_uint_eq(h->users_count, 101);
	ck_assert_uint_eq(h->names_count, 3);

	uint64_t runs = 0;

	for (uint32_t i = 0; i < h->groups_count; i++)
		runs += h->groups[i].count;
	ck_assert_uint_eq(runs, 20000);
	history_destroy(h);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_groups_what_is_alike,
		test_users_runs_are_in_the_order_of_their_ends,
		test_refuses_and_stays_unchanged,
		test_a_second_has_parts,
		test_a_group_keeps_its_newest,
		test_many,
		NULL,
	};

	return suite_run("history", tests);
}
