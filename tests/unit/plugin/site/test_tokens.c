/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_tokens.c - the policy as written in slurm.conf, and how it
 * is followed */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/site.h"
#include "plugin/site/tokens.h"
#include "tests/unit/suite.h"

static char complaints[2048]; /* "TOKEN;" for each */

/* A site gives no context. */
static void complain(void *context, const char *token, const char *why)
{
	size_t used = strlen(complaints);

	ck_assert(!context || context == complaints);
	ck_assert(*why);
	snprintf(complaints + used, sizeof(complaints) - used, "%s;", token);
}

static struct policy parse(const char *text)
{
	struct policy policy;

	complaints[0] = '\0';
	memset(&policy, 0x5a, sizeof(policy)); /* all of it is set */
	tokens_parse(text, &policy, complain, complaints);
	return policy;
}

static void expect_defaults(const struct policy *p)
{
	ck_assert_str_eq(p->url, "unix:/run/slurm-predict/predictd.sock");
	ck_assert_int_eq(p->timeout_ms, 20);
	ck_assert_int_eq(p->mode, MODE_ADVISE);
	ck_assert_double_eq_tol(p->quantile, 0.9, 1e-12);
	ck_assert_int_eq(p->message, MESSAGE_ON);
	ck_assert_int_eq(p->place, PLACE_BY_MODE);
	ck_assert_double_eq(p->margin_pct, 20);
	ck_assert_uint_eq(p->act_min_runs, 10);
	ck_assert_uint_eq(p->limit_min_min, 1);
	ck_assert_uint_eq(p->limit_max_min, 0);
	ck_assert_int_eq(p->nodes, MODE_ADVISE);
	ck_assert_int_eq(p->nodes_goal.aim, MOLDABLE_INDEX);
	ck_assert_int_eq(p->partitions_count, 0);
}

START_TEST(test_defaults)
{
	static const char *const texts[] = { NULL, "", ",,",
					     "enable_configless",
					     "idle_on_node_suspend,foo=bar" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct policy p = parse(texts[i]);

		expect_defaults(&p);
		ck_assert_str_eq(complaints, "");
	}
}
END_TEST

START_TEST(test_all_tokens)
{
	struct policy p = parse(
		"enable_configless,predict_url=http://10.0.0.7:7380,"
		" predict_timeout_ms=137 ,Predict_Mode=act,predict_mode.debug="
		"off,predict_mode.long=observe,predict_quantile=0.95,"
		"predict_message=known+start,predict_margin_pct=37.5,"
		"predict_act_min_runs=31,"
		"predict_limit_min=7,predict_limit_max=2880,"
		"predict_limit_max.debug=30,predict_place=observe,"
		"predict_place.long=on,predict_nodes=act,"
		"predict_nodes.debug=observe,predict_nodes_goal=time,"
		"predict_nodes_goal.long=efficiency:0.6,other=1");

	ck_assert_str_eq(complaints, "");
	ck_assert_str_eq(p.url, "http://10.0.0.7:7380");
	ck_assert_int_eq(p.timeout_ms, 137);
	ck_assert_int_eq(p.mode, MODE_ACT);
	ck_assert_double_eq_tol(p.quantile, 0.95, 1e-12);
	ck_assert_int_eq(p.message, MESSAGE_START + MESSAGE_KNOWN);
	ck_assert_int_eq(p.place, PLACE_OBSERVE);
	ck_assert_int_eq(policy_place(&p, "long"), PLACE_ON);
	ck_assert_int_eq(policy_place(&p, "debug"), PLACE_OBSERVE);
	ck_assert_int_eq(p.nodes, MODE_ACT);
	ck_assert_int_eq(policy_nodes(&p, "debug", NULL), MODE_OBSERVE);
	ck_assert_int_eq(policy_nodes(&p, "long", NULL), MODE_ACT);
	ck_assert_int_eq(policy_nodes(&p, "long,debug", NULL), MODE_OBSERVE);
	ck_assert_int_eq(policy_nodes(&p, "", "debug"), MODE_OBSERVE);
	ck_assert_int_eq(policy_nodes_goal(&p, "debug", NULL)->aim,
			 MOLDABLE_TIME);
	ck_assert_double_eq(policy_nodes_goal(&p, NULL, "long")->efficiency,
			    0.6);
	ck_assert_int_eq(policy_nodes_goal(&p, NULL, NULL)->aim, MOLDABLE_TIME);
	ck_assert_double_eq(p.margin_pct, 37.5);
	ck_assert_uint_eq(p.act_min_runs, 31);
	ck_assert_uint_eq(p.limit_min_min, 7);
	ck_assert_uint_eq(p.limit_max_min, 2880);
	ck_assert_int_eq(p.partitions_count, 2);
	ck_assert_str_eq(p.partitions[0].name, "debug");
	ck_assert_int_eq(p.partitions[0].mode, MODE_OFF);
	ck_assert_uint_eq(p.partitions[0].limit_max_min, 30);
	ck_assert_int_eq(p.partitions[1].mode, MODE_OBSERVE);
}
END_TEST

START_TEST(test_last_one_counts)
{
	struct policy p = parse("predict_mode=off,predict_mode=observe,"
				"predict_mode.a=act,predict_mode.a=off");

	ck_assert_int_eq(p.mode, MODE_OBSERVE);
	ck_assert_int_eq(p.partitions_count, 1);
	ck_assert_int_eq(p.partitions[0].mode, MODE_OFF);
}
END_TEST

START_TEST(test_bad_tokens)
{
	static const char *const tokens[] = {
		"predict_",
		"predict_mode",
		"predict_mode=",
		"predict_mode=Act now",
		"predict_mode=acts",
		"predict_nodes=on",
		"predict_nodes_goal=efficiency:2",
		"predict_mode.=off",
		"predict_mode.debug=maybe",
		"predict_modes=off",
		"predict_timeout_ms=0",
		"predict_timeout_ms=1001",
		"predict_timeout_ms=20ms",
		"predict_timeout_ms=1e2",
		"predict_timeout_ms.debug=20",
		"predict_quantile=0.49",
		"predict_quantile=0.9991",
		"predict_quantile=nan",
		"predict_quantile=inf",
		"predict_quantile=0.9x",
		"predict_message=yes",
		"predict_message=+start",
		"predict_margin_pct=-1",
		"predict_act_min_runs=0",
		"predict_act_min_runs=few",
		"predict_margin_pct=1001",
		"predict_limit_min=0",
		"predict_limit_max=0",
		"predict_limit_max=99999999999999999999",
		"predict_url=predictd",
		"predict_url=https://127.0.0.1",
		"predict_url=http://example.org:80",
		"predict_speed=9",
		NULL,
	};

	for (int i = 0; tokens[i]; i++) {
		char expected[128];
		struct policy p = parse(tokens[i]);

		snprintf(expected, sizeof(expected), "%s;", tokens[i]);
		ck_assert_str_eq(complaints, expected);
		expect_defaults(&p);
	}
}
END_TEST

START_TEST(test_bad_among_good)
{
	struct policy p = parse("predict_mode=act,predict_speed=9,"
				"predict_quantile=2,predict_timeout_ms=77");

	ck_assert_str_eq(complaints, "predict_speed=9;predict_quantile=2;");
	ck_assert_int_eq(p.mode, MODE_ACT);
	ck_assert_int_eq(p.timeout_ms, 77);
}
END_TEST

START_TEST(test_too_long_and_too_many)
{
	static char text[POLICY_PARTITIONS_MAX * 32 + 64];
	size_t used = 0;

	snprintf(text, sizeof(text), "predict_url=unix:/%0600d", 0);
	struct policy p = parse(text);

	expect_defaults(&p);
	ck_assert_uint_gt(strlen(complaints), 100);

	for (int i = 0; i <= POLICY_PARTITIONS_MAX; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "predict_mode.p%d=off,", i);
	p = parse(text);
	ck_assert_int_eq(p.partitions_count, POLICY_PARTITIONS_MAX);
	ck_assert_str_eq(complaints, "predict_mode.p64=off;");
}
END_TEST

#define X_IGNORED "predict_x=1;"

START_TEST(test_site_follows)
{
	struct site *site = site_create(complain);
	struct policy p;
	char text[64];

	/* slurmctld changes the text in place: the address stays. */
	complaints[0] = '\0';
	snprintf(text, sizeof(text), "predict_mode=act,predict_x=1");
	for (int i = 0; i < 3; i++)
		site_policy(site, text, &p);
	ck_assert_int_eq(p.mode, MODE_ACT);
	ck_assert_str_eq(complaints, X_IGNORED);
	snprintf(text, sizeof(text), "predict_mode=off,predict_x=1");
	for (int i = 0; i < 3; i++)
		site_policy(site, text, &p);
	ck_assert_int_eq(p.mode, MODE_OFF);
	ck_assert_str_eq(complaints, X_IGNORED X_IGNORED);
	site_policy(site, NULL, &p);
	expect_defaults(&p);
	site_destroy(site);
	site_destroy(NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_defaults,        test_all_tokens,
		test_last_one_counts, test_bad_tokens,
		test_bad_among_good,  test_too_long_and_too_many,
		test_site_follows,    NULL,
	};

	return suite_run("tokens", tests);
}
