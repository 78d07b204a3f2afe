/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_worker.h - a thread that replays traces, one after the other
 *
 * A replay takes up to seconds: no thread of the server or the store
 * does one, and none holds the engine's lock.  How many wait is bounded
 * by trace_places.h.
 */
#ifndef PREDICTOR_HTTP_ROUTES_WHATIF_WORKER_H
#define PREDICTOR_HTTP_ROUTES_WHATIF_WORKER_H

#include "predictor/base/fifo.h"
#include "predictor/http/pending.h"
#include "predictor/whatif/whatif_answer.h"

#define WHATIF_DEADLINE_S 10 /* of a search, from its begin */

struct engine;

struct whatif_task;

/* A task for which no request waits. */
struct whatif_work {
	void (*serve)(struct whatif_task *task); /* in the worker's thread */
	bool (*given_up)(const struct whatif_task *task);
	void (*end)(struct whatif_task *task); /* served or not */
};

/* Freed when the reply has been sent. */
struct whatif_task {
	struct fifo_link link;
	struct pending *pending;
	const struct whatif_work *work; /* in place of a request; else NULL */
	void *context;                  /* of `work` */
	struct engine *engine;
	char cluster[64]; /* of the trace, once it is read */
	char *text;       /* a reply of traces_reply_make() */
	size_t size;
	bool now;                        /* else conditions as recorded */
	struct whatif_question question; /* its texts are in `body` */
	struct json_object *body;
};

void whatif_task_free(struct whatif_task *task);

/* The newest trace of task->text, for run_trace_clear(), and task->cluster. */
int whatif_task_read(struct whatif_task *task, struct run_trace *ret,
		     struct sp_error *err);

struct whatif_worker;

struct whatif_worker *whatif_worker_create(struct sp_error *err);
/* Tasks that wait are freed; their requests have been given up. */
void whatif_worker_destroy(struct whatif_worker *worker);

/* Takes the task. */
void whatif_worker_put(struct whatif_worker *worker, struct whatif_task *task);

#endif
