/* test_submission.c - what Slurm makes of what was not given */
#include <math.h>

#include "predictor/features/submission.h"
#include "tests/unit/suite.h"

START_TEST(test_nodes_and_tasks)
{
	static const struct {
		uint32_t nodes_min, tasks, tasks_per_node;
		uint32_t nodes, all_tasks;
	} cases[] = {
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

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct submission job;

		submission_init(&job);
		ck_assert_double_nan(job.limit_s);
		job.nodes_min = cases[i].nodes_min;
		job.tasks = cases[i].tasks;
		job.tasks_per_node = cases[i].tasks_per_node;
		ck_assert_uint_eq(submission_nodes(&job), cases[i].nodes);
		ck_assert_uint_eq(submission_tasks(&job), cases[i].all_tasks);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_nodes_and_tasks, NULL };

	return suite_run("submission", tests);
}
