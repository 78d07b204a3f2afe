/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_whatif_threads.c - the worker that replays traces, under many tasks
 *
 * Tasks come from several threads; some are given up before their turn, and the
 * worker stops while others wait.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/trace/run_trace.h"
#include "predictor/whatif/order_table.h"
#include "predictor/whatif/whatif_worker.h"
#include "tests/unit/suite.h"

#define TASKS   200
#define PUTTERS 4

/* SPTRACE1, rank 0 of 1, an end after 128 ns of work */
static const char events[] = "SPTRACE1\0\1\5\200\1";

static atomic_int served, wrong, ended;

struct task {
	struct whatif_task task;
	bool given_up;
	struct run_trace *runs;
};

/* The trace is decoded in the worker's thread, as for a request. */
static void serve(struct whatif_task *task)
{
	struct run_trace run;

	if (run_traces_choose(((struct task *)task)->runs, 1, NULL, &run,
			      NULL)) {
		wrong++;
		return;
	}
	wrong += run.job_id != 7 || run.runtime_s != 3.5 ||
		 run.trace->count != 1;
	served++;
	run_trace_clear(&run);
}

static bool given_up(struct whatif_task *task)
{
	return ((struct task *)task)->given_up;
}

static void end(struct whatif_task *task)
{
	run_traces_free(((struct task *)task)->runs, 1);
	free(task);
	ended++;
}

static const struct whatif_work work = { .given_up = given_up,
					 .serve = serve,
					 .end = end };

static struct whatif_task *task_make(size_t size, bool abandoned)
{
	struct task *task = calloc(1, sizeof(*task));

	ck_assert(task != NULL);
	task->task.work = &work;
	task->given_up = abandoned;
	task->runs = calloc(1, sizeof(*task->runs));
	ck_assert(task->runs != NULL);
	task->runs->job_id = 7;
	task->runs->job_s = 3.5;
	task->runs->nodes_count = task->runs->ranks = 1;
	task->runs->nodes = calloc(1, sizeof(*task->runs->nodes));
	ck_assert(task->runs->nodes != NULL);
	ck_assert_int_eq(run_trace_allocate(task->runs, NULL), 0);
	task->runs->bytes->data = malloc(sizeof(events));
	ck_assert(task->runs->bytes->data != NULL);
	memcpy(task->runs->bytes->data, events, sizeof(events));
	task->runs->bytes->size = size;
	return &task->task;
}

static void *put_tasks(void *worker)
{
	for (int i = 0; i < TASKS; i++)
		whatif_worker_put(worker,
				  task_make(sizeof(events) - 1, i % 5 == 0));
	return NULL;
}

static void wait_for(int count)
{
	for (int i = 0; ended < count && i < 60000; i++)
		usleep(1000);
	ck_assert_int_eq(ended, count);
}

static void begin(void)
{
	served = wrong = ended = 0;
}

/* As a search for an order of ranks does, which has no request. */
static void put_one(void *worker)
{
	whatif_worker_put(worker, task_make(sizeof(events) - 1, false));
}

START_TEST(test_put_while_the_server_is_open)
{
	struct sp_error err;
	struct whatif_worker *worker = whatif_worker_create(&err);
	struct order_table *table = order_table_create();

	ck_assert_msg(worker != NULL, "%s", err.text);
	begin();
	ck_assert_int_eq(order_table_if_open(table, put_one, worker), 0);
	order_table_close(table);
	ck_assert_int_eq(order_table_if_open(table, put_one, worker), -1);
	wait_for(1);
	ck_assert_int_eq(served, 1);
	ck_assert(ordered_lock_nested(LOCK_ORDERS, LOCK_WHATIF));
	order_table_release(table);
	whatif_worker_destroy(worker);
}
END_TEST

START_TEST(test_many)
{
	struct sp_error err;
	struct whatif_worker *worker = whatif_worker_create(&err);
	pthread_t putters[PUTTERS];

	ck_assert_msg(worker != NULL, "%s", err.text);
	begin();
	for (int i = 0; i < PUTTERS; i++)
		ck_assert_int_eq(
			pthread_create(&putters[i], NULL, put_tasks, worker),
			0);
	for (int i = 0; i < PUTTERS; i++)
		pthread_join(putters[i], NULL);
	wait_for(PUTTERS * TASKS);
	ck_assert_int_eq(served, PUTTERS * (TASKS - TASKS / 5));
	ck_assert_int_eq(wrong, 0);
	whatif_worker_destroy(worker);
}
END_TEST

/* What still waits ends, too: nobody waits for it, and nothing is left. */
START_TEST(test_stops_with_tasks)
{
	struct sp_error err;

	for (int i = 0; i < 20; i++) {
		struct whatif_worker *worker = whatif_worker_create(&err);

		ck_assert_msg(worker != NULL, "%s", err.text);
		begin();
		put_tasks(worker);
		whatif_worker_destroy(worker);
		ck_assert_int_eq(ended, TASKS);
		ck_assert_int_eq(wrong, 0);
	}
	whatif_worker_destroy(NULL);
}
END_TEST

START_TEST(test_bad_traces)
{
	struct sp_error err;
	struct whatif_worker *worker = whatif_worker_create(&err);

	ck_assert_msg(worker != NULL, "%s", err.text);
	begin();
	for (int size = 0; size < 10; size++)
		whatif_worker_put(worker, task_make((size_t)size, false));
	wait_for(10);
	ck_assert_int_eq(served, 0);
	ck_assert_int_eq(wrong, 10);
	whatif_worker_destroy(worker);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_many, test_stops_with_tasks,
				       test_bad_traces,
				       test_put_while_the_server_is_open,
				       NULL };

	return suite_run("whatif_threads", tests);
}
