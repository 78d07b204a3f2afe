/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_speeds.c - nodes that are slower than they were, or than their peers */
#include <math.h>
#include <stdio.h>

#include "predictor/conditions/speeds.h"
#include "tests/unit/suite.h"

static void measure(struct nodes *nodes, const char *cluster, int node,
		    double time_s, double speed)
{
	struct measurement m = { .time_s = time_s,
				 .cpu_load = NAN,
				 .cpu_available = NAN,
				 .cpu_available_now = NAN,
				 .cpu_correction = NAN,
				 .cpu_speed = speed,
				 .memory_available_mb = NAN };

	snprintf(m.node, sizeof(m.node), "n%d", node);
	ck_assert_int_eq(nodes_measure(nodes, cluster, &m, NULL), 0);
}

START_TEST(test_slower_than_it_was)
{
	struct nodes *nodes = nodes_create();
	struct node_speed speeds[2];

	for (int hour = 0; hour < 12; hour++) {
		measure(nodes, "tiny", 1, 3600 * hour, 1.7 + 0.01 * (hour % 3));
		measure(nodes, "tiny", 2, 3600 * hour, hour < 9 ? 1.7 : 1.4);
	}
	nodes_speeds(nodes, speeds);
	ck_assert(!speeds[0].slow);
	ck_assert(speeds[1].slow);
	ck_assert_double_eq_tol(speeds[1].past, 1.7, 1e-6);
	ck_assert_double_eq_tol(speeds[1].now, 1.4, 1e-6);
	ck_assert_double_nan(speeds[1].peers); /* two are too few */
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_slower_than_its_peers)
{
	struct nodes *nodes = nodes_create();
	struct node_speed speeds[16];

	for (int node = 0; node < 8; node++) {
		measure(nodes, "alike", node, 1000,
			node == 5 ? 1.2 : 1.5 + 0.01 * node);
		/* Two kinds of nodes have no peers in each other. */
		measure(nodes, "mixed", node, 1000, node % 2 ? 1 : 2);
	}
	nodes_speeds(nodes, speeds);
	for (uint32_t i = 0; i < 16; i++)
		ck_assert_int_eq(speeds[i].slow,
				 i == nodes_find(nodes, "alike", "n5"));
	ck_assert_double_eq_tol(speeds[0].peers, 1.52, 0.03);
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_restart)
{
	struct nodes *nodes = nodes_create();
	struct node_speed speed;

	nodes_reload_begin(nodes);
	for (int day = 0; day < 6; day++)
		ck_assert_int_eq(nodes_reload_speed(nodes, "tiny", "n1",
						    86400 * day, 1.6, NULL),
				 0);
	nodes_reload_end(nodes);
	nodes_speeds(nodes, &speed);
	ck_assert(!speed.slow); /* not measured yet */
	measure(nodes, "tiny", 1, 86400 * 6, 1.25);
	nodes_speeds(nodes, &speed);
	ck_assert(speed.slow);
	ck_assert_double_eq_tol(speed.past, 1.6, 1e-6);
	ck_assert_int_eq(nodes_reload_speed(nodes, "tiny", "n1", NAN, 1, NULL),
			 -1);
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_nothing_measured)
{
	struct nodes *nodes = nodes_create();
	struct node_speed speed;
	unsigned stuck, jumping;

	measure(nodes, "tiny", 1, 1000, NAN);
	nodes_speeds(nodes, &speed);
	ck_assert(!speed.slow);
	ck_assert_double_nan(speed.now);
	nodes_bad_sensors(nodes, 0, &stuck, &jumping);
	ck_assert_uint_eq(stuck | jumping, 0);
	nodes_destroy(nodes);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_slower_than_it_was,
		test_slower_than_its_peers,
		test_restart,
		test_nothing_measured,
		NULL,
	};

	return suite_run("watch", tests);
}
