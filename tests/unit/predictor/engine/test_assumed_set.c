/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_assumed_set.c - the nodes that a prediction assumes
 *
 * Where nobody fetches snapshots.  Those of a large site are made in the
 * background at the real time, so there measurements are of that time, too.
 */
#include <time.h>

#include "predictor/base/clock.h"
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

int main(void)
{
	const TTest *const tests[] = {
		test_the_best_nodes,
		test_measurements_show_at_once,
		test_a_large_site,
		NULL,
	};

	return suite_run("assumed set", tests);
}
