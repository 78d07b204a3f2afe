/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_placement_rules.c - by which rule a scheduler takes nodes */
#include <math.h>
#include <string.h>

#include "predictor/placement/placement_rules.h"
#include "tests/unit/suite.h"

static struct placement_rules *r;
static struct prediction p;
static double expected[PLACEMENT_RULES], weights[PLACEMENT_RULES];

static void begin(void)
{
	r = placement_rules_create();
	memset(&p, 0, sizeof(p));
	strcpy(p.cluster, "tiny");
	strcpy(p.partition, "main");
	p.nodes = 1;
	placement_rules_expected(RULE_FIRST, expected);
}

static void end(void)
{
	placement_rules_destroy(r);
}

static double weight(enum placement_rule rule)
{
	double sum = 0;

	placement_rules_weights(r, &p, expected, weights);
	for (int i = 0; i < PLACEMENT_RULES; i++)
		sum += weights[i];
	ck_assert_double_eq_tol(sum, 1, 1e-9);
	return weights[rule];
}

static void learn(int starts, double first, double best)
{
	const double taken[PLACEMENT_RULES] = { [RULE_FIRST] = first,
						[RULE_LEAST_LOADED] = 0,
						[RULE_BEST] = best,
						[RULE_OTHER] = NAN };

	for (int i = 0; i < starts; i++)
		placement_rules_learn(r, &p, expected, taken);
}

START_TEST(test_what_is_expected)
{
	ck_assert_double_gt(weight(RULE_FIRST), 0.8);
	learn(10, 1, 0);
	ck_assert_double_gt(weight(RULE_FIRST), 0.95);
	/* Nothing was learned of others. */
	p.nodes = 2;
	ck_assert_double_lt(weight(RULE_FIRST), 0.9);
	strcpy(p.partition, "debug");
	ck_assert_double_lt(weight(RULE_FIRST), 0.9);
}
END_TEST

START_TEST(test_another_rule_is_learned)
{
	learn(4, 0, 1);
	ck_assert_double_gt(weight(RULE_BEST), 0.5);
	learn(10, 0, 1);
	ck_assert_double_gt(weight(RULE_BEST), 0.9);
	/* slurm.conf has changed. */
	learn(5, 1, 0);
	ck_assert_double_gt(weight(RULE_FIRST), 0.5);
}
END_TEST

START_TEST(test_one_miss)
{
	learn(10, 1, 0.5);
	learn(1, 0, 0);
	ck_assert_double_gt(weight(RULE_FIRST), 0.7);
	learn(2, 1, 0.5);
	ck_assert_double_gt(weight(RULE_FIRST), 0.9);
}
END_TEST

/* Neither says anything. */
START_TEST(test_equal_sets)
{
	double before = weight(RULE_FIRST) / weight(RULE_BEST);

	learn(1, 1, 1);
	ck_assert_double_eq_tol(weight(RULE_FIRST) / weight(RULE_BEST), before,
				1e-6);
}
END_TEST

START_TEST(test_no_rule_is_right)
{
	learn(8, 0, 0);
	ck_assert_double_gt(weight(RULE_OTHER), 0.6);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_what_is_expected, test_another_rule_is_learned,
		test_one_miss,         test_equal_sets,
		test_no_rule_is_right, NULL
	};

	return suite_run_each("placement_rules", tests, begin, end);
}
