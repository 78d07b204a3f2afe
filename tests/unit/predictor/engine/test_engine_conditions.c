/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_engine_conditions.c - predictions follow what nodes are like */
#include <math.h>

#include "predictor/base/hostlist.h"
#include "predictor/engine/nodes/node_shares.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

START_TEST(test_conditions_of_a_long_run_are_kept)
{
	struct engine *engine = engine_create();

	life_measure(engine, "n1", 1e9, 3);

	struct prediction p = life_ask(engine, 1, 5000, 1e9 + 1);
	struct run run = life_run(&p, 7, 1e9 + 2, 50000);

	ck_assert_str_eq(p.assumed_nodes, "n1");
	run.state = RUN_RUNNING;
	run.ended_at_s = NAN;
	engine_complete_run(engine, &run);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	for (int i = 0; i < 1000; i++)
		life_measure(engine, "n1", 1e9 + 10 + i * 5, 0);
	run = life_run(&p, 7, 1e9 + 2, 50000);
	engine_complete_run(engine, &run);
	ck_assert_int_eq(run.before.nodes_known, 1);
	ck_assert_double_eq(run.before.cpu_load_max, 3);
	engine_destroy(engine);
}
END_TEST

/* Loads come and go in bursts of 100 s: one that began just now counts for a
 * job of seconds, and about half as much for one of minutes. */
START_TEST(test_conditions_over_as_long_as_it_runs)
{
	struct engine *engine = engine_create();
	double now_s = 1e9;

	for (uint32_t i = 0; i < 6; i++) {
		bool is_long = i % 2;
		struct prediction p =
			life_ask(engine, 1, is_long ? 9000 : 100, now_s);
		struct run run =
			life_run(&p, i + 1, now_s + 1, is_long ? 550 : 4);

		memcpy(run.node_list, "n1", 3);
		ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
		now_s = run.ended_at_s + 1;
	}
	for (int i = 0; i < 1485; i++, now_s += 5)
		life_measure(engine, "n1", now_s, i / 20 % 2 ? 0 : 2);
	now_s -= 4;

	struct prediction soon = life_ask(engine, 1, 100, now_s);
	struct prediction late = life_ask(engine, 1, 9000, now_s);

	ck_assert_str_eq(soon.assumed_nodes, "n1");
	ck_assert_double_lt(soon.median_s, 100);
	ck_assert_double_gt(late.median_s, 300);
	ck_assert_double_gt(soon.conditions.cpu_load, 1.6);
	ck_assert_double_lt(late.conditions.cpu_load, 1.4);
	ck_assert_double_gt(late.conditions.cpu_load, 0.6);
	/* The second time its kind is known, and it is the same. */
	ck_assert_double_eq(
		life_ask(engine, 1, 9000, now_s).conditions.cpu_load,
		late.conditions.cpu_load);
	engine_destroy(engine);
}
END_TEST

/* Busy for 50 of 60 s on the first node, for 10 s on the second. */
static struct profile uneven_profile(const struct prediction *p)
{
	struct profile profile = { .application = p->application,
				   .nodes = 2,
				   .tasks = 2,
				   .runs = 1,
				   .runtime_s = 60,
				   .node_count = 2,
				   .pair_count = -1 };

	memcpy(profile.cluster, p->cluster, sizeof(profile.cluster));
	for (int i = 0; i < 2; i++)
		profile.node[i] =
			(struct profile_node){ .tasks = 1,
					       .busy_s = i ? 10 : 50,
					       .ready_s = 0,
					       .idle_s = i ? 50 : 10,
					       .busy_phase_s = i ? 0.1 : 0.5,
					       .idle_phase_s = i ? 0.5 : 0.1,
					       .cpu_available = 1,
					       .cpu_speed = NAN };
	return profile;
}

static double by_sharing(struct engine *engine, const char *required)
{
	struct life life;
	struct prediction p;

	life_submit(&life, 2, 4000);
	life.job.required_nodes = required;
	p = life_predict(engine, &life, 1000);
	for (int i = 0; i < p.candidates_count; i++)
		if (strcmp(p.candidates[i].model, "sharing") == 0)
			return p.candidates[i].median_s;
	return NAN;
}

static void measure_turn(struct engine *engine, const char *node, double turn_s)
{
	struct measurement m = { .time_s = 1000,
				 .cpu_load = NAN,
				 .cpu_available = NAN,
				 .cpu_available_now = NAN,
				 .cpu_correction = NAN,
				 .cpu_speed = NAN,
				 .cpu_turn_s = turn_s,
				 .cpu_credit_s = 0,
				 .memory_available_mb = NAN };

	snprintf(m.node, sizeof(m.node), "%s", node);
	ck_assert_int_eq(engine_measure(engine, "tiny", &m, NULL), 0);
}

/* The sharing model sees each node of the set as it is, and how long a process
 * waits there for its CPU. */
START_TEST(test_nodes_one_by_one)
{
	struct engine *engine = engine_create();
	struct prediction p = life_ask(engine, 2, 4000, 900);
	struct run run = life_run(&p, 1, 900, 60);
	struct profile profile = uneven_profile(&p);

	ck_assert_int_eq(engine_learn_profile(engine, &run, &profile, NULL), 0);
	for (int i = 0; i < 20; i++) {
		life_measure(engine, "n1", 900 + 5 * i, 0);
		life_measure(engine, "n2", 900 + 5 * i, 1);
		life_measure(engine, "n3", 900 + 5 * i, 0);
	}
	/* The second node's 10 s become 20, which nobody waits for. */
	ck_assert_double_eq_tol(by_sharing(engine, "n1,n2"), 60, 0.5);

	double slow_s = by_sharing(engine, "n2,n3");

	ck_assert_double_eq_tol(slow_s, 110, 2);
	measure_turn(engine, "n2", 0.05); /* 100 cycles of 0.5 s */
	ck_assert_double_eq_tol(by_sharing(engine, "n2,n3") - slow_s, 5, 0.5);
	engine_destroy(engine);
}
END_TEST

/* What a job gets of each of its nodes, and how much slower the worst is. */
START_TEST(test_node_shares)
{
	struct engine *engine = engine_create();
	struct node_share shares[3];
	struct hostlist list;

	for (int i = 0; i < 100; i++) {
		life_measure(engine, "n1", 1e9 + 5 * i, 0);
		life_measure(engine, "n2", 1e9 + 5 * i, 3);
	}
	ck_assert_int_eq(hostlist_expand("n[1-3]", &list, NULL), 0);
	ck_assert_double_nan(
		engine_node_shares(engine, "tiny", &list, 1e9 + 500, shares));
	ck_assert_str_eq(shares[1].node, "n2");
	ck_assert_double_eq_tol(shares[0].share, 1, 0.05);
	ck_assert_double_eq_tol(shares[1].share, 0.25, 0.05);
	ck_assert_double_nan(shares[2].share);
	hostlist_clear(&list);
	ck_assert_int_eq(hostlist_expand("n[1-2]", &list, NULL), 0);
	ck_assert_double_eq_tol(
		engine_node_shares(engine, "tiny", &list, 1e9 + 500, shares), 4,
		0.5);
	hostlist_clear(&list);
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_conditions_of_a_long_run_are_kept,
		test_conditions_over_as_long_as_it_runs,
		test_nodes_one_by_one,
		test_node_shares,
		NULL,
	};

	return suite_run("engine conditions", tests);
}
