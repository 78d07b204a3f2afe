/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_open_nodes.c - a job that leaves its number of nodes open */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/job_submit/open_nodes.h"
#include "predictor/snapshot/snapshot.h"
#include "tests/unit/suite.h"

static struct policy policy;
static struct submission job;
static struct nodes_open open;

static void set_up(void)
{
	policy_init(&policy);
	policy.nodes = MODE_ACT;
	policy.nodes_goal = (struct moldable_goal){ .aim = MOLDABLE_EFFICIENCY,
						    .efficiency = 0.75 };
	submission_init(&job);
	job.size.nodes_min = 2;
	job.size.nodes_max = 9;
}

static void begin(void)
{
	job.nodes_goal = NULL;
	nodes_begin(&policy, "main", NULL, &job, &open);
}

START_TEST(test_request)
{
	begin();
	ck_assert_int_eq(open.mode, MODE_ACT);
	ck_assert_uint_eq(open.least, 2);
	ck_assert_uint_eq(open.most, 9);
	ck_assert_str_eq(job.nodes_goal, "efficiency:0.75");
	/* No more nodes than tasks. */
	job.size.tasks = 5;
	begin();
	ck_assert_uint_eq(open.most, 5);
	job.size.tasks = 2;
	begin();
	ck_assert_int_eq(open.mode, MODE_OFF);
	ck_assert_ptr_null(job.nodes_goal);
	/* --use-min-nodes */
	job.size.tasks = 0;
	job.size.nodes_want = 2;
	begin();
	ck_assert_int_eq(open.mode, MODE_OFF);
	job.size.nodes_want = 0;
	job.settings_count = 1;
	job.settings[0] = (struct setting){ "nodes", "advise" };
	begin();
	ck_assert_int_eq(open.mode, MODE_ADVISE);
	ck_assert_ptr_null(job.nodes_goal);
}
END_TEST

START_TEST(test_act_needs_predictd)
{
	struct prediction_answer answer = { .nodes_best = 0 };

	begin();
	ck_assert_int_eq(nodes_mode(&open, &answer), MODE_ADVISE);
	answer.nodes_best = 4;
	ck_assert_int_eq(nodes_mode(&open, &answer), MODE_ACT);
	open.mode = MODE_OBSERVE;
	ck_assert_int_eq(nodes_mode(&open, &answer), MODE_OBSERVE);
}
END_TEST

/* A limit is for the longest run of the range, and there is none where that is
 * not known. */
START_TEST(test_limit)
{
	struct prediction_answer answer = {
		.basis = BASIS_HISTORY,
		.evidence_level = EVIDENCE_APPLICATION,
		.own_runs = 20,
		.judged = 20,
		.held = 19,
		.quantile = 0.9,
		.quantile_s = 100,
	};
	struct placement_model model;
	char text[SNAPSHOT_MODEL_SIZE];

	begin();
	nodes_curve("", &open);
	ck_assert_uint_eq(open.curve.reach, 0);
	ck_assert_ptr_nonnull(nodes_no_limit(&open, &policy, &answer));
	placement_model_from_runtime(4, 4, 35, &model);
	model.curve = (struct placement_curve){ .from = 1,
						.reach = 16,
						.c_s = { 10, 100, 0, 0 } };
	snapshot_model_print(&model, text);
	nodes_curve(text, &open);
	ck_assert_uint_eq(open.curve.reach, 16);
	ck_assert_double_eq_tol(open.slowest, 60 / 35.0, 1e-6);
	ck_assert_ptr_null(nodes_no_limit(&open, &policy, &answer));
	answer.judged = 2;
	ck_assert_ptr_nonnull(nodes_no_limit(&open, &policy, &answer));
	/* 9 nodes are beyond its reach. */
	answer.judged = 20;
	model.curve.reach = 8;
	snapshot_model_print(&model, text);
	begin();
	nodes_curve(text, &open);
	ck_assert_ptr_nonnull(nodes_no_limit(&open, &policy, &answer));
	/* Not open: the curve does not count. */
	job.size.nodes_max = 2;
	begin();
	nodes_curve(text, &open);
	ck_assert_ptr_null(nodes_no_limit(&open, &policy, &answer));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_request,
		test_act_needs_predictd,
		test_limit,
		NULL,
	};

	return suite_run_each("open_nodes", tests, set_up, NULL);
}
