/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif_worker.c - a thread that replays traces, one after the other
 *
 * worker->lock guards the fifo and `closed`.  A replay's result becomes a reply
 * under the lock of pending.c, as with all that comes from other threads.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/ordered_lock.h"
#include "predictor/base/priority.h"
#include "predictor/engine/store.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/whatif_conditions.h"
#include "predictor/http/routes/whatif_worker.h"
#include "predictor/wire/trace/json_trace.h"

#define NICE 10 /* predictions come first */

struct whatif_worker {
	pthread_t thread;
	struct ordered_lock lock;
	pthread_cond_t changed;
	bool closed;
	struct fifo tasks;
};

void whatif_task_free(struct whatif_task *task)
{
	if (!task)
		return;
	if (task->work)
		task->work->end(task);
	json_object_put(task->body);
	free(task->text);
	free(task);
}

/* --- One answer ----------------------------------------------------------- */

static struct json_object *encode_answer(const struct run_trace *run,
					 const struct whatif_answer *answer)
{
	struct json_object *object = json_object_new_object();
	struct json_object *ranks = json_object_new_array();
	bool failed = !object || !ranks;

	for (int r = 0; !failed && r < answer->ranks; r++)
		json_object_array_add(ranks,
				      json_object_new_string(answer->names[r]));
	if (failed) {
		json_object_put(ranks);
		return json_finish(object, true);
	}
	json_add(object, "job_id", json_object_new_int64(run->job_id), &failed);
	if (*run->user)
		json_add(object, "user", json_object_new_string(run->user),
			 &failed);
	if (*run->program)
		json_add(object, "program",
			 json_object_new_string(run->program), &failed);
	json_add(object, "programs", json_object_new_int(run->programs),
		 &failed);
	json_add_number(object, "job_s", run->job_s, &failed);
	json_add_number(object, "measured_s", run->runtime_s, &failed);
	json_add_number(object, "here_s", answer->here_s, &failed);
	json_add_number(object, "there_s", answer->there_s, &failed);
	json_add_number(object, "gain", answer->here_s / answer->there_s,
			&failed);
	json_add(object, "farm", json_object_new_boolean(answer->is_farm),
		 &failed);
	json_add(object, "whole", json_object_new_boolean(run->whole), &failed);
	json_add_number(object, "seen", run->seen, &failed);
	json_add(object, "ranks", ranks, &failed);
	return json_finish(object, failed);
}

int whatif_task_read(struct whatif_task *task, struct run_trace *ret,
		     struct sp_error *err)
{
	struct json_object *reply = wire_parse(task->text, task->size, err);
	struct json_object *list = NULL, *trace, *cluster = NULL;
	int rc = -1;

	if (!reply)
		return -1;
	json_object_object_get_ex(reply, "traces", &list);
	trace = json_object_is_type(list, json_type_array)
			? json_object_array_get_idx(list, 0)
			: NULL;
	if (trace)
		rc = wire_trace_choose(list, ret, err);
	else
		sp_error_set(err, "the job has no trace");
	if (!rc && json_object_object_get_ex(trace, "cluster", &cluster))
		snprintf(task->cluster, sizeof(task->cluster), "%s",
			 json_object_get_string(cluster));
	json_object_put(reply);
	return rc;
}

static struct json_object *find_answer(struct whatif_task *task,
				       struct sp_error *err)
{
	struct json_object *object = NULL;
	struct whatif_answer answer;
	struct run_trace run;

	if (whatif_task_read(task, &run, err))
		return NULL;
	if (task->now) {
		task->question.conditions = whatif_conditions_now;
		task->question.context = task;
	}
	task->question.deadline_s = WHATIF_DEADLINE_S;
	if (!whatif_answer_find(&run, &task->question, &answer, err)) {
		object = encode_answer(&run, &answer);
		if (!object)
			sp_error_set(err, "out of memory");
		whatif_answer_clear(&answer);
	}
	run_trace_clear(&run);
	return object;
}

static void serve_request(struct whatif_task *task)
{
	struct sp_error err;
	struct json_object *object = find_answer(task, &err);
	struct request *r = pending_lock(task->pending);

	if (r && object)
		r->status = request_add(r, "whatif", object)
				    ? request_out_of_memory(r)
				    : 200;
	else if (r)
		r->status = request_fail(r, 422, "%s", err.text);
	else
		json_object_put(object);
	pending_end(task->pending);
}

/* --- The thread ----------------------------------------------------------- */

static struct whatif_task *next_task(struct whatif_worker *worker)
{
	struct whatif_task *task;

	ordered_lock_take(&worker->lock);
	while (!worker->tasks.count && !worker->closed)
		ordered_lock_wait(&worker->lock, &worker->changed, NULL);
	task = fifo_take(&worker->tasks, 1, 0);
	ordered_lock_give(&worker->lock);
	return task;
}

static bool is_abandoned(struct whatif_task *task)
{
	if (task->work)
		return task->work->given_up(task);

	bool abandoned = !pending_lock(task->pending);

	if (abandoned)
		pending_end(task->pending);
	else
		pending_unlock();
	return abandoned;
}

static void *worker_thread(void *argument)
{
	struct whatif_task *task;

	priority_set(priority_of_process() + NICE);
	while ((task = next_task(argument))) {
		if (!is_abandoned(task)) {
			if (task->work)
				task->work->serve(task);
			else
				serve_request(task);
		}
		whatif_task_free(task);
	}
	return NULL;
}

struct whatif_worker *whatif_worker_create(struct sp_error *err)
{
	struct whatif_worker *worker = calloc(1, sizeof(*worker));
	int rc;

	if (!worker) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
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
	ordered_lock_take(&worker->lock);
	fifo_put(&worker->tasks, &task->link, 1);
	pthread_cond_signal(&worker->changed);
	ordered_lock_give(&worker->lock);
}
