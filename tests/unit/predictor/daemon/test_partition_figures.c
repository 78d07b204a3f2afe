/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_partition_figures.c - what is expected of the queue of each partition,
 * and that less than five users are no sum */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/daemon/partition_figures.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/scheduler/partition_sums.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define NOW_S LIFE_START_S

static struct engine *engine;
static struct queue_entry entries[16];
static struct queue_state queue;
static struct partition_list *list;
static struct sp_error err;

static void set_up(void)
{
	struct node_facts *facts = node_facts_create("tiny");
	static struct node_properties node;

	strcpy(node.name, "n1");
	strcpy(node.partitions, "main");
	node.cpus = 4;
	ck_assert_int_eq(node_facts_add(facts, &node, &err), 0);
	ck_assert_int_eq(node_facts_arrange(facts, &err), 0);
	engine = engine_create();
	engine_set_node_facts(engine, facts);
	queue = (struct queue_state){ .now_s = NOW_S, .of = entries };
	list = calloc(1, sizeof(*list));
}

static void tear_down(void)
{
	engine_destroy(engine);
	free(list);
}

static void job_add(uint32_t user_id, bool running)
{
	struct queue_entry *job = &entries[queue.count++];

	*job = (struct queue_entry){ .job_id = (uint32_t)queue.count,
				     .user_id = user_id,
				     .nodes = 1,
				     .cpus = 3,
				     .running = running,
				     .elapsed_s = running ? 70 : 0,
				     .limit_s = 700,
				     .begin_s = NAN };
	strcpy(job->partition, "main");
}

static const double *figures(void)
{
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	partition_figures_renew(engine, &queue);
	engine_partitions(engine, false, list);
	ck_assert_uint_eq(list->count, 1);
	ck_assert_str_eq(list->rows[0].cluster, "tiny");
	ck_assert_str_eq(list->rows[0].partition, "main");
	return list->rows[0].of;
}

START_TEST(test_four_users_are_no_sum)
{
	job_add(1, true);
	for (uint32_t i = 0; i < 8; i++)
		job_add(1 + i % 4, false);

	const double *of = figures();

	for (int i = 0; i < PARTITION_JUDGED; i++)
		ck_assert_double_nan(of[i]);
}
END_TEST

START_TEST(test_five_users)
{
	job_add(1, true);
	for (uint32_t user = 1; user <= 5; user++)
		job_add(user, false);

	const double *of = figures();

	ck_assert_double_eq(of[PARTITION_WAITING], 5);
	ck_assert_double_eq(of[PARTITION_WORK], 5 * 3 * 700);
	ck_assert_double_gt(of[PARTITION_WAIT_MEDIAN], 0);
	ck_assert_double_gt(of[PARTITION_WAIT_P90], of[PARTITION_WAIT_MEDIAN]);
	ck_assert_double_ge(of[PARTITION_NEW_P90], of[PARTITION_NEW_MEDIAN]);
	/* One user's. */
	ck_assert_double_nan(of[PARTITION_LATE]);
}
END_TEST

START_TEST(test_five_users_run)
{
	for (uint32_t user = 1; user <= 5; user++)
		job_add(user, true);

	const double *of = figures();

	/* Without a prediction nobody is late. */
	ck_assert_double_eq(of[PARTITION_LATE], 0);
	ck_assert_double_nan(of[PARTITION_WAITING]);
	ck_assert_double_nan(of[PARTITION_WORK]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_four_users_are_no_sum,
				       test_five_users, test_five_users_run,
				       NULL };

	return suite_run_each("partition_figures", tests, set_up, tear_down);
}
