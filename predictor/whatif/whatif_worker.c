/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_worker.c - a thread that replays traces, one after the other
 *
 * worker->lock guards the fifos and `closed`.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/base/priority.h"
#include "predictor/whatif/whatif_worker.h"

/* Predictions come before orders for starting jobs, and all else before what
 * people ask.  A thread that may not go back to its usual nice value, as where
 * it takes a lock of others (nodes_now.c), does not go that far. */
#define NICE_FIRST 10
#define NICE       19

struct whatif_worker {
	pthread_t thread;
	struct ordered_lock lock;
	pthread_cond_t changed;
	bool closed;
	struct fifo first, tasks;
};

static struct whatif_task *next_task(struct whatif_worker *worker)
{
	ORDERED_LOCK_HOLD(&worker->lock);
	while (!worker->first.count && !worker->tasks.count && !worker->closed)
		ordered_lock_wait(&worker->lock, &worker->changed, NULL);
	return fifo_take(worker->first.count ? &worker->first : &worker->tasks,
			 1, 0);
}

static void *worker_thread(void *argument)
{
	struct whatif_task *task;
	int nice = priority_of_process();

	bool may_return = priority_may_be(nice);

	priority_set(nice + NICE_FIRST);
	while ((task = next_task(argument))) {
		if (may_return)
			priority_set(task->work->goes_first ? nice + NICE_FIRST
							    : NICE);
		if (!task->work->given_up(task))
			task->work->serve(task);
		task->work->end(task);
	}
	return NULL;
}

struct whatif_worker *whatif_worker_create(struct sp_error *err)
{
	struct whatif_worker *worker = calloc(1, sizeof(*worker));
	int rc;

	if (!worker)
		return sp_error_null(err, "out of memory");
	fifo_init(&worker->first);
	fifo_init(&worker->tasks);
	ordered_lock_init(&worker->lock, LOCK_WHATIF);
	pthread_cond_init(&worker->changed, NULL);
	rc = pthread_create(&worker->thread, NULL, worker_thread, worker);
	if (!rc)
		return worker;
	sp_error_set(err, "cannot start a thread: %s", strerror(rc));
	free(worker);
	return NULL;
}

void whatif_worker_destroy(struct whatif_worker *worker)
{
	if (!worker)
		return;
	ordered_lock_take(&worker->lock);
	worker->closed = true;
	pthread_cond_signal(&worker->changed);
	ordered_lock_give(&worker->lock);
	pthread_join(worker->thread, NULL);
	pthread_cond_destroy(&worker->changed);
	ordered_lock_destroy(&worker->lock);
	free(worker);
}

void whatif_worker_put(struct whatif_worker *worker, struct whatif_task *task)
{
	ORDERED_LOCK_HOLD(&worker->lock);
	fifo_put(task->work->goes_first ? &worker->first : &worker->tasks,
		 &task->link, 1);
	pthread_cond_signal(&worker->changed);
}
