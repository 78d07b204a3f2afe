/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <math.h>
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
	ck_assert_double_eq(policy.plan_order, 42);
	ck_assert_uint_eq(policy.plan_order_max_h, 2);
	ck_assert_int_eq(policy.plan_key, PLAN_KEY_P50);
	ck_assert(plan_reserves(&policy, 3600, 0));
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
	ck_assert_double_eq(policy.plan_order, 42);
	parse("predict_plan_key=p30,predict_plan_min=0,predict_plan_min=x,"
	      "predict_plan_key.a=limit");
	ck_assert_int_eq(complaints, 4);
	parse("predict_plan_reserve=-1,predict_plan_reserve=1001,"
	      "predict_plan_reserve.a=2,predict_plan_reserve_max=0,"
	      "predict_plan_reserve_max=1001,predict_plan_reserve_max=1.5");
	ck_assert_int_eq(complaints, 6);
	ck_assert_double_eq(policy.plan_reserve, 0);
	ck_assert_uint_eq(policy.plan_reserve_max_h, 20);
}
END_TEST

START_TEST(test_site_factor)
{
	parse("predict_plan=on,predict_plan_order=2.5,predict_plan_order_max="
	      "3,predict_plan_key=limit");
	/* 1e9 - 777 - 2.5 * 60 * 17 */
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S + 777, 17 * 60),
			 999996673);
	/* 180 minutes are the most that counts. */
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S, 181 * 60),
			 999973000);
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S, HUGE_VAL),
			 999973000);
}
END_TEST

START_TEST(test_logarithm)
{
	parse("predict_plan=on,predict_plan_order=2.5,predict_plan_order_max="
	      "3");
	/* 1e9 - 2.5 * 10800 * ln(18) / ln(181) = 1e9 - 15012.1 */
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S, 17 * 60),
			 999984988);
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S, HUGE_VAL),
			 999973000);
	ck_assert_int_eq(plan_site_factor(&policy, PLAN_EPOCH_S, 0),
			 1000000000);
}
END_TEST

/* What a user with seven runs gets. */
static struct prediction_answer seven_runs(void)
{
	return (struct prediction_answer){
		.basis = BASIS_HISTORY,
		.evidence_level = EVIDENCE_USER,
		.evidence_runs = 7,
		.median_s = 333.5,
		.quantile = .9,
		.quantile_s = 4000,
	};
}

START_TEST(test_length)
{
	struct prediction_answer p = seven_runs();
	const char *why = "";

	parse("predict_plan=on,predict_plan_min=7");
	ck_assert_double_eq(plan_length_s(&policy, 71, &p, &why), 333.5);
	ck_assert_ptr_null(why);
	/* Nobody runs longer than the limit. */
	ck_assert_double_eq(plan_length_s(&policy, 3, &p, &why), 180);
	ck_assert_ptr_null(why);
	ck_assert_double_eq(plan_length_s(&policy, 71, NULL, &why), 4260);
	ck_assert_ptr_nonnull(why);
	ck_assert_double_eq(plan_length_s(&policy, UINT32_MAX, NULL, &why),
			    UINT32_MAX * 60.);

	parse("predict_plan=on,predict_plan_key=limit");
	ck_assert_int_eq(complaints, 0);
	ck_assert_double_eq(plan_length_s(&policy, 71, &p, &why), 4260);
	ck_assert_ptr_null(why);
}
END_TEST

START_TEST(test_no_order_without_evidence)
{
	const char *why;

	parse("predict_plan=on,predict_plan_min=7");
	for (int i = 0; i < 6; i++) {
		struct prediction_answer p = seven_runs();

		p.basis = i == 0 ? BASIS_LIMIT : p.basis;
		p.evidence_level = i == 1 ? EVIDENCE_SITE : p.evidence_level;
		p.evidence_runs = i == 2 ? 6 : p.evidence_runs;
		p.extrapolated = i == 3;
		p.median_s = i == 4 ? NAN : p.median_s;
		p.judged = i == 5 ? 40 : 0; /* none held */
		ck_assert_double_eq(plan_length_s(&policy, 71, &p, &why), 4260);
		ck_assert_ptr_nonnull(why);
	}

	struct prediction_answer p = seven_runs();

	p.judged = 40;
	p.held = 36;
	ck_assert_ptr_null(policy_no_order(&policy, &p));
}
END_TEST

/* Whatever the limits are, nobody overtakes from further than the bound. */
START_TEST(test_bound)
{
	static const double lengths_s[] = { 0,     1,     3559,   43199,
					    43200, 43201, 599999, HUGE_VAL };

	parse("predict_plan=on,predict_plan_order=7.3,"
	      "predict_plan_order_max=12");

	int64_t bound_s = (int64_t)(7.3 * 12 * 3600) + 1;

	for (size_t i = 0; i < sizeof(lengths_s) / sizeof(*lengths_s); i++)
		for (size_t k = 0; k < sizeof(lengths_s) / sizeof(*lengths_s);
		     k++)
			ck_assert_int_ge(plan_site_factor(&policy, 1795651201,
							  lengths_s[i]),
					 plan_site_factor(&policy,
							  1795651201 + bound_s,
							  lengths_s[k]));
}
END_TEST

/* Nodes are kept free at a slowdown, or after some hours. */
START_TEST(test_reserves)
{
	static const struct {
		double length_s, from_s; /* they are from then on */
	} rows[] = {
		{ 777, 17.5 * 777 }, { 60, 17.5 * 60 }, { 0, 17.5 * 60 },
		{ 1800, 31500 },     { 1900, 32400 },   { 1e9, 32400 },
	};

	parse("predict_plan_reserve=18.5,predict_plan_reserve_max=9");
	ck_assert_int_eq(complaints, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ck_assert(!plan_reserves(&policy, rows[i].length_s, 0));
		ck_assert(!plan_reserves(&policy, rows[i].length_s,
					 rows[i].from_s - 0.5));
		ck_assert(plan_reserves(&policy, rows[i].length_s,
					rows[i].from_s));
		ck_assert(plan_reserves(&policy, rows[i].length_s, 1e12));
	}
	/* Not known, or a clock that was set back. */
	ck_assert(plan_reserves(&policy, NAN, 0));
	ck_assert(plan_reserves(&policy, HUGE_VAL, 32400));
	ck_assert(plan_reserves(&policy, 777, -1));
}
END_TEST

START_TEST(test_within_priorities)
{
	parse("predict_plan_order=100,predict_plan_order_max=1000");
	ck_assert_int_gt(plan_site_factor(&policy, 2208988800, HUGE_VAL), 1);
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
		test_logarithm,
		test_length,
		test_no_order_without_evidence,
		test_bound,
		test_reserves,
		test_within_priorities,
		NULL,
	};

	return suite_run("plan", tests);
}
