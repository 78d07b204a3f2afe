/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_resources.c - lists of nodes, links and their series */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/engine/resources.h"
#include "tests/unit/suite.h"

#define NOW_S 1.7e9
#define NODES 70 /* more than are read under one lock */
#define LINKS 1500

static struct engine *engine;
static struct sp_error err;

static void begin(void)
{
	engine = engine_create();
	ck_assert_ptr_nonnull(engine);
}

static void end(void)
{
	engine_destroy(engine);
}

static void measure(const char *cluster, int node, double time_s, double memory)
{
	struct measurement m = { .time_s = time_s,
				 .cpu_load = 1,
				 .cpu_available = 0.5,
				 .cpu_available_now = 0.5,
				 .cpu_speed = 1,
				 .memory_available_mb = memory,
				 .spool_free_mb = node % 10 ? 100 : 0.1,
				 .spool_failed = node % 7 ? 0 : 2 };

	snprintf(m.node, sizeof(m.node), "n%02d", node);
	ck_assert_int_eq(engine_measure(engine, cluster, &m, &err), 0);
}

static void measure_link(int from, int to, double time_s, double bandwidth_bps)
{
	struct link_measurement m = { .time_s = time_s,
				      .bandwidth_bps = bandwidth_bps,
				      .latency_s = 1e-4 };

	snprintf(m.from, sizeof(m.from), "n%02d", from);
	snprintf(m.to, sizeof(m.to), "n%02d", to);
	ck_assert_int_eq(engine_measure_link(engine, "little", &m, &err), 0);
}

/* --- Nodes ---------------------------------------------------------------- */

static struct engine_node nodes[NODES + 2];
static size_t total;

static size_t list(const struct engine_nodes_query *query)
{
	size_t count = 99;

	ck_assert_int_eq(
		engine_list_nodes(engine, query, nodes, &count, &total, &err),
		0);
	return count;
}

START_TEST(test_pages_of_nodes)
{
	struct engine_nodes_query q = { .now_s = NOW_S,
					.horizon_s = 60,
					.limit = NODES + 2 };

	ck_assert_uint_eq(list(&q), 0);
	ck_assert_uint_eq(total, 0);
	for (int i = NODES; i-- > 0;)
		measure("little", i, NOW_S, 1000 + i);
	measure("alpha", 5, NOW_S, 7);
	ck_assert_uint_eq(list(&q), NODES + 1);
	ck_assert_uint_eq(total, NODES + 1);
	ck_assert_str_eq(nodes[0].cluster, "alpha");
	for (int i = 0; i < NODES; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%02d", i);
		ck_assert_str_eq(nodes[i + 1].last.node, name);
		ck_assert_str_eq(nodes[i + 1].cluster, "little");
		ck_assert_double_eq(nodes[i + 1].last.memory_available_mb,
				    1000 + i);
		ck_assert(nodes[i + 1].fresh);
		ck_assert_int_eq(nodes[i + 1].history_count, 0);
	}
	q.cluster = "little";
	q.offset = 30;
	q.limit = 34;
	ck_assert_uint_eq(list(&q), 34);
	ck_assert_uint_eq(total, NODES);
	ck_assert_str_eq(nodes[0].last.node, "n30");
	ck_assert_str_eq(nodes[33].last.node, "n63");
	q.offset = 68;
	ck_assert_uint_eq(list(&q), 2);
	ck_assert_str_eq(nodes[1].last.node, "n69");
	q.offset = 71;
	ck_assert_uint_eq(list(&q), 0);
	q.cluster = "beta";
	q.offset = 0;
	ck_assert_uint_eq(list(&q), 0);
	ck_assert_uint_eq(total, 0);
	q.cluster = "";
	ck_assert_uint_eq(list(&q), 34);
	ck_assert_uint_eq(total, NODES + 1);
	q.slow = true;
	ck_assert_uint_eq(list(&q), 0);
}
END_TEST

START_TEST(test_history_of_nodes)
{
	struct engine_nodes_query q = { .now_s = NOW_S + 40,
					.horizon_s = 60,
					.history = 3,
					.history_of = NODE_MEMORY,
					.limit = 1 };

	for (int i = 0; i < 5; i++)
		measure("little", 3, NOW_S + 10 * i, 100 + i);
	ck_assert_uint_eq(list(&q), 1);
	ck_assert_int_eq(nodes[0].history_of, NODE_MEMORY);
	ck_assert_int_eq(nodes[0].history_count, 3);
	ck_assert_float_eq(nodes[0].history[0], 102);
	ck_assert_float_eq(nodes[0].history[2], 104);
	ck_assert(!isnan(nodes[0].of[NODE_MEMORY].value));
	q.history = 9;
	ck_assert_uint_eq(list(&q), 1);
	ck_assert_int_eq(nodes[0].history_count, 5);
	ck_assert_float_eq(nodes[0].history[0], 100);
	/* Too old to be used. */
	q.now_s = NOW_S + 4000;
	ck_assert_uint_eq(list(&q), 1);
	ck_assert(!nodes[0].fresh);
	ck_assert(isnan(nodes[0].of[NODE_MEMORY].value));
}
END_TEST

START_TEST(test_counts)
{
	struct engine_resources r;

	for (int i = 0; i < NODES; i++)
		measure("little", i, NOW_S, 1000);
	measure("alpha", 0, NOW_S - 4000, 1000); /* old, and full */
	measure_link(1, 2, NOW_S, 1e9);
	measure_link(2, 3, NOW_S, 1e9);
	measure_link(3, 4, NOW_S - 90000, 1e9);
	ck_assert_int_eq(engine_count_resources(engine, NOW_S, &r, &err), 0);
	ck_assert_uint_eq(r.nodes_fresh, NODES);
	ck_assert_uint_eq(r.nodes_slow, 0);
	ck_assert_uint_eq(r.nodes_spool_full, 7);
	ck_assert_double_eq(r.spool_failed, 20);
	ck_assert_uint_eq(r.links_fresh, 2);
}
END_TEST

/* A spool with just the room that a file needs is not full. */
START_TEST(test_full_spools)
{
	struct measurement m = { .node = "n1",
				 .time_s = NOW_S,
				 .cpu_available = 1,
				 .spool_free_mb = SPOOL_FULL_MB,
				 .spool_failed = NAN };
	struct engine_resources r;

	ck_assert_int_eq(engine_measure(engine, "little", &m, &err), 0);
	ck_assert_int_eq(engine_count_resources(engine, NOW_S, &r, &err), 0);
	ck_assert_uint_eq(r.nodes_fresh, 1);
	ck_assert_uint_eq(r.nodes_spool_full, 0);
	ck_assert_double_eq(r.spool_failed, 0);
}
END_TEST

/* --- Links ---------------------------------------------------------------- */

static struct engine_link links[LINKS];

static size_t list_links(const struct engine_links_query *query)
{
	size_t count = 99;

	engine_list_links(engine, query, links, &count, &total);
	return count;
}

START_TEST(test_pages_of_links)
{
	struct engine_links_query q = { .now_s = NOW_S, .limit = LINKS };
	int made = 0;

	ck_assert_uint_eq(list_links(&q), 0);
	for (int from = 0; made < LINKS; from++)
		for (int to = 0; to < NODES && made < LINKS; to++)
			if (to != from) {
				measure_link(from, to, NOW_S, 1e9 + made);
				made++;
			}
	ck_assert_uint_eq(list_links(&q), LINKS);
	ck_assert_uint_eq(total, LINKS);
	ck_assert_str_eq(links[0].from, "n00");
	ck_assert_str_eq(links[0].to, "n01");
	ck_assert_str_eq(links[0].cluster, "little");
	ck_assert(links[LINKS - 1].fresh);
	q.offset = 1400;
	q.limit = 3;
	ck_assert_uint_eq(list_links(&q), 3);
	ck_assert_uint_eq(total, LINKS);
	ck_assert_double_eq_tol(links[0].forecast.bandwidth_bps, 1e9 + 1400,
				100);
	/* Those of one node, by either of its ends. */
	q = (struct engine_links_query){
		.cluster = "little", .node = "n69", .now_s = NOW_S, .limit = 10
	};
	ck_assert_uint_eq(list_links(&q), 10);
	ck_assert_uint_eq(total, LINKS / 69);
	ck_assert_str_eq(links[9].from, "n09");
	ck_assert_str_eq(links[9].to, "n69");
	q.cluster = "alpha";
	ck_assert_uint_eq(list_links(&q), 0);
	ck_assert_uint_eq(total, 0);
}
END_TEST

/* --- Series --------------------------------------------------------------- */

static struct engine_series series;

START_TEST(test_series_of_nodes)
{
	struct engine_series_query q = { .cluster = "little",
					 .resource = "memory_available_mb",
					 .node = "n03",
					 .now_s = NOW_S + 40,
					 .horizons_count = 2,
					 .horizons_s = { 60, 600 } };

	for (int i = 0; i < 5; i++)
		measure("little", 3, NOW_S + 10 * i, 100 + i);
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), 0);
	ck_assert_str_eq(series.cluster, "little");
	ck_assert_int_eq(series.count, 5);
	ck_assert_double_eq_tol(series.times_s[4], NOW_S + 40, 0.01);
	ck_assert_double_eq(series.values[0], 100);
	ck_assert_double_eq(series.values[4], 104);
	ck_assert(series.fresh);
	ck_assert_double_eq_tol(series.step_s, 10, 0.5);
	ck_assert_double_gt(series.forecasts[0].value, 99);
	ck_assert_double_gt(series.forecasts[1].value, 99);
	/* The cluster that reported last is meant where none is named. */
	q.cluster = NULL;
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), 0);
	ck_assert_str_eq(series.cluster, "little");
	q.now_s = NOW_S + 40 + series.expiry_s + 1;
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), 0);
	ck_assert(!series.fresh);
	q.cluster = "alpha";
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), -1);
	q.cluster = "little";
	q.node = "n04";
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), -1);
	ck_assert_str_eq(err.text, "there is no node n04");
	q.node = "n03";
	q.resource = "patience";
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "never measured on node n03"));
}
END_TEST

START_TEST(test_series_of_links)
{
	struct engine_series_query q = { .resource = "bandwidth_bps",
					 .cluster = "little",
					 .from = "n01",
					 .to = "n02",
					 .now_s = NOW_S + 40,
					 .horizons_count = 1,
					 .horizons_s = { 60 } };

	for (int i = 0; i < 5; i++)
		measure_link(1, 2, NOW_S + 10 * i, 1e9 + i);
	measure_link(2, 3, NOW_S, 1e9);
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), 0);
	ck_assert_int_eq(series.count, 5);
	ck_assert(series.fresh);
	ck_assert_double_eq_tol(series.values[4], 1e9, 100);
	ck_assert_double_eq_tol(series.forecasts[0].value, 1e9, 100);
	ck_assert_double_le(series.forecasts[0].low, series.forecasts[0].value);
	ck_assert_double_ge(series.forecasts[0].low, 0);
	ck_assert_double_ge(series.forecasts[0].high,
			    series.forecasts[0].value);
	q.resource = "latency_s";
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), 0);
	ck_assert_double_eq_tol(series.values[0], 1e-4, 1e-9);
	q.now_s = NOW_S + 90000;
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), 0);
	ck_assert(!series.fresh);
	ck_assert(isnan(series.forecasts[0].value));
	q.resource = "memory_available_mb";
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not a resource of a link"));
	q.resource = "latency_s";
	q.to = "n03"; /* both are known, the link is not */
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "was never measured"));
	q.to = "n77";
	ck_assert_int_eq(engine_series(engine, &q, &series, &err), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_pages_of_nodes,  test_history_of_nodes,
		test_counts,          test_full_spools,
		test_pages_of_links,  test_series_of_nodes,
		test_series_of_links, NULL,
	};

	return suite_run_each("resources", tests, begin, end);
}
