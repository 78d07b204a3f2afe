/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_starts.h - when the jobs in Slurm's queue will start
 *
 * From the queue as it is, what is predicted of each job, and CPUs of nodes as
 * one pool for all partitions that share nodes.  What was predicted is
 * compared with what happens, and corrected by it (start_record.h).
 * Predictions are looked up, and the queue is simulated, without its lock.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/engine/engine.h"
#include "predictor/features/queue_state.h"
#include "predictor/scheduler/queue_list.h"
#include "predictor/scheduler/sooner.h"
#include "predictor/scheduler/start_reason.h"

struct queue_starts;

struct queue_starts *queue_starts_create(void); /* NULL: out of memory */
void queue_starts_destroy(struct queue_starts *starts);

/* The queue has been read again: simulate it.  Takes up to a second of CPU time
 * for each pool.  Fails when memory ran out; what was known stays. */
int engine_set_queue(struct engine *engine, const struct queue_state *queue,
		     struct sp_error *err);

/* When a waiting job will start, and why not now, in seconds since the epoch.
 * -1: not known: it is new, blocked, or far behind; or the queue has not been
 * read for minutes. */
int engine_job_start(struct engine *engine, const char *cluster,
		     uint32_t job_id, double now_s, struct start_time *ret,
		     struct start_reason *ret_why, uint32_t *ret_user_id);

/* Copy the queue in which a job waits, for sooner_find(), and its entry there;
 * ret->jobs is to be freed.  1: it does not wait, or is blocked or far behind.
 * Fails when memory ran out. */
int engine_job_pool(struct engine *engine, uint32_t job_id,
		    struct sooner_pool *ret, struct queue_entry *ret_entry,
		    struct sp_error *err);

/* Return the queue as it was read last, for queue_list_put(); NULL: it has not
 * been read. */
struct queue_list *engine_queue(struct engine *engine);

/* Find when the job of *p would start at each turn, in seconds from now, by a
 * queue that is no older than fresh_s; with whole_nodes it has all CPUs of its
 * nodes.  It is put where the last simulation left CPUs free, and moves nobody.
 * A turn is for jobs with a higher priority than ret_above[turn].  Returns the
 * turn that the newest job of its partition would have now; -1: not known.
 * Takes some microseconds. */
int engine_new_job_start(struct engine *engine, const struct prediction *p,
			 bool whole_nodes, double fresh_s, double now_s,
			 struct start_time ret[START_TURNS],
			 double ret_above[START_TURNS]);

/* Find what was predicted of a job in the queue, newest first;
 * false: nothing. */
bool engine_queue_prediction(struct engine *engine, const char *cluster,
			     const struct queue_entry *entry,
			     struct prediction *ret);

/* How many jobs wait, for whatever, in that partition or another one of its
 * pool; -1: not known. */
int engine_queue_waiting(struct engine *engine, const char *partition);

/* How many predicted starts have been compared with the real ones, and how
 * many of these were within their interval. */
void engine_starts_judged(struct engine *engine, uint64_t *ret_judged,
			  uint64_t *ret_within);
