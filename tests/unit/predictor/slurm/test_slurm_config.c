/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_config.c - what is read from `scontrol show config` */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plugin/site/plan.h"
#include "predictor/slurm/slurm_config.h"
#include "tests/unit/suite.h"

static const char text[] =
	"Configuration data as of 2026-11-20T08:46:12\n"
	"AccountingStorageBackupHost = (null)\n"
	"AuthInfo                = cred_expire=120,socket=/run/m/munge.2\n"
	"ClusterName             = tern\n"
	"SelectTypeParameters    = CR_CORE_MEMORY,CR_LLN\n"
	"SlurmctldParameters     = idle_on_node_suspend,"
	"predict_url=http://127.0.0.1:7380,xpredict_quantile=0.6,"
	"predict_quantile=0.75\n"
	"SlurmctldPort           = 6817\n";

START_TEST(test_config)
{
	struct slurm_config got;

	slurm_config_parse(text, &got);
	ck_assert_str_eq(got.cluster, "tern");
	ck_assert_str_eq(got.url, "http://127.0.0.1:7380");
	ck_assert_str_eq(got.munge_socket, "/run/m/munge.2");
	ck_assert_double_eq(got.quantile, 0.75);
	ck_assert(got.least_loaded);
	ck_assert_str_eq(got.nodes_goal, "");
	ck_assert(!got.user_top && !got.accrue_limits && !got.reservations);
	slurm_config_parse(
		"AccountingStorageEnforce = associations,limits\n"
		"SchedulerParameters     = bf_continue,enable_user_top,"
		"bf_job_part_count_reserve=7\n",
		&got);
	ck_assert(got.user_top && got.accrue_limits);
	ck_assert_uint_eq(got.reservations, 7);
}
END_TEST

START_TEST(test_controller)
{
	struct slurm_config got;

	slurm_config_parse("SlurmctldHost[0]        = ctl\n"
			   "SlurmctldHost[1]        = spare\n",
			   &got);
	ck_assert_str_eq(got.controller, "ctl");
	slurm_config_parse("SlurmctldHost[0]        = ctl(192.0.2.9)\n", &got);
	ck_assert_str_eq(got.controller, "192.0.2.9");
	slurm_config_parse("ClusterName             = tern\n", &got);
	ck_assert_str_eq(got.controller, "");
}
END_TEST

START_TEST(test_nodes_goal)
{
	static const struct {
		const char *tokens, *goal;
	} rows[] = {
		{ "predict_nodes=act", "index" },
		{ "a=b,predict_nodes=act,predict_nodes_goal=efficiency:0.7",
		  "efficiency:0.7" },
		{ "predict_nodes=advise,predict_nodes_goal=time", "" },
		{ "predict_nodes_goal=time", "" },
		{ "predict_nodes.debug=act", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slurm_config got;
		char config[128];

		snprintf(config, sizeof(config), "SlurmctldParameters = %s\n",
			 rows[i].tokens);
		slurm_config_parse(config, &got);
		ck_assert_str_eq(got.nodes_goal, rows[i].goal);
	}
}
END_TEST

START_TEST(test_config_defaults)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"ClusterName",
		"ClusterNameX = a\n",
		"xClusterName = a\n",
		"SlurmctldParameters     = (null)\nAuthInfo = (null)\n",
		"SlurmctldParameters = predict_url=,predict_quantile=1.5",
		"SlurmctldParameters = predict_quantile=0.6x\n",
		"SelectTypeParameters = CR_CORE\nX = CR_LLN\n",
		"SelectTypeParameters = CR_LLNX\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct slurm_config got;

		slurm_config_parse(texts[i], &got);
		ck_assert_str_eq(got.cluster, "");
		ck_assert_str_eq(got.url, "");
		ck_assert_str_eq(got.munge_socket, "");
		ck_assert_double_eq(got.quantile, 0.9);
		ck_assert(!got.least_loaded);
	}
}
END_TEST

/* The defaults are those of the plugin. */
START_TEST(test_config_order)
{
	static const struct {
		const char *text;
		double overtaken_s;
	} cases[] = {
		{ "SlurmctldParameters = predict_plan=on\n", -1 },
		{ "SlurmctldParameters = "
		  "predict_plan_order=7.5,predict_plan=on,"
		  "predict_plan_order_max=3,predict_plan_reserve_max=9,"
		  "predict_plan_reserve=17.5\n",
		  81000 },
		{ "SlurmctldParameters = predict_plan=observe\n", NAN },
		{ "SlurmctldParameters = predict_plan_order=3\n", NAN },
		{ "SlurmctldParameters = predict_plan=on,predict_plan.a=off\n",
		  NAN },
		{ "", NAN },
	};
	struct policy policy;

	policy_init(&policy);
	ck_assert_double_eq(policy.plan_reserve, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double expected = cases[i].overtaken_s;
		struct slurm_config got;

		slurm_config_parse(cases[i].text, &got);
		if (isnan(expected))
			ck_assert(isnan(got.overtaken_s));
		else
			ck_assert_double_eq(
				got.overtaken_s,
				expected > 0 ? expected
					     : 3600 * policy.plan_order *
						       policy.plan_order_max_h);
		ck_assert_double_eq(got.plan_reserve, i == 1 ? 17.5 : 0);
	}
}
END_TEST

/* What stands in the next line does not count. */
START_TEST(test_lists)
{
	static const char list[] = "one,two three,,four\nfive,six";

	ck_assert(slurm_config_lists(list, ',', "one"));
	ck_assert(slurm_config_lists(list, ',', "two"));
	ck_assert(slurm_config_lists(list, ',', "four"));
	ck_assert(!slurm_config_lists(list, ',', "three"));
	ck_assert(!slurm_config_lists(list, ',', "on"));
	ck_assert(!slurm_config_lists(list, ',', "six"));
	ck_assert(!slurm_config_lists(list, ':', "four"));
	ck_assert(slurm_config_lists("/a:/b,c", ':', "/b,c"));
	ck_assert(!slurm_config_lists("", ',', "one"));
	ck_assert(!slurm_config_lists(NULL, ',', "one"));
}
END_TEST

/* A name that does not fit is not cut to another one. */
START_TEST(test_config_too_long)
{
	char longer[400] = "ClusterName = ";
	struct slurm_config got;

	memset(longer + 14, 'c', 200);
	slurm_config_parse(longer, &got);
	ck_assert_str_eq(got.cluster, "");
}
END_TEST

START_TEST(test_private_data)
{
	static const struct {
		const char *text;
		bool public, hidden;
	} cases[] = {
		{ "PrivateData             = none\n", true, false },
		{ "PrivateData             = accounts,usage\n", true, false },
		{ "PrivateData             = accounts,jobs,usage\n", false,
		  false },
		{ "PrivateData             = events,nodes\n", true, true },
		{ "PrivateData             = all\n", false, true },
		{ "PrivateData             = jobsx,nodesx\nX = jobs\n", true,
		  false },
		{ "ClusterName             = big\n", false, true },
	};
	struct slurm_config got;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		slurm_config_parse(cases[i].text, &got);
		ck_assert_msg(got.jobs_public == cases[i].public, "%s",
			      cases[i].text);
		ck_assert_msg(got.nodes_hidden == cases[i].hidden, "%s",
			      cases[i].text);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_config,          test_controller,   test_nodes_goal,
		test_config_defaults, test_config_order, test_config_too_long,
		test_private_data,    test_lists,        NULL
	};

	return suite_run("slurm_config", tests);
}
