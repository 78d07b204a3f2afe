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
#include "predictor/whatif/order_table.h"
#include "predictor/http/routes/whatif_worker.h"
#include "predictor/trace/run_trace.h"
#include "tests/unit/suite.h"

#define TASKS   200
#define PUTTERS 4

static const char text[] =
	"{\"traces\":[{\"cluster\":\"c1\",\"application\":\"a\",\"job_id\":7,"
	"\"user\":\"anna\",\"runtime_s\":3.5,\"nodes\":[{\"name\":\"n1\"}],"
	/* SPTRACE1, rank 0 of 1, an end after 128 ns of work */
	"\"ranks\":[{\"node\":\"n1\",\"events\":\"U1BUUkFDRTEAAQWAAQ==\"}]}]}";

static atomic_int served, wrong, ended;

/* The trace is read in the worker's thread, as for a request. */
static void serve(struct whatif_task *task)
{
	struct run_trace run;
	struct sp_error err;

	if (whatif_task_read(task, &run, &err)) {
		wrong++;
		return;
	}
	wrong += run.job_id != 7 || run.runtime_s != 3.5 ||
		 strcmp(run.user, "anna") != 0 ||
		 strcmp(task->cluster, "c1") != 0;
	served++;
	run_trace_clear(&run);
}

static bool given_up(const struct whatif_task *task)
{
	return task->context != NULL;
}

static void end(struct whatif_task *task)
{
	(void)task;
	ended++;
}

static const struct whatif_work work = { serve, given_up, end };

static struct whatif_task *task_make(const char *reply, bool abandoned)
{
	struct whatif_task *task = calloc(1, sizeof(*task));

	ck_assert(task != NULL);
	task->work = &work;
	task->context = abandoned ? &served : NULL;
	task->text = strdup(reply);
	task->size = strlen(reply);
	return task;
}

static void *put_tasks(void *worker)
{
	for (int i = 0; i < TASKS; i++)
		whatif_worker_put(worker, task_make(text, i % 5 == 0));
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
	whatif_worker_put(worker, task_make(text, false));
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

START_TEST(test_bad_texts)
{
	static const char *const bad[] = {
		"",
		"{",
		"[]",
		"{}",
		"{\"traces\":[]}",
		"{\"traces\":[{}]}",
		"{\"traces\":7}",
		"{\"traces\":[7]}",
	};
	int count = (int)(sizeof(bad) / sizeof(bad[0]));
	struct sp_error err;
	struct whatif_worker *worker = whatif_worker_create(&err);

	ck_assert_msg(worker != NULL, "%s", err.text);
	begin();
	for (int i = 0; i < count; i++)
		whatif_worker_put(worker, task_make(bad[i], false));
	wait_for(count);
	ck_assert_int_eq(served, 0);
	ck_assert_int_eq(wrong, count);
	whatif_worker_destroy(worker);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_many, test_stops_with_tasks,
				       test_bad_texts,
				       test_put_while_the_server_is_open,
				       NULL };

	return suite_run("whatif_threads", tests);
}
