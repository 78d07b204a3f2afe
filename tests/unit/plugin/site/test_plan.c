/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <stdint.h>

#include "plugin/site/plan.h"
#include "plugin/site/tokens.h"
#include "tests/unit/suite.h"

static struct policy policy;
static int complaints;

static void count_complaint(void *context, const char *token, const char *why)
{
	(void)context, (void)token, (void)why;
	complaints++;
}

static void parse(const char *text)
{
	complaints = 0;
	tokens_parse(text, &policy, count_complaint, NULL);
}

START_TEST(test_off_by_default)
{
	parse("predict_mode=act");
	ck_assert_int_eq(policy_plan(&policy, "a", NULL), PLAN_OFF);
	ck_assert_double_eq(plan_bound_s(&policy), 86400);
}
END_TEST

START_TEST(test_least_of_partitions)
{
	parse("predict_plan=on,predict_plan.b=observe,predict_plan.c=off,"
	      "predict_mode.d=act");
	ck_assert_int_eq(complaints, 0);
	ck_assert_int_eq(policy_plan(&policy, "a", NULL), PLAN_ON);
	ck_assert_int_eq(policy_plan(&policy, "d", NULL), PLAN_ON);
	ck_assert_int_eq(policy_plan(&policy, "a,b", NULL), PLAN_OBSERVE);
	ck_assert_int_eq(policy_plan(&policy, "b,c", NULL), PLAN_OFF);
	ck_assert_int_eq(policy_plan(&policy, NULL, "c"), PLAN_OFF);
	ck_assert_int_eq(policy_plan(&policy, NULL, NULL), PLAN_ON);
}
END_TEST

START_TEST(test_refused)
{
	parse("predict_plan=yes,predict_plan_order=101,predict_plan_order=-1,"
	      "predict_plan_order=nan,predict_plan_order_max=0,"
	      "predict_plan_order_max=1001,predict_plan_order.a=2");
	ck_assert_int_eq(complaints, 7);
	ck_assert_int_eq(policy.plan, PLAN_OFF);
	ck_assert_double_eq(policy.plan_order, 1);
}
END_TEST

START_TEST(test_site_factor)
{
	parse("predict_plan=on,predict_plan_order=2.5,predict_plan_order_max="
	      "3");
	/* 1e9 - 777 - 2.5 * 60 * 17 */
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S + 777, 17),
			 999996673);
	/* 180 minutes are the most that counts. */
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S, 181),
			 999973000);
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S, UINT32_MAX),
			 999973000);
}
END_TEST

/* Whatever the limits are, nobody overtakes from further than the bound. */
START_TEST(test_bound)
{
	static const uint32_t limits[] = { 0,   1,   59,   719,
					   720, 721, 9999, UINT32_MAX };

	parse("predict_plan=on,predict_plan_order=7.3,"
	      "predict_plan_order_max=12");

	int64_t bound_s = (int64_t)plan_bound_s(&policy) + 1;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		for (size_t k = 0; k < sizeof(limits) / sizeof(*limits); k++)
			ck_assert_int_ge(plan_site_factor(&policy, 1795651201,
							  limits[i]),
					 plan_site_factor(&policy,
							  1795651201 + bound_s,
							  limits[k]));
}
END_TEST

START_TEST(test_within_priorities)
{
	parse("predict_plan_order=100,predict_plan_order_max=1000");
	ck_assert_int_gt(plan_site_factor(&policy, 2208988800, UINT32_MAX), 1);
	ck_assert_int_eq(plan_site_factor(&policy, INT64_C(1) << 40, 5), 1);
	ck_assert_int_eq(plan_site_factor(&policy, -(INT64_C(1) << 40), 5),
			 2 * PLAN_OFFSET);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_off_by_default,
		test_least_of_partitions,
		test_refused,
		test_site_factor,
		test_bound,
		test_within_priorities,
		NULL,
	};

	return suite_run("plan", tests);
}
