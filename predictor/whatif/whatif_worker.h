/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_worker.h - a thread that replays traces, one after the other
 *
 * A replay takes up to seconds: no thread of a server or a store does one, and
 * none holds a lock of the engine.  Callers bound how many tasks wait.  Tasks
 * that a starting job waits for go first.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"
#include "predictor/base/fifo.h"

#define WHATIF_ORDER_S 10.0 /* of an order, which a starting job may wait for */
/* All of a request: reading the trace, decoding and replays.  CPU time, and by
 * the clock where the machine is busy. */
#define WHATIF_CPU_S  1.6
#define WHATIF_WALL_S 8.0
#define WHATIF_WAIT_S 7.0 /* for its turn; clients wait for 10 */

struct whatif_task;

/* What the thread calls for a task. */
struct whatif_work {
	bool goes_first;
	bool (*given_up)(struct whatif_task *task); /* true: do not serve it */
	void (*serve)(struct whatif_task *task);
	void (*end)(struct whatif_task *task); /* free it, served or not */
};

/* The first member of the caller's own struct. */
struct whatif_task {
	struct fifo_link link;
	const struct whatif_work *work;
};

struct whatif_worker;

struct whatif_worker *whatif_worker_create(struct sp_error *err);
/* End the thread when the tasks that wait have ended: give them up before. */
void whatif_worker_destroy(struct whatif_worker *worker);

/* Takes the task. */
void whatif_worker_put(struct whatif_worker *worker, struct whatif_task *task);
