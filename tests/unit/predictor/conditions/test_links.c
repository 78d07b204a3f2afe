/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_links.c - the ways between nodes, and who speaks for whom */
#include <math.h>
#include <string.h>

#include "predictor/conditions/links.h"
#include "predictor/conditions/nodes.h"
#include "tests/unit/suite.h"

static struct links *links;

static void measure(uint32_t from, uint32_t to, double time_s, double bps,
		    double latency_s)
{
	struct link_measurement m = { .from = "a",
				      .to = "b",
				      .time_s = time_s,
				      .bandwidth_bps = bps,
				      .latency_s = latency_s,
				      .utilisation = 0.5 };

	ck_assert_int_eq(links_measure(links, from, to, &m, NULL), 0);
}

static struct link_forecast look(uint32_t from, uint32_t to, double time_s)
{
	struct link_forecast f;

	links_forecast(links, from, to, time_s, &f);
	return f;
}

START_TEST(test_measured_reverse_unknown)
{
	links = node_links_create();
	measure(0, 1, 1000, 1e8, 1e-4);
	ck_assert_int_eq(look(0, 1, 1001).source, LINK_MEASURED);
	ck_assert_double_eq(look(0, 1, 1001).bandwidth_bps, 1e8);
	ck_assert_double_eq_tol(look(0, 1, 1001).latency_s, 1e-4, 1e-9);
	ck_assert_int_eq(look(1, 0, 1001).source, LINK_REVERSE);
	ck_assert_double_eq(look(1, 0, 1001).bandwidth_bps, 1e8);
	measure(1, 0, 1002, 5e7, NAN);
	ck_assert_int_eq(look(1, 0, 1003).source, LINK_MEASURED);
	ck_assert_double_eq(look(1, 0, 1003).bandwidth_bps, 5e7);
	/* One is known of it, the other of the other direction. */
	ck_assert_double_eq_tol(look(1, 0, 1003).latency_s, 1e-4, 1e-9);
	ck_assert_int_eq(look(0, 2, 1003).source, LINK_UNKNOWN);
	ck_assert_double_nan(look(0, 2, 1003).bandwidth_bps);
	/* Neither of the time before, nor of long ago. */
	ck_assert_int_eq(look(0, 1, 999).source, LINK_UNKNOWN);
	ck_assert_int_eq(look(0, 1, 9999).source, LINK_UNKNOWN);
	node_links_destroy(links);
}
END_TEST

START_TEST(test_representatives_of_leaves)
{
	links = node_links_create();
	for (uint32_t node = 0; node < 8; node++)
		ck_assert_int_eq(links_set_leaf(links, node, node / 4, NULL),
				 0);
	measure(1, 6, 1000, 3e7, 2e-4);
	ck_assert_int_eq(look(0, 7, 1001).source, LINK_REPRESENTATIVE);
	ck_assert_double_eq(look(0, 7, 1001).bandwidth_bps, 3e7);
	ck_assert_int_eq(look(7, 0, 1001).source, LINK_REPRESENTATIVE);
	ck_assert_int_eq(look(0, 1, 1001).source, LINK_UNKNOWN);
	/* The newest speaks. */
	measure(2, 5, 1010, 4e7, 2e-4);
	ck_assert_double_eq(look(0, 7, 1011).bandwidth_bps, 4e7);
	/* It was moved, so it does not any more. */
	ck_assert_int_eq(links_set_leaf(links, 2, 9, NULL), 0);
	ck_assert_int_eq(look(0, 7, 1011).source, LINK_UNKNOWN);
	node_links_destroy(links);
}
END_TEST

START_TEST(test_between_nodes)
{
	const uint32_t set[] = { 0, 1, 2 };
	double bandwidth, latency;

	links = node_links_create();
	ck_assert_int_eq(
		links_between(links, set, 3, 1000, &bandwidth, &latency), 0);
	ck_assert_double_nan(bandwidth);
	measure(0, 1, 1000, 2e8, 1e-4);
	measure(1, 0, 1000, 4e8, 3e-4);
	/* Two of the six ways are known. */
	ck_assert_int_eq(
		links_between(links, set, 3, 1000, &bandwidth, &latency), 2);
	ck_assert_double_eq(bandwidth, 3e8);
	ck_assert_double_eq_tol(latency, 2e-4, 1e-9);
	ck_assert_int_eq(
		links_between(links, set, 1, 1000, &bandwidth, &latency), 0);
	node_links_destroy(links);
	node_links_destroy(NULL);
}
END_TEST

START_TEST(test_refuses)
{
	struct link_measurement m = { .from = "a", .to = "b", .time_s = NAN };
	struct sp_error err;

	links = node_links_create();
	ck_assert_int_eq(links_measure(links, 0, 1, &m, &err), -1);
	m.time_s = 10;
	ck_assert_int_eq(links_measure(links, 1, 1, &m, &err), -1);
	ck_assert_uint_eq(links_count(links), 0);
	m.bandwidth_bps = -1;
	m.latency_s = HUGE_VAL;
	ck_assert_int_eq(links_measure(links, 0, 1, &m, &err), 0);
	ck_assert_int_eq(look(0, 1, 10).source, LINK_UNKNOWN);
	node_links_destroy(links);
}
END_TEST

/* By names, and into the conditions of a node set. */
START_TEST(test_conditions_hold_links)
{
	struct nodes *nodes = nodes_create();
	struct link_measurement m = { .from = "n1",
				      .to = "n2",
				      .time_s = 1000,
				      .bandwidth_bps = 9e8,
				      .latency_s = 5e-5,
				      .utilisation = NAN };
	struct hostlist list;
	struct conditions c;

	ck_assert_int_eq(nodes_measure_link(nodes, "tiny", &m, NULL), 0);
	ck_assert_uint_eq(nodes_count(nodes), 2);
	ck_assert_int_eq(hostlist_expand("n[1-2]", &list, NULL), 0);
	nodes_conditions(nodes, "tiny", &list, NULL, 1001, 60, &c);
	ck_assert_double_eq(c.bandwidth_bps, 9e8);
	ck_assert_double_eq_tol(c.latency_s, 5e-5, 1e-9);
	ck_assert_int_eq(c.nodes_known, 0);
	nodes_conditions(nodes, "other", &list, NULL, 1001, 60, &c);
	ck_assert_double_nan(c.bandwidth_bps);
	hostlist_clear(&list);
	strcpy(m.to, "n1");
	ck_assert_int_eq(nodes_measure_link(nodes, "tiny", &m, NULL), -1);
	nodes_destroy(nodes);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_measured_reverse_unknown,
		test_representatives_of_leaves,
		test_between_nodes,
		test_refuses,
		test_conditions_hold_links,
		NULL,
	};

	return suite_run("links", tests);
}
