/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node_demand.c - what a job asks of each of its nodes */
#include "predictor/features/node_facts.h"
#include "tests/unit/suite.h"

static struct submission job;
static struct node_demand demand;

START_TEST(test_nothing)
{
	submission_init(&job);
	job.size = (struct job_size){ .nodes_min = 7, .tasks = 100 };
	node_demand_of(&job, &demand);
	ck_assert_uint_eq(demand.cpus, 1);
	ck_assert_int_eq(demand.constraint.count, 0);
	ck_assert_int_eq(demand.gres.count, 0);
	ck_assert_double_eq(demand.memory_mb, 0);
	ck_assert(!demand.exclusive);
}
END_TEST

START_TEST(test_all)
{
	submission_init(&job);
	job.features = "avx2";
	job.gres.per_task = "gpu:2";
	job.size = (struct job_size){ .nodes_min = 3,
				      .tasks_per_node = 5,
				      .cpus_per_task = 2,
				      .memory_per_cpu_mb = 300,
				      .exclusive = true };
	node_demand_of(&job, &demand);
	ck_assert(constraint_allows(&demand.constraint, "avx2"));
	ck_assert(!constraint_allows(&demand.constraint, "sse"));
	ck_assert_uint_eq(demand.gres.of[0].count, 10);
	ck_assert_uint_eq(demand.cpus, 10);
	ck_assert_double_eq(demand.memory_mb, 3000);
	ck_assert(demand.exclusive);
}
END_TEST

/* One of the tasks that Slurm may spread as it likes is sure to be there. */
START_TEST(test_spread)
{
	submission_init(&job);
	job.gres.per_task = "gpu:2";
	job.size = (struct job_size){ .tasks = 64,
				      .tasks_per_node = 16,
				      .cpus_per_task = 3,
				      .cpus_min = 192 };
	node_demand_of(&job, &demand);
	ck_assert_uint_eq(demand.gres.of[0].count, 2);
	ck_assert_uint_eq(demand.cpus, 3);
	ck_assert_double_eq(demand.memory_mb, 0);
	job.size.cpus_per_node_min = 8;
	job.size.memory_per_node_mb = 4000;
	node_demand_of(&job, &demand);
	ck_assert_uint_eq(demand.cpus, 8);
	ck_assert_double_eq(demand.memory_mb, 4000);
	job.size.cpus_per_node_min = 0;
	job.size.overcommit = true;
	node_demand_of(&job, &demand);
	ck_assert_uint_eq(demand.cpus, 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_nothing, test_all, test_spread,
				       NULL };

	return suite_run("node_demand", tests);
}
