/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_worker.h - a thread that replays traces, one after the other
 *
 * A replay takes up to seconds: no thread of a server or a store does one, and
 * none holds a lock of the engine.  Callers bound how many tasks wait.
 */
#ifndef PREDICTOR_WHATIF_WHATIF_WORKER_H
#define PREDICTOR_WHATIF_WHATIF_WORKER_H

#include <stdbool.h>

#include "predictor/base/error.h"
#include "predictor/base/fifo.h"

#define WHATIF_DEADLINE_S 10 /* of a search in this thread, from its begin */

struct whatif_task;

/* What the thread calls for a task. */
struct whatif_work {
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

#endif
