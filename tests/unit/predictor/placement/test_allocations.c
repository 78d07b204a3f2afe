/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_allocations.c - CPUs and memory that jobs have on each node */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/allocations.h"
#include "tests/unit/suite.h"

#define T 1.7e9

static struct allocations *a;

static void begin(void)
{
	a = allocations_create();
}

static void end(void)
{
	allocations_destroy(a);
}

static struct run run_of(uint32_t job_id, const char *nodes, uint32_t cpus,
			 double limit_s)
{
	struct run run = { .cluster = "tiny",
			   .job_id = job_id,
			   .cpus = cpus,
			   .memory_mb = 300,
			   .limit_s = limit_s,
			   .started_at_s = T,
			   .ended_at_s = NAN,
			   .state = RUN_RUNNING };

	strcpy(run.node_list, nodes);
	return run;
}

static uint32_t cpus_at(const char *node)
{
	uint32_t at = allocations_find(a, "tiny", node);

	return at == ALLOCATIONS_NONE ? 0 : allocations_at(a, at).cpus;
}

static void note(const struct run *run, double now_s)
{
	uint64_t version = allocations_version(a);
	struct hostlist nodes;

	ck_assert_int_eq(hostlist_expand(run->node_list, &nodes, NULL), 0);
	allocations_note(a, run, &nodes, now_s);
	hostlist_clear(&nodes);
	if (run->state == RUN_RUNNING)
		ck_assert_uint_gt(allocations_version(a), version);
}

START_TEST(test_start_and_end)
{
	struct run one = run_of(1, "n[1-3]", 7, 600);
	struct run two = run_of(2, "n3", 2, NAN);

	ck_assert_uint_eq(allocations_find(a, "tiny", "n1"), ALLOCATIONS_NONE);
	note(&one, T);
	note(&one, T); /* reported twice */
	note(&two, T);
	ck_assert_uint_eq(allocations_nodes(a), 3);
	ck_assert_uint_eq(cpus_at("n1"), 3);
	ck_assert_uint_eq(cpus_at("n3"), 5);
	ck_assert_double_eq(
		allocations_at(a, allocations_find(a, "tiny", "n3")).memory_mb,
		400);
	ck_assert_uint_eq(allocations_find(a, "other", "n1"), ALLOCATIONS_NONE);
	one.state = RUN_FAILED;
	note(&one, T + 9);
	ck_assert_uint_eq(cpus_at("n1"), 0);
	ck_assert_uint_eq(cpus_at("n3"), 2);
	/* Requeued to other nodes. */
	strcpy(two.node_list, "n2");
	note(&two, T + 9);
	ck_assert_uint_eq(cpus_at("n2"), 2);
	ck_assert_uint_eq(cpus_at("n3"), 0);
}
END_TEST

START_TEST(test_ends_that_nobody_reports)
{
	struct run limited = run_of(1, "n1", 1, 600);
	struct run unlimited = run_of(2, "n1", 2, HUGE_VAL);

	note(&limited, T);
	note(&unlimited, T);
	allocations_expire(a, T + 600);
	ck_assert_uint_eq(cpus_at("n1"), 3);

	uint64_t version = allocations_version(a);

	allocations_expire(a, T + 1000);
	ck_assert_uint_eq(cpus_at("n1"), 2);
	ck_assert_uint_gt(allocations_version(a), version);
	allocations_expire(a, T + 40 * 86400.0);
	ck_assert_uint_eq(cpus_at("n1"), 0);
}
END_TEST

START_TEST(test_expected_starts)
{
	static struct prediction p = { .id = "00000000000000ab",
				       .cluster = "tiny",
				       .made_at_s = T,
				       .cpus = 4 };
	char names[2][HOSTLIST_NAME_SIZE] = { "n1", "n2" };
	const struct hostlist nodes = { .count = 2, .names = names };
	struct run run = run_of(3, "n7", 4, 600);

	allocations_expect(a, &p, &nodes);
	ck_assert_uint_eq(cpus_at("n2"), 2);
	/* It has started, elsewhere. */
	strcpy(run.prediction_id, p.id);
	note(&run, T + 1);
	ck_assert_uint_eq(cpus_at("n2"), 0);
	ck_assert_uint_eq(cpus_at("n7"), 4);
	/* It waits. */
	allocations_expect(a, &p, &nodes);
	allocations_expire(a, T + ALLOCATIONS_EXPECTED_S);
	ck_assert_uint_eq(cpus_at("n2"), 0);
}
END_TEST

/* Random starts and ends: in the end nothing is left. */
START_TEST(test_many)
{
	static bool running[500];
	uint32_t sum = 0;

	srand(7);
	for (int i = 0; i < 20000; i++) {
		uint32_t job = (uint32_t)rand() % 500;
		char nodes[32];

		snprintf(nodes, sizeof(nodes), "n[%u-%u]", job % 40,
			 job % 40 + job % 3);

		struct run run = run_of(job + 1, nodes, job % 7 + 1, 600);

		run.state = running[job] ? RUN_COMPLETED : RUN_RUNNING;
		running[job] = !running[job];
		note(&run, T);
	}
	for (uint32_t i = 0; i < allocations_nodes(a); i++)
		sum += allocations_at(a, i).cpus;
	for (uint32_t job = 0; job < 500; job++) {
		uint32_t nodes = job % 3 + 1;

		if (running[job])
			sum -= nodes * ((job % 7 + nodes) / nodes);
	}
	ck_assert_uint_eq(sum, 0);
	allocations_expire(a, T + 1e6);
	for (uint32_t i = 0; i < allocations_nodes(a); i++)
		ck_assert_uint_eq(allocations_at(a, i).cpus, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_start_and_end,
				       test_ends_that_nobody_reports,
				       test_expected_starts, test_many, NULL };

	return suite_run_each("allocations", tests, begin, end);
}
