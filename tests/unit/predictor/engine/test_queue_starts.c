/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queue_starts.c - pools of partitions, and predicted starts of
 * a queue */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/scheduler/queue_pools.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define NOW_S LIFE_START_S

static struct engine *engine;
static struct queue_entry entries[8];
static struct queue_state queue;
static struct start_reason why; /* of the last start_of() */
static struct sp_error err;

static void node_add(struct node_facts *facts, const char *name,
		     const char *partitions, bool closed)
{
	static struct node_properties node;

	memset(&node, 0, sizeof(node));
	strcpy(node.name, name);
	strcpy(node.partitions, partitions);
	node.cpus = 4;
	node.closed = closed;
	ck_assert_int_eq(node_facts_add(facts, &node, &err), 0);
}

static struct node_facts *facts_make(void)
{
	struct node_facts *facts = node_facts_create("tiny");

	node_add(facts, "n1", "main", false);
	node_add(facts, "n2", "main,debug", false);
	node_add(facts, "n3", "debug,long", true);
	node_add(facts, "n4", "gpu", false);
	node_add(facts, "n5", "", false);
	ck_assert_int_eq(node_facts_arrange(facts, &err), 0);
	return facts;
}

static void set_up(void)
{
	engine = engine_create();
	engine_set_node_facts(engine, facts_make());
	queue = (struct queue_state){ .now_s = NOW_S, .of = entries };
}

static void tear_down(void)
{
	engine_destroy(engine);
}

static struct queue_entry *job_add(uint32_t job_id, const char *partition,
				   uint32_t cpus, double limit_s)
{
	struct queue_entry *job = &entries[queue.count++];

	*job = (struct queue_entry){ .job_id = job_id,
				     .user_id = 1234,
				     .nodes = 1,
				     .cpus = cpus,
				     .limit_s = limit_s,
				     .begin_s = NAN };
	strcpy(job->partition, partition);
	return job;
}

static struct queue_entry *job_run(uint32_t job_id, const char *partition,
				   uint32_t cpus, double limit_s,
				   double elapsed_s)
{
	struct queue_entry *job = job_add(job_id, partition, cpus, limit_s);

	job->running = true;
	job->elapsed_s = elapsed_s;
	return job;
}

static int start_of(uint32_t job_id, double now_s, struct start_time *ret)
{
	uint32_t user_id = 0;
	int rc = engine_job_start(engine, "tiny", job_id, now_s, ret, &why,
				  &user_id);

	if (rc == 0)
		ck_assert_uint_eq(user_id, 1234);
	return rc;
}

START_TEST(test_pools)
{
	struct node_facts *facts = facts_make();
	struct queue_pools pools;

	queue_pools_find(facts, &pools);
	ck_assert_int_eq(pools.count, 2);
	ck_assert_int_eq(pools.partitions_count, 4);
	ck_assert_int_eq(queue_pools_partition(&pools, "main")->pool,
			 queue_pools_partition(&pools, "long")->pool);
	ck_assert_int_ne(queue_pools_partition(&pools, "main")->pool,
			 queue_pools_partition(&pools, "gpu")->pool);
	/* n3 is closed. */
	ck_assert_uint_eq(
		pools.cpus[queue_pools_partition(&pools, "main")->pool], 8);
	ck_assert_uint_eq(
		pools.cpus[queue_pools_partition(&pools, "gpu")->pool], 4);
	ck_assert_ptr_null(queue_pools_partition(&pools, "none"));
	node_facts_put(facts);
}
END_TEST

START_TEST(test_jobs_wait_for_those_of_their_pool)
{
	struct start_time start;

	job_run(1, "main", 8, 1000, 400);
	job_add(2, "debug", 4, 1000);
	job_add(3, "gpu", 4, 1000);
	job_add(4, "main", 4, 1000)->blocked = true;
	job_add(5, "main", 100, 1000);
	job_add(6, "none", 1, 1000);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	/* Nothing is known of the first: it may end at any time. */
	ck_assert_int_eq(start_of(2, NOW_S, &start), 0);
	ck_assert_double_eq_tol(start.median_s, NOW_S + 300, 60);
	ck_assert(start.low_s < NOW_S + 120 && start.high_s > NOW_S + 480);
	ck_assert_uint_eq(why.ahead, 0);
	ck_assert_double_eq(why.first_end_s, NOW_S + 600);
	ck_assert_int_eq(start_of(3, NOW_S, &start), 0);
	ck_assert_double_le(start.median_s, NOW_S + 30);
	ck_assert(isnan(why.first_end_s));
	for (uint32_t id = 4; id <= 7; id++)
		ck_assert_int_eq(start_of(id, NOW_S, &start), -1);
	ck_assert_int_eq(start_of(1, NOW_S, &start), -1);
	ck_assert_int_eq(engine_queue_waiting(engine, "long"), 3);
	ck_assert_int_eq(engine_queue_waiting(engine, "gpu"), 1);
	ck_assert_int_eq(engine_queue_waiting(engine, "none"), -1);

	/* Nobody starts before now, and nothing old is shown. */
	ck_assert_int_eq(start_of(2, NOW_S + 500, &start), 0);
	ck_assert_double_ge(start.low_s, NOW_S + 500);
	ck_assert_int_eq(start_of(2, NOW_S + 700, &start), -1);
	ck_assert_int_eq(engine_job_start(engine, "other", 2, NOW_S, &start,
					  &why, &(uint32_t){ 0 }),
			 -1);
}
END_TEST

START_TEST(test_the_pool_of_a_job)
{
	struct sooner_pool pool;
	struct queue_entry entry;

	job_run(1, "gpu", 4, 1000, 400);
	job_run(2, "main", 8, 1000, 400);
	job_add(3, "gpu", 4, 1000);
	job_add(4, "debug", 3, 700);
	ck_assert_int_eq(engine_job_pool(engine, 4, &pool, &entry, &err), 1);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(engine_job_pool(engine, 4, &pool, &entry, &err), 0);
	ck_assert_uint_eq(entry.job_id, 4);
	ck_assert_double_eq(entry.limit_s, 700);
	ck_assert_uint_eq(pool.count, 2);
	ck_assert_uint_eq(pool.which, 1);
	ck_assert_uint_eq(pool.rules.cpus, 8);
	ck_assert_double_eq(pool.now_s, NOW_S);
	ck_assert_double_eq(pool.jobs[1].limit_s, 700);
	ck_assert_uint_eq(pool.jobs[0].cpus, 8);
	free(pool.jobs);
	for (uint32_t id = 0; id <= 2; id++)
		ck_assert_int_eq(
			engine_job_pool(engine, id, &pool, &entry, &err), 1);
}
END_TEST

/* A small job delays the second that waits: where only the first one of a site
 * has a planned start, it goes now. */
START_TEST(test_reservations_of_the_site)
{
	struct node_facts *facts = facts_make();
	struct start_time start;

	job_run(1, "main", 6, 1000, 0);
	job_add(2, "main", 6, 1000);
	job_add(3, "main", 8, 1000);
	job_add(4, "main", 2, 2500);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(start_of(4, NOW_S, &start), 0);
	ck_assert_double_gt(start.median_s, NOW_S + 300);
	facts->reservations = 1;
	engine_set_node_facts(engine, facts);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(start_of(4, NOW_S, &start), 0);
	ck_assert_double_le(start.median_s, NOW_S + 30);
	/* Another partition of the pool adds one when jobs of it wait, too. */
	job_add(5, "debug", 8, 1000);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(start_of(4, NOW_S, &start), 0);
	ck_assert_double_gt(start.median_s, NOW_S + 300);
}
END_TEST

START_TEST(test_jobs_wait_for_the_same_gpus)
{
	struct start_time start;
	struct life life;

	life_submit(&life, 1, 100);
	life.job.gres.per_node = "gpu:a100:2,shard:1";
	for (uint32_t id = 1; id <= 4; id++) {
		struct queue_entry *job = job_add(id, "main", 8, 1000);

		job->running = id == 1;
		if (id != 3)
			strcpy(job->prediction_id,
			       life_predict(engine, &life, NOW_S).id);
	}
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(start_of(4, NOW_S, &start), 0);
	ck_assert_str_eq(why.gres, "gpu:a100");
	ck_assert_uint_eq(why.ahead, 2);
	ck_assert_uint_eq(why.same, 1);
	ck_assert_double_gt(why.first_end_s, NOW_S);
	ck_assert_int_eq(start_of(3, NOW_S, &start), 0);
	ck_assert_str_eq(why.gres, "");
	ck_assert_uint_eq(why.same, 0);
}
END_TEST

START_TEST(test_whole_nodes)
{
	struct start_time start;

	job_run(1, "main", 1, 1000, 0)->whole_nodes = true;
	job_run(2, "main", 1, 1000, 0)->whole_nodes = true;
	job_add(3, "main", 1, 1000);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(start_of(3, NOW_S, &start), 0);
	ck_assert_double_gt(start.median_s, NOW_S + 100);
}
END_TEST

START_TEST(test_told_starts_are_judged)
{
	uint64_t judged, within;

	job_run(1, "main", 8, 1000, 400);
	job_add(2, "main", 4, 1000);
	job_add(3, "main", 8, 1000);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);

	/* Minutes later both run; the last started before all that was said. */
	queue.now_s += 200;
	queue.count = 0;
	job_run(2, "main", 4, 1000, 10);
	job_run(3, "main", 8, 1000, 199);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	engine_starts_judged(engine, &judged, &within);
	ck_assert_uint_eq(judged, 2);
	ck_assert_uint_eq(within, 1);

	/* Once is enough. */
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	engine_starts_judged(engine, &judged, &within);
	ck_assert_uint_eq(judged, 2);
}
END_TEST

static struct prediction p;
static bool whole_nodes;
static struct start_time starts[START_TURNS];
static double above[START_TURNS];

static int new_start(double now_s)
{
	return engine_new_job_start(engine, &p, whole_nodes, 120, now_s, starts,
				    above);
}

static void new_job_make(uint32_t cpus)
{
	p = (struct prediction){ .cluster = "tiny",
				 .partition = "main",
				 .limit_s = 60,
				 .cpus = cpus };
	whole_nodes = false;
}

START_TEST(test_a_new_job)
{
	new_job_make(8);
	ck_assert_int_eq(new_start(NOW_S), -1);
	job_run(1, "main", 8, 1000, 400);
	job_add(2, "main", 4, 1000);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(new_start(NOW_S), START_TURNS - 1);
	ck_assert_double_gt(starts[START_TURNS - 1].median_s, 300);
	ck_assert_int_eq(new_start(NOW_S + 119), START_TURNS - 1);
	ck_assert_int_eq(new_start(NOW_S + 121), -1);
	strcpy(p.partition, "gpu");
	p.cpus = 4;
	ck_assert_int_eq(new_start(NOW_S), START_TURNS - 1);
	ck_assert_double_eq(starts[START_TURNS - 1].high_s, 0);
	p.cpus = 1;
	p.nodes = 2;
	whole_nodes = true;
	ck_assert_int_eq(new_start(NOW_S), -1);
	strcpy(p.partition, "none");
	ck_assert_int_eq(new_start(NOW_S), -1);
}
END_TEST

START_TEST(test_a_new_job_has_its_turn)
{
	new_job_make(8);
	job_run(1, "main", 8, 1000, 900);
	for (uint32_t id = 2; id <= 4; id++)
		job_add(id, "main", 8, 1000)->priority = 100 - id;
	/* Submitted last, and held. */
	job_add(5, "debug", 8, 1000)->priority = 97;
	entries[4].blocked = true;
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(new_start(NOW_S), START_TURNS - 1);
	strcpy(p.partition, "debug");
	ck_assert_int_eq(new_start(NOW_S), 2);
	ck_assert_double_eq(above[2], 96);
	ck_assert_double_eq(above[0], 98);
	ck_assert_double_eq(above[3], 0);
	for (int t = 1; t < START_TURNS; t++)
		ck_assert_double_gt(starts[t].median_s, starts[t - 1].median_s);
	ck_assert_double_le(starts[0].median_s, 106);
}
END_TEST

START_TEST(test_nodes_are_not_known)
{
	struct start_time start;

	engine_set_node_facts(engine, NULL);
	job_add(2, "main", 4, 1000);
	ck_assert_int_eq(engine_set_queue(engine, &queue, &err), 0);
	ck_assert_int_eq(start_of(2, NOW_S, &start), -1);
}
END_TEST

/* It may be taken within that of assumed sets, and never around it. */
START_TEST(test_rank_of_the_lock)
{
	struct ordered_lock outer;

	ordered_lock_init(&outer, LOCK_ASSUMED);
	ordered_lock_take(&outer);
	queue_list_put(engine_queue(engine));
	ordered_lock_give(&outer);
	ordered_lock_destroy(&outer);
	ck_assert(ordered_lock_nested(LOCK_ASSUMED, LOCK_STARTS));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_pools,
		test_jobs_wait_for_those_of_their_pool,
		test_the_pool_of_a_job,
		test_reservations_of_the_site,
		test_jobs_wait_for_the_same_gpus,
		test_whole_nodes,
		test_told_starts_are_judged,
		test_a_new_job,
		test_a_new_job_has_its_turn,
		test_nodes_are_not_known,
		test_rank_of_the_lock,
		NULL,
	};

	return suite_run_each("queue_starts", tests, set_up, tear_down);
}
