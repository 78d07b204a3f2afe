/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_size.c - how many nodes a job gets, and how much of each */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/job_size.h"
#include "tests/unit/suite.h"

static struct job_size job(uint32_t min, uint32_t want, uint32_t max,
			   uint32_t tasks)
{
	return (struct job_size){ .nodes_min = min,
				  .nodes_want = want,
				  .nodes_max = max,
				  .tasks = tasks };
}

/* As slurmctld 22.05 allocated them on four idle nodes of four CPUs. */
START_TEST(test_idle_nodes)
{
	static const struct {
		const char *options;
		struct job_size size;
		uint32_t nodes, cpus;
	} rows[] = {
		{ "-N 2-4", { .nodes_min = 2, .nodes_max = 4 }, 4, 4 },
		{ "-N 2-4 --use-min-nodes",
		  { .nodes_min = 2, .nodes_want = 2, .nodes_max = 4 },
		  2,
		  2 },
		{ "-N 2-4 -n 3",
		  { .nodes_min = 2, .nodes_max = 4, .tasks = 3 },
		  3,
		  3 },
		{ "-N 2-4 -n 2",
		  { .nodes_min = 2, .nodes_max = 4, .tasks = 2 },
		  2,
		  2 },
		{ "-N 2-4 -n 16",
		  { .nodes_min = 2, .nodes_max = 4, .tasks = 16 },
		  4,
		  16 },
		{ "-N 1-4 -n 4",
		  { .nodes_min = 1, .nodes_max = 4, .tasks = 4 },
		  4,
		  4 },
		{ "-n 6", { .tasks = 6, .cpus_min = 6 }, 2, 6 },
		{ "-n 6 --ntasks-per-node=2",
		  { .tasks = 6, .tasks_per_node = 2, .cpus_min = 6 },
		  3,
		  6 },
		{ "--ntasks-per-node=2 -N 2-4",
		  { .nodes_min = 2, .nodes_max = 4, .tasks_per_node = 2 },
		  4,
		  8 },
		{ "-n 3 -c 2",
		  { .tasks = 3, .cpus_per_task = 2, .cpus_min = 6 },
		  2,
		  6 },
		{ "-N 2 --mincpus=3",
		  { .nodes_min = 2, .nodes_max = 2, .cpus_per_node_min = 3 },
		  2,
		  6 },
		{ "-n 4 -O",
		  { .tasks = 4, .cpus_min = 1, .overcommit = true },
		  1,
		  1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct job_size *size = &rows[i].size;
		struct node_room idle = { .cpus = 4, .memory_mb = 4000 };
		struct node_fits fits;
		uint32_t each;

		memset(&fits, 0, sizeof(fits));
		fits.nodes[job_size_fit(size, &idle)] = 4;

		uint32_t nodes = job_size_nodes(size, 4);
		uint32_t now = job_size_nodes_now(size, &fits, &each);
		uint32_t cpus = job_size_cpus(size, nodes);

		ck_assert_msg(nodes == rows[i].nodes && now == rows[i].nodes &&
				      cpus == rows[i].cpus,
			      "%s: %u nodes, %u now, %u CPUs", rows[i].options,
			      nodes, now, cpus);
	}
}
END_TEST

/* What is made of what was not given, where a node's CPUs are not known. */
START_TEST(test_defaults)
{
	static const struct {
		uint32_t nodes_min, tasks, tasks_per_node;
		uint32_t nodes, all_tasks;
	} rows[] = {
		{ 0, 0, 0, 1, 1 },
		{ 3, 0, 0, 3, 3 },
		{ 0, 7, 0, 1, 7 },
		{ 0, 7, 4, 2, 7 },
		{ 0, 8, 4, 2, 8 },
		{ 0, 9, 4, 3, 9 },
		{ 3, 0, 4, 3, 12 },
		{ 3, 5, 4, 3, 5 },
		{ 0, 0, 4, 1, 4 },
		{ UINT32_MAX, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX },
		{ 0, UINT32_MAX, 1, UINT32_MAX, UINT32_MAX },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct job_size size = { .nodes_min = rows[i].nodes_min,
					 .nodes_max = rows[i].nodes_min,
					 .tasks = rows[i].tasks,
					 .tasks_per_node =
						 rows[i].tasks_per_node };
		uint32_t nodes = job_size_nodes(&size, 0);

		ck_assert_uint_eq(nodes, rows[i].nodes);
		ck_assert_uint_eq(job_size_tasks(&size, nodes),
				  rows[i].all_tasks);
	}
}
END_TEST

/* A range never leaves its bounds, and a task's CPUs are on one node. */
START_TEST(test_range)
{
	struct job_size size = { .nodes_min = 2, .nodes_max = 8, .tasks = 64 };

	ck_assert_uint_eq(job_size_nodes(&size, 0), 8);
	ck_assert_uint_eq(job_size_nodes(&size, 4), 8);
	size.nodes_want = 3;
	ck_assert_uint_eq(job_size_nodes(&size, 0), 3);
	ck_assert_uint_eq(job_size_nodes(&size, 16), 4);
	size.nodes_max = 0;
	size.cpus_per_task = 3;
	ck_assert_uint_eq(job_size_nodes(&size, 16), 13);
	/* No node has the CPUs of a task: nothing is known then. */
	ck_assert_uint_eq(job_size_nodes(&size, 2), 3);
	size.nodes_min = 5;
	size.tasks = 2;
	ck_assert_uint_eq(job_size_nodes(&size, 16), 5);
}
END_TEST

START_TEST(test_totals)
{
	struct job_size size = { .tasks = 5,
				 .cpus_per_task = 3,
				 .memory_per_cpu_mb = 0.5 };

	ck_assert_uint_eq(job_size_cpus(&size, 2), 15);
	ck_assert_double_eq(job_size_memory_mb(&size, 2), 7.5);
	size.cpus_min = 17;
	ck_assert_uint_eq(job_size_cpus(&size, 2), 17);
	size.memory_per_node_mb = 100;
	ck_assert_double_eq(job_size_memory_mb(&size, 3), 300);
	size = (struct job_size){ .tasks = UINT32_MAX,
				  .cpus_per_task = UINT32_MAX };
	ck_assert_uint_eq(job_size_cpus(&size, 1), UINT32_MAX);
	ck_assert_double_eq(job_size_memory_mb(&size, 1), 0);
}
END_TEST

START_TEST(test_fit)
{
	struct job_size d = job(1, 1, 1, 1);
	struct node_room room = { .cpus = 13, .memory_mb = 4000 };

	ck_assert_uint_eq(job_size_fit(&d, &room), 13);
	d.cpus_per_task = 3;
	ck_assert_uint_eq(job_size_fit(&d, &room), 4);
	d.tasks_per_node = 3;
	ck_assert_uint_eq(job_size_fit(&d, &room), 3);
	d.tasks_per_node = 5;
	ck_assert_uint_eq(job_size_fit(&d, &room), 0);
	d.tasks_per_node = 0;
	d.cpus_per_node_min = 13;
	ck_assert_uint_eq(job_size_fit(&d, &room), 4);
	d.cpus_per_node_min = 14;
	ck_assert_uint_eq(job_size_fit(&d, &room), 0);
	room.cpus = 5000;
	d.cpus_per_task = 1;
	ck_assert_uint_eq(job_size_fit(&d, &room), JOB_SIZE_FIT_MAX);
	room.cpus = 0;
	d.cpus_per_node_min = 0;
	ck_assert_uint_eq(job_size_fit(&d, &room), 0);
}
END_TEST

START_TEST(test_memory)
{
	struct job_size d = job(1, 1, 1, 1);
	struct node_room room = { .cpus = 16, .memory_mb = 4000 };

	d.memory_per_node_mb = 4000;
	ck_assert_uint_eq(job_size_fit(&d, &room), 16);
	d.memory_per_node_mb = 4001;
	ck_assert_uint_eq(job_size_fit(&d, &room), 0);
	d.memory_per_node_mb = 0;
	d.memory_per_cpu_mb = 700;
	ck_assert_uint_eq(job_size_fit(&d, &room), 5);
	d.cpus_per_task = 2;
	ck_assert_uint_eq(job_size_fit(&d, &room), 2);
	d.memory_per_cpu_mb = 4001;
	ck_assert_uint_eq(job_size_fit(&d, &room), 0);
}
END_TEST

/* Nodes with room for these numbers of tasks, ends with 0. */
static struct node_fits fits_of(const uint32_t *fits)
{
	struct node_fits ret;

	memset(&ret, 0, sizeof(ret));
	while (*fits)
		ret.nodes[*fits++]++;
	return ret;
}

START_TEST(test_nodes)
{
	static const struct {
		uint32_t min, want, max, tasks;
		uint32_t fits[8];
		uint32_t nodes, each;
	} rows[] = {
		{ 1, 1, 1, 1, { 4, 4, 4 }, 1, 1 },
		{ 2, 2, 2, 7, { 4, 4, 4 }, 2, 4 },
		{ 1, 1, 500000, 7, { 4, 4, 4 }, 2, 4 },  /* -n 7 */
		{ 1, 1, 500000, 12, { 4, 4, 4 }, 3, 4 }, /* -n 12 */
		{ 1, 1, 500000, 13, { 4, 4, 4 }, 0, 0 },
		{ 1, 1, 2, 12, { 4, 4, 4 }, 0, 0 },
		{ 1, 1, 500000, 8, { 6, 2, 3 }, 0, 0 }, /* uneven: Slurm's */
		{ 2, 4, 4, 0, { 4, 4, 4 }, 3, 1 },      /* -N 2-4 */
		{ 2, 4, 4, 0, { 4, 4, 4, 3, 9 }, 4, 1 },
		{ 2, 4, 4, 2, { 4, 4, 4, 3, 9 }, 2, 1 },
		{ 2, 4, 4, 9, { 4, 4, 1, 1, 5 }, 3, 3 }, /* four have no 3 */
		{ 3, 3, 3, 3, { 4, 4 }, 0, 0 },
		{ 5, 5, 5, 2, { 4, 4, 4, 4, 4 }, 5, 1 },
		{ 1, 1, 1, 1, { 0 }, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct job_size d = job(rows[i].min, rows[i].want, rows[i].max,
					rows[i].tasks);
		struct node_fits fits = fits_of(rows[i].fits);
		uint32_t each = 0;
		uint32_t nodes = job_size_nodes_now(&d, &fits, &each);

		ck_assert_msg(nodes == rows[i].nodes &&
				      (!nodes || each == rows[i].each),
			      "row %zu: %u nodes for %u tasks each", i, nodes,
			      each);
	}
}
END_TEST

/* Whatever comes out can be had, holds all tasks, and is within the bounds. */
START_TEST(test_any)
{
	srandom(7);
	for (int round = 0; round < 20000; round++) {
		uint32_t list[40] = { 0 };
		uint32_t count = (uint32_t)random() % 39;

		for (uint32_t i = 0; i < count; i++)
			list[i] = 1 + (uint32_t)random() % 9;

		uint32_t min = 1 + (uint32_t)random() % 6;
		uint32_t want = min + (uint32_t)random() % 6;
		struct job_size d =
			job(min, want, want + (uint32_t)random() % 6,
			    1 + (uint32_t)random() % 50);
		struct node_fits fits = fits_of(list);
		uint32_t each = 0;
		uint32_t nodes = job_size_nodes_now(&d, &fits, &each);
		uint32_t able = 0;

		if (!nodes)
			continue;
		for (uint32_t i = 0; i < count; i++)
			able += list[i] >= each;
		ck_assert_uint_ge(able, nodes);
		ck_assert_uint_ge(nodes, d.nodes_min);
		ck_assert_uint_le(nodes, d.nodes_max);
		ck_assert_uint_ge(nodes * each, d.tasks);
	}
}
END_TEST

/* What is open to the scheduler. */
START_TEST(test_open_numbers)
{
	static const struct {
		struct job_size size;
		uint32_t cpus, least, most;
		bool open;
	} rows[] = {
		{ { .nodes_min = 2, .nodes_max = 8 }, 0, 2, 8, true },
		{ { .nodes_max = 8 }, 0, 1, 8, true },
		{ { .nodes_min = 3, .nodes_max = 3 }, 0, 3, 3, false },
		{ { .nodes_min = 3 }, 0, 3, 3, false },
		{ { .tasks = 64 }, 16, 4, 4, false },
		{ { .nodes_min = 2, .nodes_want = 2, .nodes_max = 8 },
		  0,
		  2,
		  2,
		  false },
		/* No more nodes than tasks, and none too few for them. */
		{ { .nodes_min = 1, .nodes_max = 8, .tasks = 5 },
		  2,
		  3,
		  5,
		  true },
		{ { .nodes_min = 1, .nodes_max = 8, .tasks = 5 },
		  0,
		  1,
		  5,
		  true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t least, most;

		job_size_range(&rows[i].size, rows[i].cpus, &least, &most);
		ck_assert_msg(least == rows[i].least && most == rows[i].most,
			      "row %zu: %u to %u", i, least, most);
		ck_assert_msg(job_size_is_range(&rows[i].size) == rows[i].open,
			      "row %zu", i);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_idle_nodes,   test_defaults, test_range, test_totals,
		test_fit,          test_memory,   test_nodes, test_any,
		test_open_numbers, NULL,
	};

	return suite_run("job_size", tests);
}
