/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_assumed_set.c - the nodes that a prediction assumes
 *
 * Where nobody fetches snapshots.  Those of a large site are made in the
 * background at the real time, so there measurements are of that time, too.
 */
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/features/node_facts.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define NOW_S 1e9

static void measure(struct engine *engine, const char *name, double time_s,
		    double available)
{
	struct measurement m = { .time_s = time_s,
				 .cpu_load = NAN,
				 .cpu_available = available,
				 .cpu_speed = NAN,
				 .memory_available_mb = NAN };

	snprintf(m.node, sizeof(m.node), "%s", name);
	ck_assert_int_eq(engine_measure(engine, "tiny", &m, NULL), 0);
}

static struct prediction predict(struct engine *engine, uint32_t nodes,
				 const char *required, const char *excluded,
				 double time_s)
{
	struct life life;

	life_submit(&life, nodes, 5000);
	life.job.required_nodes = required;
	life.job.excluded_nodes = excluded;
	return life_predict(engine, &life, time_s);
}

static void check(struct engine *engine, uint32_t nodes, const char *required,
		  const char *excluded, const char *expected, uint32_t known)
{
	struct prediction p = predict(engine, nodes, required, excluded, NOW_S);

	ck_assert_str_eq(p.assumed_nodes, expected);
	ck_assert_int_eq(p.conditions.nodes_known, known);
}

START_TEST(test_the_best_nodes)
{
	struct engine *engine = engine_create();

	check(engine, 2, NULL, NULL, "", 0);
	check(engine, 2, "x[1-2]", NULL, "x[1-2]", 0);
	measure(engine, "n1", NOW_S, 0.5);
	measure(engine, "n2", NOW_S, 0.99);
	measure(engine, "n10", NOW_S, 1);
	measure(engine, "n9", NOW_S, 1);
	measure(engine, "n4", NOW_S - 70, 1); /* too old */

	/* 0.99 is as good as 1; n9 comes before n10. */
	check(engine, 1, NULL, NULL, "n2", 1);
	check(engine, 2, NULL, NULL, "n[2,9]", 2);
	check(engine, 3, NULL, NULL, "n[2,9-10]", 3);
	check(engine, 9, NULL, NULL, "n[1-2,9-10]", 4);
	check(engine, 2, NULL, "n2,n9", "n[1,10]", 2);
	check(engine, 1, "n[1,4]", NULL, "n[1,4]", 1);
	check(engine, 2, "n1", "n2", "n[1,9]", 2);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_measurements_show_at_once)
{
	struct engine *engine = engine_create();
	struct prediction p;

	measure(engine, "n1", NOW_S, 1);
	measure(engine, "n2", NOW_S, 0.9);
	check(engine, 1, NULL, NULL, "n1", 1);
	measure(engine, "n1", NOW_S + 0.5, 0.1);
	p = predict(engine, 1, NULL, NULL, NOW_S + 0.5);
	ck_assert_str_eq(p.assumed_nodes, "n2");

	/* What is measured expires. */
	p = predict(engine, 1, NULL, NULL, NOW_S + 100);
	ck_assert_str_eq(p.assumed_nodes, "");
	ck_assert_int_eq(p.conditions.nodes_known, 0);
	engine_destroy(engine);
}
END_TEST

/* Too many for their snapshot to be made at once. */
#define LARGE 1100

static void await(struct engine *engine, const char *expected, double within_s)
{
	double begun_s = clock_monotonic_s();
	struct prediction p;

	do {
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		p = predict(engine, 1, NULL, NULL, clock_now_s());
	} while (strcmp(p.assumed_nodes, expected) != 0 &&
		 clock_monotonic_s() - begun_s < within_s);
	ck_assert_str_eq(p.assumed_nodes, expected);
}

/* Bounds are generous, since machines that test are busy. */
START_TEST(test_a_large_site)
{
	struct engine *engine = engine_create();

	for (int i = 0; i < LARGE; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%d", i);
		measure(engine, name, clock_now_s(), i < 3 ? 0.4 : 0.5);
	}

	struct prediction p = predict(engine, 1, "n7", NULL, clock_now_s());

	ck_assert_str_eq(p.assumed_nodes, "n7");
	await(engine, "n3", 10);
	measure(engine, "n1000", clock_now_s() + 0.01, 1);
	await(engine, "n1000", 10);
	engine_destroy(engine);
}
END_TEST

/* --- Where stock Slurm chooses -------------------------------------------- */

/* n1 to n4, of 4 CPUs each, of which the first two are loaded. */
static struct engine *loaded_engine(bool least_loaded)
{
	static struct node_properties node;
	struct engine *engine = engine_create();
	struct node_facts *facts = node_facts_create("tiny");

	facts->least_loaded = least_loaded;
	for (int i = 0; i < 4; i++) {
		memset(&node, 0, sizeof(node));
		snprintf(node.name, sizeof(node.name), "n%d", i + 1);
		node.cpus = 4;
		strcpy(node.partitions, "main");
		ck_assert_int_eq(node_facts_add(facts, &node, NULL), 0);
	}
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	engine_set_node_facts(engine, facts);
	for (int i = 0; i < 4; i++) {
		snprintf(node.name, sizeof(node.name), "n%d", i + 1);
		life_measure(engine, node.name, LIFE_START_S, i < 2 ? 3 : 0);
	}
	return engine;
}

/* Report the start, or the end, of a job on these nodes. */
static void report(struct engine *engine, const struct prediction *p,
		   uint32_t job_id, enum run_state state, uint32_t cpus,
		   const char *nodes)
{
	struct run run = life_run(p, job_id, LIFE_START_S, 100);

	if (state == RUN_RUNNING)
		run.ended_at_s = NAN;
	run.state = state;
	run.cpus = cpus;
	strcpy(run.node_list, nodes);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
}

static struct prediction stock_predict(struct engine *engine, uint32_t nodes)
{
	struct life life;

	life_submit(&life, nodes, 5000);
	return life_predict(engine, &life, LIFE_START_S);
}

static void check_stock(struct engine *engine, uint32_t nodes,
			const char *expected)
{
	struct prediction p;
	struct life life;

	life_submit(&life, nodes, 5000);
	engine_predict(engine, &life.job, MODE_ADVISE, 0.9, LIFE_START_S, false,
		       &p);
	ck_assert_str_eq(p.assumed_nodes, expected);
}

START_TEST(test_stock_takes_the_first_nodes)
{
	struct engine *engine = loaded_engine(false);
	static const struct prediction nobody = { .id = "" };

	check_stock(engine, 1, "n1");
	check_stock(engine, 3, "n[1-3]");
	/* A job of somebody else, whose CPUs are the whole node. */
	report(engine, &nobody, 7, RUN_RUNNING, 4, "n1");
	check_stock(engine, 1, "n2");
	check_stock(engine, 3, "n[2-4]");
	/* Too few are free: any. */
	check_stock(engine, 4, "n[1-4]");
	report(engine, &nobody, 7, RUN_COMPLETED, 4, "n1");
	check_stock(engine, 1, "n1");

	/* Two jobs, one after the other: the first is not reported yet. */
	struct prediction p = stock_predict(engine, 3);

	ck_assert_str_eq(p.assumed_nodes, "n[1-3]");
	check_stock(engine, 1, "n1"); /* of its 4 CPUs 3 are free */
	engine_destroy(engine);
}
END_TEST

/* What Slurm is going to reject. */
START_TEST(test_unfit_jobs)
{
	struct engine *engine = loaded_engine(false);
	struct prediction p = stock_predict(engine, 4);
	struct life life;

	ck_assert(!p.unfit);
	p = stock_predict(engine, 5);
	ck_assert(p.unfit);
	life_submit(&life, 1, 5000);
	life.job.partition = "nowhere"; /* it may be newer than the facts */
	p = life_predict(engine, &life, LIFE_START_S);
	ck_assert(!p.unfit);
	life.job.partition = "main";
	life.job.size.cpus_per_task = 5;
	p = life_predict(engine, &life, LIFE_START_S);
	ck_assert(p.unfit);
	life.job.size.cpus_per_task = 4;
	p = life_predict(engine, &life, LIFE_START_S);
	ck_assert(!p.unfit);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_the_least_loaded_nodes)
{
	struct engine *engine = loaded_engine(true);
	static const struct prediction nobody = { .id = "" };

	check_stock(engine, 1, "n1");
	report(engine, &nobody, 7, RUN_RUNNING, 2, "n[1-2]");
	check_stock(engine, 1, "n3");
	engine_destroy(engine);
}
END_TEST

/* Past runs took 100 s on free nodes.  The first nodes have loads of 3. */
START_TEST(test_time_on_the_first_nodes)
{
	struct engine *engine = loaded_engine(false);
	struct prediction p;

	for (uint32_t i = 0; i < 12; i++) {
		p = stock_predict(engine, 1);
		p.assumed_nodes[0] = '\0';
		report(engine, &p, 20 + i, RUN_COMPLETED, 1, "n3");
	}
	p = stock_predict(engine, 1);
	ck_assert_str_eq(p.assumed_nodes, "n1");
	ck_assert_double_lt(p.conditions.cpu_available_min, 0.3);
	ck_assert_int_eq(p.basis, BASIS_HISTORY);
	/* The user sees which nodes are meant, unless he chose them, or they
	 * are idle. */
	ck_assert_str_eq(p.nodes_shown, "n1");
	p = predict(engine, 1, "n1", NULL, LIFE_START_S);
	ck_assert_str_eq(p.nodes_shown, "");
	p = predict(engine, 1, NULL, "n[1-2]", LIFE_START_S);
	ck_assert_double_gt(p.conditions.cpu_available_min, 0.9);
	ck_assert_str_eq(p.nodes_shown, "");

	struct node_facts *facts = node_facts_create("tiny");

	facts->nodes_hidden = true;
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	engine_set_node_facts(engine, facts);
	p = stock_predict(engine, 1);
	ck_assert_str_eq(p.nodes_shown, "");
	/* Whether they are hidden is not known. */
	engine_set_node_facts(engine, NULL);
	p = stock_predict(engine, 1);
	ck_assert_str_eq(p.nodes_shown, "");
	engine_destroy(engine);
}
END_TEST

/* Whoever places jobs here takes the first idle node. */
START_TEST(test_learns_where_jobs_start)
{
	struct engine *engine = loaded_engine(false);
	struct prediction p, before = stock_predict(engine, 1);

	for (uint32_t i = 0; i < 12; i++) {
		p = stock_predict(engine, 1);
		report(engine, &p, 40 + i, RUN_RUNNING, 1, "n3");
		report(engine, &p, 40 + i, RUN_COMPLETED, 1, "n3");
	}
	p = stock_predict(engine, 1);
	ck_assert_str_eq(before.assumed_nodes, "n1");
	ck_assert_str_eq(p.assumed_nodes, "n3");
	engine_destroy(engine);
}
END_TEST

/* Where a job is pinned says nothing of others. */
START_TEST(test_does_not_learn_from_pinned_jobs)
{
	struct engine *engine = loaded_engine(false);
	struct prediction p;

	for (uint32_t i = 0; i < 12; i++) {
		p = predict(engine, 1, "n4", NULL, LIFE_START_S);
		report(engine, &p, 60 + i, RUN_RUNNING, 1, "n4");
		report(engine, &p, 60 + i, RUN_COMPLETED, 1, "n4");
	}
	check_stock(engine, 1, "n1");
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_the_best_nodes,
		test_measurements_show_at_once,
		test_a_large_site,
		test_stock_takes_the_first_nodes,
		test_unfit_jobs,
		test_the_least_loaded_nodes,
		test_time_on_the_first_nodes,
		test_learns_where_jobs_start,
		test_does_not_learn_from_pinned_jobs,
		NULL,
	};

	return suite_run("assumed set", tests);
}
