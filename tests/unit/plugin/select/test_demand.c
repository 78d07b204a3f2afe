/* test_demand.c - how many nodes a job needs, and how much of each */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/select/demand.h"
#include "tests/unit/suite.h"

static struct demand job(uint32_t min, uint32_t want, uint32_t max,
			 uint32_t tasks)
{
	return (struct demand){ .min_nodes = min,
				.want_nodes = want,
				.max_nodes = max,
				.tasks = tasks,
				.task_cpus = 1 };
}

START_TEST(test_fit)
{
	struct demand d = job(1, 1, 1, 1);
	struct room room = { .cpus = 13, .memory_mb = 4000 };

	ck_assert_uint_eq(demand_fit(&d, &room), 13);
	d.task_cpus = 3;
	ck_assert_uint_eq(demand_fit(&d, &room), 4);
	d.node_tasks = 3;
	ck_assert_uint_eq(demand_fit(&d, &room), 3);
	d.node_tasks = 5;
	ck_assert_uint_eq(demand_fit(&d, &room), 0);
	d.node_tasks = 0;
	d.node_cpus = 13;
	ck_assert_uint_eq(demand_fit(&d, &room), 4);
	d.node_cpus = 14;
	ck_assert_uint_eq(demand_fit(&d, &room), 0);
	room.cpus = 5000;
	d.task_cpus = 1;
	ck_assert_uint_eq(demand_fit(&d, &room), DEMAND_FIT_MAX);
	room.cpus = 0;
	d.node_cpus = 0;
	ck_assert_uint_eq(demand_fit(&d, &room), 0);
}
END_TEST

START_TEST(test_memory)
{
	struct demand d = job(1, 1, 1, 1);
	struct room room = { .cpus = 16, .memory_mb = 4000 };

	d.node_memory_mb = 4000;
	ck_assert_uint_eq(demand_fit(&d, &room), 16);
	d.node_memory_mb = 4001;
	ck_assert_uint_eq(demand_fit(&d, &room), 0);
	d.node_memory_mb = 0;
	d.cpu_memory_mb = 700;
	ck_assert_uint_eq(demand_fit(&d, &room), 5);
	d.task_cpus = 2;
	ck_assert_uint_eq(demand_fit(&d, &room), 2);
	d.cpu_memory_mb = 4001;
	ck_assert_uint_eq(demand_fit(&d, &room), 0);
}
END_TEST

/* Nodes with room for so many tasks, ends with 0. */
static struct demand_fits fits_of(const uint32_t *fits)
{
	struct demand_fits ret;

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
		{ 2, 4, 4, 2, { 4, 4, 4 }, 3, 1 },      /* -N 2-4 */
		{ 2, 4, 4, 2, { 4, 4, 4, 3, 9 }, 4, 1 },
		{ 2, 4, 4, 9, { 4, 4, 1, 1, 5 }, 3, 3 }, /* four have no 3 */
		{ 3, 3, 3, 3, { 4, 4 }, 0, 0 },
		{ 5, 5, 5, 2, { 4, 4, 4, 4, 4 }, 5, 1 },
		{ 1, 1, 1, 1, { 0 }, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct demand d = job(rows[i].min, rows[i].want, rows[i].max,
				      rows[i].tasks);
		struct demand_fits fits = fits_of(rows[i].fits);
		uint32_t each = 0;
		uint32_t nodes = demand_nodes(&d, &fits, &each);

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
		struct demand d = job(min, want, want + (uint32_t)random() % 6,
				      1 + (uint32_t)random() % 50);
		struct demand_fits fits = fits_of(list);
		uint32_t each = 0;
		uint32_t nodes = demand_nodes(&d, &fits, &each);
		uint32_t able = 0;

		if (!nodes)
			continue;
		for (uint32_t i = 0; i < count; i++)
			able += list[i] >= each;
		ck_assert_uint_ge(able, nodes);
		ck_assert_uint_ge(nodes, d.min_nodes);
		ck_assert_uint_le(nodes, d.max_nodes);
		ck_assert_uint_ge(nodes * each, d.tasks);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_fit, test_memory, test_nodes, test_any, NULL,
	};

	return suite_run("demand", tests);
}
