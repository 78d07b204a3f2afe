/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_partition_factor.c - the partition factor, from the last iteration */
#include <math.h>

#include "predictor/farm/partition_factor.h"
#include "tests/unit/suite.h"

#define WORKERS 8

static double estimate(const struct farm_policy *policy, double slow, double mo)
{
	struct farm f = { .M = 4000, .mu = 1e-3 };
	struct message_costs costs = { 1, { { HUGE_VAL, mo, 0 } } };
	struct worker_record workers[WORKERS];
	struct farm_iteration it = {
		.farm = &f,
		.costs = &costs,
		.policy = policy,
		.rules = { .M = f.M, .n = WORKERS, .mu = f.mu, .chunk_min = 1 },
	};

	for (int i = 0; i < WORKERS; i++)
		workers[i] = (struct worker_record){ 100, 100 * f.mu };
	workers[3].l *= slow;
	return partition_factor_estimate(&it, workers);
}

START_TEST(test_equal_workers_get_all_at_once)
{
	/* Each further batch costs messages, and balances nothing. */
	ck_assert_double_eq(estimate(&policy_fsc, 1, 1e-2), 1);
	ck_assert_double_eq(estimate(&policy_dpf, 1, 1e-2), 1);
}
END_TEST

START_TEST(test_slow_worker_gets_smaller_chunks)
{
	ck_assert_double_le(estimate(&policy_fsc, 5, 1e-4), .3);
	ck_assert_double_le(estimate(&policy_dpf, 5, 1e-4), .3);
}
END_TEST

START_TEST(test_worker_without_tasks)
{
	struct farm f = { .M = 20, .mu = 1 };
	struct message_costs costs = { 1, { { HUGE_VAL, 1e-3, 0 } } };
	struct worker_record workers[2] = { { 20, 20 }, { 0, 0 } };
	struct farm_iteration it = {
		.farm = &f,
		.costs = &costs,
		.policy = &policy_fsc,
		.rules = { .M = 20, .n = 2, .mu = 1, .chunk_min = 1 },
	};
	double factor = partition_factor_estimate(&it, workers);

	ck_assert(factor >= .1 && factor <= 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_equal_workers_get_all_at_once,
		test_slow_worker_gets_smaller_chunks,
		test_worker_without_tasks,
		NULL,
	};

	return suite_run("partition_factor", tests);
}
