/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_policy.c - which mode and which limit a policy gives */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/policy.h"
#include "tests/unit/suite.h"

static struct policy policy;

static void set_up(void)
{
	policy_init(&policy);
	policy_partition_get(&policy, "debug")->mode = MODE_OFF;
	policy_partition_get(&policy, "prod")->mode = MODE_ACT;
	policy_partition_get(&policy, "prod")->limit_max_min = 90;
	policy_partition_get(&policy, "long")->limit_max_min = 6000;
}

START_TEST(test_mode_of_partitions)
{
	static const struct {
		const char *partitions, *default_partition;
		enum prediction_mode mode;
	} rows[] = {
		{ "other", NULL, MODE_ADVISE },
		{ "debug", NULL, MODE_OFF },
		{ "prod", NULL, MODE_ACT },
		{ "pro", NULL, MODE_ADVISE },
		{ "prod1", NULL, MODE_ADVISE },
		{ "long", NULL, MODE_ADVISE }, /* sets no mode */
		{ "prod,other", NULL, MODE_ADVISE },
		{ "prod,debug,other", "prod", MODE_OFF },
		{ ",prod,,", "debug", MODE_ACT },
		{ NULL, "prod", MODE_ACT },
		{ "", "debug", MODE_OFF },
		{ NULL, NULL, MODE_ADVISE },
		{ ",", NULL, MODE_ADVISE },
	};

	set_up();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_msg(policy_mode(&policy, rows[i].partitions,
					  rows[i].default_partition) ==
				      rows[i].mode,
			      "row %zu", i);
}
END_TEST

START_TEST(test_copy)
{
	struct policy copy;

	set_up();
	memset(&copy, 0xff, sizeof(copy));
	policy_copy(&policy, &copy);
	ck_assert_int_eq(copy.partitions_count, 3);
	ck_assert_str_eq(copy.url, policy.url);
	ck_assert_int_eq(policy_mode(&copy, "prod", NULL), MODE_ACT);
	ck_assert_uint_eq(policy_partition_get(&copy, "long")->limit_max_min,
			  6000);
	ck_assert_int_eq(policy_mode(&copy, "more", NULL), MODE_ADVISE);
	policy_partition_get(&copy, "more")->mode = MODE_OBSERVE;
	ck_assert_int_eq(policy_mode(&copy, "more", NULL), MODE_OBSERVE);
	ck_assert_uint_eq(policy_partition_get(&copy, "more")->limit_max_min,
			  0);
	ck_assert_int_eq(policy.partitions_count, 3);
}
END_TEST

START_TEST(test_wish_only_lowers)
{
	static const struct {
		const char *name, *value;
		enum prediction_mode before, after;
	} rows[] = {
		{ "mode", "off", MODE_ACT, MODE_OFF },
		{ "mode", "observe", MODE_ADVISE, MODE_OBSERVE },
		{ "mode", "act", MODE_ADVISE, MODE_ADVISE },
		{ "PREDICT_MODE", "off", MODE_ADVISE, MODE_OFF },
		{ "PREDICT_MODE", "act", MODE_OBSERVE, MODE_OBSERVE },
		{ "mode", "never", MODE_ACT, MODE_ACT },
		{ "mode", "", MODE_ACT, MODE_ACT },
		{ "PREDICT_SIZE", "off", MODE_ACT, MODE_ACT },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct submission job;

		submission_init(&job);
		job.settings_count = 1;
		job.settings[0].name = rows[i].name;
		job.settings[0].value = rows[i].value;
		ck_assert_msg(policy_lower_mode(rows[i].before, &job) ==
				      rows[i].after,
			      "row %zu", i);
	}
}
END_TEST

START_TEST(test_nodes_wish_only_lowers)
{
	static const struct {
		const char *name, *value;
		enum prediction_mode before, after;
	} rows[] = {
		{ "nodes", "off", MODE_ACT, MODE_OFF },
		{ "PREDICT_NODES_MODE", "observe", MODE_ACT, MODE_OBSERVE },
		{ "nodes", "act", MODE_ADVISE, MODE_ADVISE },
		{ "mode", "advise", MODE_ACT, MODE_ADVISE },
		{ "nodes", "many", MODE_ACT, MODE_ACT },
		{ "PREDICT_NODES", "off", MODE_ACT, MODE_ACT },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct submission job;

		submission_init(&job);
		job.settings_count = 1;
		job.settings[0].name = rows[i].name;
		job.settings[0].value = rows[i].value;
		ck_assert_msg(policy_lower_nodes(rows[i].before, &job) ==
				      rows[i].after,
			      "row %zu", i);
	}
}
END_TEST

static uint32_t limit_for(double quantile_s, const char *partitions)
{
	struct prediction_answer prediction = {
		.basis = BASIS_HISTORY,
		.evidence_level = EVIDENCE_APPLICATION,
		.evidence_runs = 12,
		.own_runs = 12,
		.judged = 12,
		.held = 11,
		.quantile = 0.9,
		.quantile_s = quantile_s,
	};

	return policy_limit_min(&policy, partitions, NULL, &prediction);
}

START_TEST(test_limit)
{
	set_up();
	ck_assert_uint_eq(limit_for(245, NULL), 5); /* 4.9 minutes */
	ck_assert_uint_eq(limit_for(3600, "x"), 72);
	ck_assert_uint_eq(limit_for(0.001, "x"), 1);
	ck_assert_uint_eq(limit_for(7200, "prod"), 90);
	ck_assert_uint_eq(limit_for(7200, "long,prod"), 90);
	ck_assert_uint_eq(limit_for(7200, "long"), 144);
	policy.limit_min_min = 30;
	ck_assert_uint_eq(limit_for(245, NULL), 30);
	policy.limit_max_min = 60;
	ck_assert_uint_eq(limit_for(7200, "x"), 60);
	ck_assert_uint_eq(limit_for(7200, NULL), 60);
	ck_assert_uint_eq(limit_for(7200, "long,x"), 60);
	/* The partition differs in something else. */
	policy_partition_get(&policy, "other");
	ck_assert_uint_eq(limit_for(7200, "other"), 60);
	policy.margin_pct = 0;
	ck_assert_uint_eq(limit_for(3000, NULL), 50);
	ck_assert_uint_eq(limit_for(3000.5, NULL), 51);
}
END_TEST

/* A limit needs runs of the same user and application, and a quantile that has
 * held for them. */
START_TEST(test_limit_needs_evidence)
{
	static const struct {
		enum evidence_level level;
		uint32_t own_runs, judged, held;
		bool limit;
	} rows[] = {
		{ EVIDENCE_APPLICATION, 10, 10, 9, true },
		{ EVIDENCE_APPLICATION, 9, 10, 9, false },
		{ EVIDENCE_APPLICATION, 0, 32, 32, false },
		{ EVIDENCE_USER, 10, 10, 10, false },
		{ EVIDENCE_SITE, 10, 10, 10, false },
		{ EVIDENCE_NONE, 10, 10, 10, false },
		{ EVIDENCE_APPLICATION, 900, 4, 4, false },
		{ EVIDENCE_APPLICATION, 900, 5, 4, true },
		{ EVIDENCE_APPLICATION, 900, 5, 3, false },
		{ EVIDENCE_APPLICATION, 900, 32, 26, true },
		{ EVIDENCE_APPLICATION, 900, 32, 25, false },
		{ EVIDENCE_APPLICATION, 900, 32, 0, false },
	};

	set_up();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct prediction_answer p = {
			.basis = BASIS_HISTORY,
			.evidence_level = rows[i].level,
			.own_runs = rows[i].own_runs,
			.judged = rows[i].judged,
			.held = rows[i].held,
			.quantile = 0.9,
			.quantile_s = 600,
		};

		ck_assert_msg((policy_limit_min(&policy, NULL, NULL, &p) > 0) ==
				      rows[i].limit,
			      "row %zu", i);
		ck_assert_msg(!policy_no_limit(&policy, &p) == rows[i].limit,
			      "row %zu", i);
		p.extrapolated = true;
		ck_assert_uint_eq(policy_limit_min(&policy, NULL, NULL, &p), 0);
	}
}
END_TEST

START_TEST(test_place)
{
	static const struct {
		enum policy_place all, one;
		enum prediction_mode mode, one_mode;
		enum policy_place result;
	} rows[] = {
		{ PLACE_BY_MODE, PLACE_BY_MODE, MODE_OFF, MODE_COUNT,
		  PLACE_OFF },
		{ PLACE_BY_MODE, PLACE_BY_MODE, MODE_OBSERVE, MODE_COUNT,
		  PLACE_OBSERVE },
		{ PLACE_BY_MODE, PLACE_BY_MODE, MODE_ADVISE, MODE_ACT,
		  PLACE_ON },
		{ PLACE_BY_MODE, PLACE_OFF, MODE_ACT, MODE_ACT, PLACE_OFF },
		{ PLACE_ON, PLACE_BY_MODE, MODE_OFF, MODE_OFF, PLACE_ON },
		{ PLACE_ON, PLACE_OBSERVE, MODE_ACT, MODE_COUNT,
		  PLACE_OBSERVE },
		{ PLACE_OFF, PLACE_ON, MODE_OFF, MODE_COUNT, PLACE_ON },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		policy_init(&policy);
		policy.place = rows[i].all;
		policy.mode = rows[i].mode;

		struct policy_partition *p =
			policy_partition_get(&policy, "one");

		p->place = rows[i].one;
		p->mode = rows[i].one_mode;
		ck_assert_int_eq(policy_place(&policy, "one"), rows[i].result);
		ck_assert_int_eq(policy_places(&policy, "one", NULL),
				 rows[i].result == PLACE_ON);
	}
}
END_TEST

START_TEST(test_places_in_all_partitions)
{
	policy_init(&policy);
	policy_partition_get(&policy, "one")->place = PLACE_ON;
	ck_assert(policy_places(&policy, "one", "two"));
	ck_assert(policy_places(&policy, NULL, "one"));
	ck_assert(!policy_places(&policy, "one,two", NULL));
	ck_assert(!policy_places(&policy, "", "two"));
	ck_assert(!policy_places(&policy, NULL, NULL));
	policy.place = PLACE_ON;
	ck_assert(policy_places(&policy, "two,one", NULL));
	ck_assert(policy_places(&policy, NULL, NULL));
}
END_TEST

START_TEST(test_no_limit)
{
	static const double odd[] = { NAN, -1, 0, INFINITY, 1e15, 1e300 };
	struct prediction_answer prediction = { .basis = BASIS_LIMIT,
						.quantile_s = 600 };

	set_up();
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		ck_assert_uint_eq(limit_for(odd[i], NULL), 0);
	ck_assert_uint_eq(policy_limit_min(&policy, NULL, NULL, &prediction),
			  0);
	prediction.basis = BASIS_NOTHING;
	ck_assert_uint_eq(policy_limit_min(&policy, NULL, NULL, &prediction),
			  0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_mode_of_partitions,
		test_copy,
		test_wish_only_lowers,
		test_nodes_wish_only_lowers,
		test_limit,
		test_limit_needs_evidence,
		test_place,
		test_places_in_all_partitions,
		test_no_limit,
		NULL,
	};

	return suite_run("policy", tests);
}
