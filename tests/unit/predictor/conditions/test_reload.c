/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reload.c - past measurements are added before new ones */
#include <math.h>
#include <stdio.h>

#include "predictor/conditions/nodes.h"
#include "tests/unit/suite.h"

static struct nodes *nodes;

static struct measurement at(double time_s, double load)
{
	return (struct measurement){ .node = "n1",
				     .time_s = time_s,
				     .cpu_load = load,
				     .cpu_available = NAN,
				     .cpu_available_now = NAN,
				     .cpu_correction = NAN,
				     .cpu_speed = NAN,
				     .memory_available_mb = NAN };
}

static void measure(double time_s, double load)
{
	struct measurement m = at(time_s, load);

	ck_assert_int_eq(nodes_measure(nodes, "tiny", &m, NULL), 0);
}

static void reload_one(double time_s, double load)
{
	struct measurement m = at(time_s, load);

	ck_assert_int_eq(nodes_reload(nodes, "tiny", &m, NULL), 0);
}

static const struct resource *load_of_n1(void)
{
	uint32_t node = nodes_find(nodes, "tiny", "n1");

	return node == NODES_NONE ? NULL
				  : nodes_resource(nodes, node, NODE_CPU_LOAD);
}

START_TEST(test_past_comes_first)
{
	nodes = nodes_create();
	nodes_reload_begin(nodes);
	measure(1000, 5); /* now, while the past is being loaded */
	ck_assert_ptr_null(load_of_n1());
	for (int i = 0; i < 50; i++)
		reload_one(500 + 5 * i, 1);
	measure(1005, 5);
	reload_one(750, 1);
	nodes_reload_end(nodes);

	const struct resource *r = load_of_n1();

	ck_assert_int_eq(r->recent.count, 53);
	ck_assert_double_eq(r->last_s, 1005);
	ck_assert_double_eq(resource_newest(r), 5);
	ck_assert_uint_eq(r->battery.past.seen, 53);
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_nobody_waits_for_ever)
{
	nodes = nodes_create();
	nodes_reload_begin(nodes);
	for (int i = 0; i <= 24; i++)
		measure(1000 + 5 * i, 2);
	ck_assert_ptr_nonnull(load_of_n1());
	ck_assert_int_eq(load_of_n1()->recent.count, 25);
	/* The past comes too late, but not the present. */
	reload_one(900, 7);
	ck_assert_int_eq(load_of_n1()->recent.count, 25);
	reload_one(1125, 2);
	nodes_reload_end(nodes);
	ck_assert_int_eq(load_of_n1()->recent.count, 26);
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_links_too)
{
	struct link_measurement m = { .from = "n1",
				      .to = "n2",
				      .time_s = 1000,
				      .bandwidth_bps = 1e9,
				      .latency_s = NAN,
				      .utilisation = NAN };
	struct link_forecast f;

	nodes = nodes_create();
	nodes_reload_begin(nodes);
	ck_assert_int_eq(nodes_measure_link(nodes, "tiny", &m, NULL), 0);
	for (m.time_s = 800; m.time_s < 1000; m.time_s += 50)
		ck_assert_int_eq(nodes_reload_link(nodes, "tiny", &m, NULL), 0);
	nodes_reload_end(nodes);
	links_forecast(nodes_links(nodes), 0, 1, 1001, &f);
	ck_assert_double_eq(f.time_s, 1000);
	ck_assert_int_eq(f.source, LINK_MEASURED);
	m.time_s = 700;
	ck_assert_int_eq(nodes_reload_link(nodes, "tiny", &m, NULL), 0);
	links_forecast(nodes_links(nodes), 0, 1, 1001, &f);
	ck_assert_double_eq(f.time_s, 1000);
	nodes_destroy(nodes);
}
END_TEST

/* Freed with what waits. */
START_TEST(test_end_in_between)
{
	nodes = nodes_create();
	nodes_reload_begin(nodes);
	measure(1000, 5);
	nodes_destroy(nodes);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_past_comes_first,
		test_nobody_waits_for_ever,
		test_links_too,
		test_end_in_between,
		NULL,
	};

	return suite_run("reload", tests);
}
