/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node_facts.c - which kinds of nodes a job may have */
#include <check.h>
#include <math.h>
#include <string.h>

#include "predictor/features/node_facts.h"
#include "tests/unit/suite.h"

static struct node_facts *facts;
static struct node_demand demand;
static struct sp_error err;

static void add(const char *name, uint32_t cpus, double memory_mb,
		const char *features, const char *gres, const char *partitions)
{
	static struct node_properties node;

	memset(&node, 0, sizeof(node));
	strcpy(node.name, name);
	node.cpus = cpus;
	node.memory_mb = memory_mb;
	strcpy(node.features, features);
	strcpy(node.gres, gres);
	strcpy(node.partitions, partitions);
	ck_assert_int_eq(node_facts_add(facts, &node, &err), 0);
}

/* Kinds 0 to 4. */
static void set_up(void)
{
	facts = node_facts_create("c");
	add("a1", 16, 64000, "fast,ib", "", "main");
	add("a2", 16, 64000, "fast,ib", "", "main");
	add("g1", 32, 128000, "fast", "gpu:a100:4(S:0-1),gpu:v100:2",
	    "main,gpu");
	add("s1", 8, 8000, "slow", "", "main,debug");
	add("s2", 8, 8000, "slow", "", "main,debug");
	add("s3", 8, 8000, "slow", "", "main,debug");
	add("u1", 0, 0, "", "", "");
	add("m1", 16, 500000, "", "gpu:1", "main");
	ck_assert_int_eq(node_facts_arrange(facts, &err), 0);
	ck_assert_uint_eq(facts->kind_count, 5);
	demand = (struct node_demand){ .cpus = 1 };
}

static void tear_down(void)
{
	node_facts_put(facts);
}

/* `expected` has a letter for each kind: + or -. */
static void assert_allowed(const char *partition, const char *expected)
{
	bool allowed[5];
	char got[6] = "";

	node_facts_allow(facts, &demand, partition, allowed);
	for (int i = 0; i < 5; i++)
		got[i] = allowed[i] ? '+' : '-';
	ck_assert_str_eq(got, expected);
}

START_TEST(test_nothing_demanded)
{
	assert_allowed(NULL, "+++++");
	assert_allowed("", "+++++");
}
END_TEST

START_TEST(test_partitions)
{
	assert_allowed("main", "+++++");
	assert_allowed("gpu", "-+-+-");
	assert_allowed("debug,gpu", "-+++-");
	assert_allowed("deb", "---+-");
	assert_allowed("debugger", "---+-");
}
END_TEST

START_TEST(test_closed_nodes)
{
	facts->kinds[0].closed = true;
	facts->kinds[2].closed = true;
	assert_allowed("main", "-+-++");
	/* Nodes that are back by the time that the job can start. */
	constraint_parse("ib|slow", &demand.constraint);
	assert_allowed("main", "+-+--");
	facts->kinds[0].closed = false;
	assert_allowed("main", "+----");
}
END_TEST

static bool holds(const char *partition, struct job_size size)
{
	return node_facts_hold(facts, &demand, partition, &size);
}

/* In debug are three nodes of 8 CPUs, and u1, of which nothing is known. */
START_TEST(test_room_for_a_job)
{
	ck_assert(holds(NULL, (struct job_size){ .nodes_min = 8 }));
	ck_assert(!holds(NULL, (struct job_size){ .nodes_min = 9 }));
	ck_assert(holds("gpu", (struct job_size){ .nodes_min = 2 }));
	ck_assert(!holds("gpu", (struct job_size){ .nodes_min = 3 }));
	facts->kinds[1].closed = true;
	ck_assert(holds("gpu", (struct job_size){ .nodes_min = 2 }));
	ck_assert(holds("debug", (struct job_size){ .tasks = 25 }));
	facts->kinds[3].cpus = 8;
	facts->kinds[3].partitions = "main,debug";
	facts->kinds[3].memory_mb = 8000;
	ck_assert(holds("debug", (struct job_size){ .tasks = 32 }));
	ck_assert(!holds("debug", (struct job_size){ .tasks = 33 }));
	ck_assert(holds("debug",
			(struct job_size){ .tasks = 16, .nodes_max = 2 }));
	ck_assert(!holds("debug",
			 (struct job_size){ .tasks = 17, .nodes_max = 2 }));
	ck_assert(!holds(
		"debug",
		(struct job_size){ .tasks = 32, .memory_per_cpu_mb = 2000 }));
	demand.cpus = 9;
	ck_assert(!holds("debug", (struct job_size){ .tasks = 1 }));
}
END_TEST

START_TEST(test_sizes)
{
	demand.cpus = 9;
	assert_allowed("main", "++-++");
	demand.cpus = 16;
	demand.memory_mb = 64001;
	assert_allowed("main", "-+-++");
	demand.cpus = 33;
	assert_allowed("main", "---+-");
}
END_TEST

START_TEST(test_constraints)
{
	constraint_parse("fast&ib", &demand.constraint);
	assert_allowed("main", "+----");
	constraint_parse("ib|slow", &demand.constraint);
	assert_allowed("main", "+-+--");
	constraint_parse("fast", &demand.constraint);
	assert_allowed("gpu", "-+---");
	/* Not understood: no node is excluded. */
	constraint_parse("fast&&", &demand.constraint);
	assert_allowed("main", "+++++");
}
END_TEST

START_TEST(test_gres)
{
	gres_list_add(&demand.gres, "gpu", 1);
	assert_allowed("main", "-+--+");
	demand.gres.count = 0;
	gres_list_add(&demand.gres, "gpu:a100:4", 1);
	assert_allowed("main", "-+---");
	demand.gres.count = 0;
	gres_list_add(&demand.gres, "gpu:a100:5", 1);
	assert_allowed("main", "-----");
	/* A demand of any type counts those of all types. */
	demand.gres.count = 0;
	gres_list_add(&demand.gres, "gpu:6", 1);
	assert_allowed("main", "-+---");
	demand.gres.count = 0;
	gres_list_add(&demand.gres, "gpu:7", 1);
	assert_allowed("main", "-----");
}
END_TEST

START_TEST(test_cpus_per_node)
{
	ck_assert_uint_eq(node_facts_cpus_per_node(facts, &demand, NULL), 8);
	ck_assert_uint_eq(node_facts_cpus_per_node(facts, &demand, "gpu"), 32);
	demand.cpus = 16;
	ck_assert_uint_eq(node_facts_cpus_per_node(facts, &demand, "main"), 16);
	demand.cpus = 64;
	ck_assert_uint_eq(node_facts_cpus_per_node(facts, &demand, "main"), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_nothing_demanded,
				       test_partitions,
				       test_closed_nodes,
				       test_room_for_a_job,
				       test_sizes,
				       test_constraints,
				       test_gres,
				       test_cpus_per_node,
				       NULL };

	return suite_run_each("node_facts", tests, set_up, tear_down);
}
