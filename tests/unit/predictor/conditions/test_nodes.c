/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_nodes.c - what is known of the nodes */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/conditions/nodes.h"
#include "tests/unit/suite.h"

static void measure(struct nodes *nodes, const char *name, double time_s,
		    double load, double available)
{
	struct measurement m = { .time_s = time_s,
				 .cpu_load = load,
				 .cpu_available = available,
				 .memory_available_mb = 1000 };

	snprintf(m.node, sizeof(m.node), "%s", name);
	ck_assert_int_eq(nodes_measure(nodes, "tiny", &m, NULL), 0);
}

static void measure_scheduler(struct nodes *nodes, const char *name,
			      double time_s, double turn_s, double credit_s)
{
	struct measurement m = { .time_s = time_s,
				 .cpu_available = 0.5,
				 .cpu_turn_s = turn_s,
				 .cpu_credit_s = credit_s };

	snprintf(m.node, sizeof(m.node), "%s", name);
	ck_assert_int_eq(nodes_measure(nodes, "tiny", &m, NULL), 0);
}

/* The newest of each node holds; a job's nodes have the worst. */
START_TEST(test_schedulers)
{
	struct nodes *nodes = nodes_create();
	struct nodes_job_view view;
	struct hostlist list;

	ck_assert_double_nan(nodes_scheduler_median(nodes, "tiny").turn_s);
	measure_scheduler(nodes, "n1", 100, 2e-3, 0);
	measure_scheduler(nodes, "n1", 105, NAN, NAN);
	measure_scheduler(nodes, "n2", 100, 1e-3, 0.006);
	measure_scheduler(nodes, "n3", 100, 7e-3, 0.003);
	measure_scheduler(nodes, "n4", 100, NAN, NAN);
	ck_assert_double_eq(nodes_scheduler(nodes, 0).turn_s, 2e-3);
	ck_assert_double_eq_tol(nodes_scheduler_median(nodes, "tiny").turn_s,
				2e-3, 1e-9);
	ck_assert_double_eq_tol(nodes_scheduler_median(nodes, "tiny").credit_s,
				0.003, 1e-9);
	ck_assert_double_nan(nodes_scheduler_median(nodes, "other").turn_s);

	ck_assert_int_eq(hostlist_expand("n[2,1,4-5]", &list, NULL), 0);
	ck_assert_int_eq(nodes_view_job(nodes, "tiny", &list, 106, 5, &view),
			 0);
	ck_assert_int_eq(view.of.count, 4);
	ck_assert_double_eq(view.of.cpu_turn_s, 2e-3);
	ck_assert_double_eq(view.of.cpu_credit_s, 0);
	ck_assert_double_eq_tol(view.of.cpu_available[1], 0.5, 1e-6);
	ck_assert_double_nan(view.of.cpu_available[3]);
	ck_assert_int_eq(nodes_view_job(nodes, "other", &list, 106, 5, &view),
			 -1);
	hostlist_clear(&list);
	nodes_destroy(nodes);
}
END_TEST

static struct conditions conditions_at(const struct nodes *nodes,
				       const char *text, double time_s)
{
	struct hostlist list;
	struct conditions c;

	ck_assert_int_eq(hostlist_expand(text, &list, NULL), 0);
	nodes_conditions(nodes, "tiny", &list, NULL, time_s, 5, &c);
	hostlist_clear(&list);
	return c;
}

/* The loaded node has little to do, and gives enough for it. */
START_TEST(test_unequal_work)
{
	static const double work[] = { 1, 0.2, 0.9, 0.7 };
	struct nodes *nodes = nodes_create();
	struct hostlist list;
	struct conditions c;

	measure(nodes, "n1", 100, 0.5, 0.8);
	measure(nodes, "n2", 101, 2.0, 0.25);
	measure(nodes, "n3", 102, NAN, 0.5);
	ck_assert_int_eq(hostlist_expand("n[1-4]", &list, NULL), 0);
	nodes_conditions(nodes, "tiny", &list, work, 105, 5, &c);
	ck_assert_double_eq_tol(c.cpu_available_min, 0.5 / 0.9, 1e-6);
	ck_assert_double_eq_tol(c.cpu_available, 1.55 / 3, 1e-6);
	list.count = 2;
	nodes_conditions(nodes, "tiny", &list, work + 1, 105, 5, &c);
	ck_assert_double_eq_tol(c.cpu_available_min, 0.25 / 0.9, 1e-6);
	list.count = 4;
	hostlist_clear(&list);
	nodes_destroy(nodes);
}
END_TEST

/* A machine that can serve 1.5 of its three nodes leaves half to each of a job
 * on all of them; a node of another machine has all that it had. */
START_TEST(test_nodes_of_one_machine)
{
	struct nodes *nodes = nodes_create();
	struct nodes_job_view view;
	struct hostlist list;

	for (int i = 1; i <= 4; i++) {
		struct measurement m = { .time_s = 100,
					 .cpu_available = 0.4,
					 .host = i == 4 ? 815 : 4711,
					 .host_nodes = i == 4 ? 0.25 : 1.5 };

		snprintf(m.node, sizeof(m.node), "n%d", i);
		ck_assert_int_eq(nodes_measure(nodes, "tiny", &m, NULL), 0);
	}
	ck_assert_double_eq_tol(conditions_at(nodes, "n2", 102).cpu_available,
				0.4, 1e-6);
	ck_assert_double_eq_tol(
		conditions_at(nodes, "n[2-3]", 102).cpu_available, 0.3, 1e-6);
	ck_assert_double_eq_tol(
		conditions_at(nodes, "n[1-4]", 102).cpu_available, 0.25, 1e-6);
	ck_assert_double_eq_tol(
		conditions_at(nodes, "n[1-4]", 102).cpu_available_min, 0.2,
		1e-6);
	ck_assert_int_eq(hostlist_expand("n[1,3-4]", &list, NULL), 0);
	ck_assert_int_eq(nodes_view_job(nodes, "tiny", &list, 102, 5, &view),
			 0);
	ck_assert_double_eq_tol(view.of.cpu_available[0], 0.3, 1e-6);
	ck_assert_double_eq_tol(view.of.cpu_available[2], 0.4, 1e-6);
	hostlist_clear(&list);
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_conditions_over_nodes)
{
	struct nodes *nodes = nodes_create();

	measure(nodes, "n1", 100, 0.5, 0.8);
	measure(nodes, "n2", 101, 2.0, 0.25);
	measure(nodes, "n3", 102, NAN, 0.5);

	struct conditions c = conditions_at(nodes, "n[1-4]", 105);

	ck_assert_int_eq(c.nodes_known, 3);
	ck_assert_double_eq_tol(c.cpu_load, 1.25, 1e-6);
	ck_assert_double_eq_tol(c.cpu_load_max, 2, 1e-6);
	ck_assert_double_eq_tol(c.cpu_available, 1.55 / 3, 1e-6);
	ck_assert_double_eq_tol(c.cpu_available_min, 0.25, 1e-6);
	ck_assert_double_nan(c.bandwidth_bps);

	c = conditions_at(nodes, "n4", 105);
	ck_assert_int_eq(c.nodes_known, 0);
	ck_assert_double_nan(c.cpu_load);
	ck_assert_double_nan(c.cpu_load_max);
	nodes_conditions(nodes, "other", NULL, NULL, 105, 5, &c);
	ck_assert_int_eq(c.nodes_known, 0);
	nodes_destroy(nodes);
	nodes_destroy(NULL);
}
END_TEST

START_TEST(test_looks_neither_ahead_nor_far_back)
{
	struct nodes *nodes = nodes_create();

	measure(nodes, "n1", 100, 1, 0.5);
	ck_assert_int_eq(conditions_at(nodes, "n1", 99.9).nodes_known, 0);
	ck_assert_int_eq(conditions_at(nodes, "n1", 160).nodes_known, 1);
	ck_assert_int_eq(conditions_at(nodes, "n1", 160.1).nodes_known, 0);

	double before = conditions_at(nodes, "n1", 130).cpu_load;

	measure(nodes, "n1", 130.5, 70, 0.1);
	ck_assert_double_eq(conditions_at(nodes, "n1", 130).cpu_load, before);
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_refuses_bad_measurements)
{
	struct nodes *nodes = nodes_create();
	struct sp_error err;
	static const struct measurement bad[] = {
		{ .node = "", .time_s = 1 },
		{ .node = "n1", .time_s = NAN },
		{ .node = "n1", .time_s = -1 },
		{ .node = "n1", .time_s = 1, .cpu_load = -0.1 },
		{ .node = "n1", .time_s = 1, .cpu_available = HUGE_VAL },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err.text[0] = '\0';
		ck_assert_int_eq(nodes_measure(nodes, "tiny", &bad[i], &err),
				 -1);
		ck_assert_str_ne(err.text, "");
	}
	ck_assert_uint_eq(nodes_count(nodes), 0);
	nodes_destroy(nodes);
}
END_TEST

static void remember(void *context, const struct nodes_node *node)
{
	char *text = context;

	sprintf(text + strlen(text), "%s%s ", node->last.node,
		node->fresh ? "" : "!");
}

START_TEST(test_visits_in_order)
{
	struct nodes *nodes = nodes_create();
	char text[100] = "";

	measure(nodes, "n10", 100, 0, 1);
	measure(nodes, "n9", 39, 0, 1);
	measure(nodes, "a", 100, 0, 1);
	measure(nodes, "n9", 39, 0, 1);
	measure(nodes, "z", 100, 0, 1);
	measure(nodes, "n9x", 100, 0, 1);
	nodes_visit(nodes, 100, remember, text);
	ck_assert_str_eq(text, "a n9! n9x n10 z ");
	nodes_destroy(nodes);
}
END_TEST

START_TEST(test_many_nodes)
{
	struct nodes *nodes = nodes_create();
	struct conditions c;
	char name[HOSTLIST_NAME_SIZE];

	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		measure(nodes, name, 100, i % 4, i % 4 ? 0.5 : 1);
	}
	c = conditions_at(nodes, "n[0-2499]", 100);
	ck_assert_int_eq(c.nodes_known, 2500);
	ck_assert_double_eq_tol(c.cpu_load, 1.5, 1e-6);
	nodes_destroy(nodes);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_unequal_work,
		test_nodes_of_one_machine,
		test_conditions_over_nodes,
		test_schedulers,
		test_looks_neither_ahead_nor_far_back,
		test_refuses_bad_measurements,
		test_visits_in_order,
		test_many_nodes,
		NULL,
	};

	return suite_run("nodes", tests);
}
