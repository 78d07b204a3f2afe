/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_farm_policies.c - chunks of each policy */
#include <math.h>
#include <string.h>

#include "predictor/farm/farm_policy.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define CHUNKS_MAX 20000

static int chunks[CHUNKS_MAX];

/* All chunks of an iteration; every task is in exactly one of them. */
static int hand_out(const struct farm_policy *policy,
		    const struct handout_rules *rules)
{
	struct handout h;
	int count = 0, next = 0, first, tasks;
	bool in_order = true;

	handout_begin(&h, policy, rules);
	while ((tasks = handout_next(&h, &first)) > 0) {
		in_order &= first == next;
		next += tasks;
		chunks[count++] = tasks;
	}
	ck_assert(in_order);
	ck_assert_int_eq(next, rules->M);
	return count;
}

START_TEST(test_none)
{
	struct handout_rules r = { .M = 17, .n = 5, .mu = 1, .chunk_min = 1 };

	ck_assert_int_eq(hand_out(&policy_none, &r), 5);
	ck_assert_int_eq(chunks[0], 4);
	ck_assert_int_eq(chunks[1], 4);
	ck_assert_int_eq(chunks[4], 3);
}
END_TEST

START_TEST(test_fsc)
{
	/* Section 5.1: a factor of .2 makes five batches. */
	struct handout_rules r = {
		.M = 1000, .n = 8, .mu = 1, .factor = .2, .chunk_min = 1
	};

	ck_assert_int_eq(hand_out(&policy_fsc, &r), 40);
	for (int i = 0; i < 40; i++)
		ck_assert_int_eq(chunks[i], 25);
}
END_TEST

START_TEST(test_dpf)
{
	struct handout_rules r = {
		.M = 1024, .n = 4, .mu = 1, .factor = .5, .chunk_min = 8
	};

	/* 128, 64, 32, 16; 64 are left, whose half would be chunks of 8. */
	ck_assert_int_eq(hand_out(&policy_dpf, &r), 20);
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(chunks[i], i < 16 ? 128 >> i / 4 : 16);
}
END_TEST

START_TEST(test_daf)
{
	struct handout_rules r = {
		.M = 10000, .n = 25, .mu = .5, .sigma = .4, .chunk_min = 3
	};
	double x0 = 1 + .8 * sqrt(12.5), x1 = x0 + 1;
	int count = hand_out(&policy_daf, &r);

	ck_assert_int_eq(chunks[0], (int)ceil(10000 / (x0 * 25)));
	ck_assert_int_eq(chunks[0], 105);
	ck_assert_int_eq(chunks[24], 105);
	ck_assert_int_eq(chunks[25], (int)ceil(7375 / (x1 * 25)));
	ck_assert_int_le(chunks[count - 1], 3);
	/* Equal tasks: all at once. */
	r.sigma = 0;
	ck_assert_int_eq(hand_out(&policy_daf, &r), 25);
}
END_TEST

START_TEST(test_shared)
{
	struct handout_rules r = { .M = 10000,
				   .n = 8,
				   .mu = .5,
				   .sigma = .02,
				   .chunk_min = 2,
				   .slowdown = 4 };

	hand_out(&policy_shared, &r);
	ck_assert_int_eq(chunks[0], 312); /* of 10000 / (4 * 8) */
	for (r.slowdown = 0; r.slowdown < 2; r.slowdown += 1.16) {
		hand_out(&policy_shared, &r);
		ck_assert_int_eq(chunks[0], 416); /* never less than 3 */
	}
	r.sigma = 1; /* x = 1 + 2 * 2 is more than that */
	hand_out(&policy_shared, &r);
	ck_assert_int_eq(chunks[0], 250);
}
END_TEST

START_TEST(test_weights)
{
	double weight[40], sums[41] = { 0 };
	int order[40], count, next = 0;
	struct handout_rules r = {
		.M = 40, .n = 4, .mu = 1, .chunk_min = 1, .weights = sums
	};

	for (int i = 0; i < 40; i++)
		weight[i] = i % 10 == 7 ? 30 : 1;
	tasks_order_heaviest_first(weight, 40, order);
	ck_assert_int_eq(order[0], 7);
	ck_assert_int_eq(order[3], 37);
	ck_assert_int_eq(order[4], 0); /* equal ones as they were */
	ck_assert_int_eq(order[39], 39);
	for (int i = 0; i < 40; i++)
		sums[i + 1] = sums[i] + weight[order[i]];
	count = hand_out(&policy_shared, &r);
	/* Each heavy task alone, as it weighs more than its share of 13;
	 * light ones together. */
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(chunks[i], 1);
	ck_assert_int_gt(chunks[4], 1);
	for (int i = 0; i < count; i++)
		next += chunks[i];
	ck_assert_int_eq(next, 40);
}
END_TEST

START_TEST(test_least_chunk)
{
	/* 23 sends of .05 ms while a chunk of tasks of .5 ms is computed. */
	struct farm f = { .M = 10000, .mu = .5e-3, .V = 240e3, .alpha = .5 };
	struct message_costs costs = { 1, { { HUGE_VAL, 5e-5, 8e-8 } } };

	ck_assert_int_eq(handout_chunk_min(&f, &costs, 25), 3);
	ck_assert_int_eq(handout_chunk_min(&f, &costs, 2), 1);
	f.M = 50; /* never more than an even share */
	ck_assert_int_eq(handout_chunk_min(&f, &costs, 25), 2);
}
END_TEST

START_TEST(test_every_task_once)
{
	struct random random = { 9 };

	for (int i = 0; i < 300; i++) {
		struct handout_rules r = {
			.M = 1 + (int)random_below(&random, 3000),
			.n = 1 + (int)random_below(&random, 70),
			.mu = 1e-3 + random_unit(&random),
			.sigma = random_unit(&random),
			.factor = .1 + .9 * random_unit(&random),
			.chunk_min = 1 + (int)random_below(&random, 9),
			.slowdown = 5 * random_unit(&random),
		};

		for (int p = 0; farm_policies[p]; p++)
			hand_out(farm_policies[p], &r);
	}
}
END_TEST

/* Measurements that come on the way divide what is left as if they had been
 * known. */
START_TEST(test_set_task)
{
	struct handout_rules r = {
		.M = 1201, .n = 7, .factor = .37, .chunk_min = 1
	};

	for (int p = 0; farm_policies[p]; p++) {
		struct handout late, known;
		int first;

		r.mu = r.sigma = 1;
		handout_begin(&late, farm_policies[p], &r);
		late.rules.mu = r.mu = .31;
		late.rules.sigma = r.sigma = .13;
		handout_begin(&known, farm_policies[p], &r);
		while (handout_next(&known, &first) > 0) {
			ck_assert_int_gt(handout_next(&late, &first), 0);
			ck_assert_int_eq(late.next, known.next);
		}
	}
}
END_TEST

START_TEST(test_table)
{
	const char *const names[] = { "none", "fsc", "dpf", "daf", "shared" };

	for (int i = 0; i < 5; i++) {
		ck_assert_str_eq(farm_policies[i]->name, names[i]);
		ck_assert_uint_gt(strlen(farm_policies[i]->help), 0);
	}
	ck_assert_ptr_null(farm_policies[5]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_none,
		test_fsc,
		test_dpf,
		test_daf,
		test_shared,
		test_weights,
		test_least_chunk,
		test_every_task_once,
		test_set_task,
		test_table,
		NULL,
	};

	return suite_run("farm_policies", tests);
}
