/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_waiting.c - which jobs a scheduler's snapshot has, and for how long */
#include <stdio.h>
#include <string.h>

#include "predictor/engine/waiting.h"
#include "tests/unit/suite.h"

#define NOW_S 1.7e9

static struct records *waiting;
static struct snapshot_job jobs[WAITING_MAX];

static void set_up(void)
{
	waiting = waiting_create();
	ck_assert_ptr_nonnull(waiting);
}

static void tear_down(void)
{
	records_destroy(waiting);
}

static void submit(unsigned id, const char *cluster, double made_at_s)
{
	const struct placement_model model = { .nodes = id };
	const struct waiting_placing placing = { .free = true };
	struct prediction p = { .user_id = 1000, .made_at_s = made_at_s };

	snprintf(p.id, sizeof(p.id), "%016x", id);
	strcpy(p.cluster, cluster);
	waiting_put(waiting, &p, &model, &placing);
}

static void end(unsigned id, const char *cluster, uint32_t user_id)
{
	struct run run = { .user_id = user_id };

	snprintf(run.prediction_id, sizeof(run.prediction_id), "%016x", id);
	strcpy(run.cluster, cluster);
	waiting_end(waiting, &run);
}

START_TEST(test_each_cluster_has_its_own)
{
	for (unsigned i = 1; i <= 9; i++)
		submit(i, i % 3 ? "atlas" : "bora", NOW_S);
	ck_assert_uint_eq(waiting_list(waiting, "atlas", NOW_S, jobs), 6);
	ck_assert_uint_eq(jobs[2].id, 4);
	ck_assert_uint_eq(waiting_list(waiting, "bora", NOW_S, jobs), 3);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(jobs[i].id, 3 * (i + 1));
		ck_assert_uint_eq(jobs[i].model.nodes, 3 * (i + 1));
	}
	ck_assert_uint_eq(waiting_list(waiting, "", NOW_S, jobs), 0);
	ck_assert_uint_eq(waiting_list(waiting, "atla", NOW_S, jobs), 0);
}
END_TEST

/* No job follows them, or it is still there after weeks. */
START_TEST(test_old_ones_expire)
{
	struct placement_model model;

	submit(1, "atlas", NOW_S);
	submit(2, "atlas", NOW_S + 86400);
	ck_assert_uint_eq(
		waiting_list(waiting, "atlas", NOW_S + WAITING_S - 1, jobs), 2);
	ck_assert_uint_eq(
		waiting_list(waiting, "atlas", NOW_S + WAITING_S, jobs), 1);
	ck_assert_uint_eq(jobs[0].id, 2);
	/* A report at its start still finds it. */
	ck_assert_int_eq(waiting_find(waiting, "0000000000000001", &model), 0);
}
END_TEST

START_TEST(test_only_its_own_run_ends_it)
{
	struct placement_model model;

	submit(7, "atlas", NOW_S);
	end(7, "atlas", 1001);
	end(7, "bora", 1000);
	ck_assert_uint_eq(waiting_list(waiting, "atlas", NOW_S, jobs), 1);
	end(7, "atlas", 1000);
	ck_assert_uint_eq(waiting_list(waiting, "atlas", NOW_S, jobs), 0);
	ck_assert_int_eq(waiting_find(waiting, "0000000000000007", &model), -1);
}
END_TEST

START_TEST(test_more_than_there_is_room_for)
{
	for (unsigned i = 1; i <= WAITING_MAX + 500; i++)
		submit(i, "atlas", NOW_S);

	uint32_t count = waiting_list(waiting, "atlas", NOW_S, jobs);

	ck_assert_uint_le(count, WAITING_MAX);
	ck_assert_uint_gt(count, 1000);
	ck_assert_uint_eq(jobs[count - 1].id, WAITING_MAX + 500);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_each_cluster_has_its_own,
				       test_old_ones_expire,
				       test_only_its_own_run_ends_it,
				       test_more_than_there_is_room_for, NULL };

	return suite_run_each("waiting", tests, set_up, tear_down);
}
