/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stored_traces.c - traces of the store become runs that can be replayed
 *
 * Blocks of a rank are inflated one behind the other; where one is missing its
 * events end.  If even the first blocks of all ranks are too many bytes, each
 * rank has an equal part of what is allowed.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/clock.h"
#include "predictor/base/ordered_lock.h"
#include "predictor/http/routes/stored_traces.h"
#include "predictor/wire/block/json_trace_block.h"

/* Return the bytes that each rank may have, or 0 with *err if the trace cannot
 * be replayed. */
static size_t check_parts(const struct store_trace *trace, struct sp_error *err)
{
	const struct run_trace *run = &trace->run;
	size_t all = 0;
	int ranks = 0;

	for (size_t i = 0; i < trace->parts_count; i++) {
		const struct store_trace_part *part = &trace->parts[i];

		all += part->raw_bytes;
		ranks += part->block == 0 && part->rank == ranks;
		if (part->node < 0) {
			sp_error_set(err,
				     "job %u: a node of its trace is not known",
				     run->job_id);
			return 0;
		}
	}
	if (ranks > 0 && ranks == run->ranks && run->job_s > 0)
		return all <= STORE_TRACE_BYTES_MAX
			       ? STORE_TRACE_BYTES_MAX
			       : STORE_TRACE_BYTES_MAX / (size_t)ranks;
	if (ranks != run->ranks)
		sp_error_set(err,
			     "job %u: of its trace %d of %d ranks are here",
			     run->job_id, ranks, run->ranks);
	else
		sp_error_set(err,
			     "job %u: it is traced, but its run is not known "
			     "yet",
			     run->job_id);
	return 0;
}

/* Inflate the rank's parts.  Return the first one of the next rank, or NULL. */
static const struct store_trace_part *
inflate_rank(const struct store_trace_part *first,
	     const struct store_trace_part *end, size_t most,
	     struct rank_bytes *ret, struct sp_error *err)
{
	const struct store_trace_part *part = first, *next = first;

	if (first == end)
		return sp_error_null(err, "a rank of the trace is missing");
	do
		next++;
	while (next < end && next->rank == first->rank);
	ret->data = malloc((size_t)(next - first) * TRACE_BLOCK_BYTES);
	if (!ret->data)
		return sp_error_null(err, "out of memory for a trace");
	for (; part < next && part->block == part - first && ret->size < most;
	     part++) {
		long count = wire_trace_block_inflate(part->data, part->size,
						      ret->data + ret->size);

		if (count < 0)
			return sp_error_null(
				err,
				"block %d of rank %d of the trace is damaged",
				part->block, part->rank);
		ret->size += (size_t)count;
	}
	if (ret->size > most)
		ret->size = most;

	unsigned char *less = realloc(ret->data, ret->size + 1);

	if (less)
		ret->data = less;
	return next;
}

/* Return the number, or 0 if it is not known. */
static double known(double number, double most)
{
	return number > 0 && isfinite(number) ? fmin(number, most) : 0;
}

int stored_trace_take(struct store_trace *trace, struct run_trace *ret,
		      struct sp_error *err)
{
	const struct store_trace_part *part = trace->parts;
	size_t most = check_parts(trace, err);
	struct run_trace run = trace->run;

	if (!most)
		return 1;
	trace->run.nodes = NULL;
	trace->run.measured = NULL;
	run.rendezvous_bytes = RUN_TRACE_RENDEZVOUS_BYTES;
	if (run_trace_allocate(&run, err))
		goto failed;
	for (int n = 0; n < run.nodes_count; n++) {
		struct traced_node *node = &run.nodes[n];

		node->cores = known(node->cores, 65536);
		node->cpu_available = known(node->cpu_available, 1);
		node->cpu_speed = known(node->cpu_speed, HUGE_VAL);
		node->cpu_turn_s = known(node->cpu_turn_s, 1);
	}
	for (int i = 0; i < run.ranks; i++) {
		run.node[i] = part->node;
		part = inflate_rank(part, trace->parts + trace->parts_count,
				    most, &run.bytes[i], err);
		if (!part)
			goto failed;
	}
	*ret = run;
	return 0;
failed:
	run_trace_clear(&run);
	return -1;
}

int stored_traces_take(struct store_trace *traces, size_t count,
		       struct run_trace **ret, struct sp_error *err)
{
	struct run_trace *runs = calloc(count + 1, sizeof(*runs));
	int used = 0, rc = runs ? 0 : -1;

	sp_error_set(err, runs ? "there is no such trace" : "out of memory");
	for (size_t i = 0; rc >= 0 && i < count; i++) {
		rc = stored_trace_take(&traces[i], &runs[used], err);
		used += !rc;
	}
	if (rc >= 0 && used) {
		*ret = runs;
		return used;
	}
	run_traces_free(runs, used);
	return -1;
}

/* --- Waiting for them ----------------------------------------------------- */

#define WAIT_S 0.1 /* between two looks at whether they are needed */

/* The store's thread and the one that waits share it; the last frees it. */
struct load {
	struct ordered_lock lock; /* of all below */
	pthread_cond_t changed;
	bool done, abandoned;
	int rc; /* of the store */
	int count;
	struct run_trace *runs;
	struct sp_error err;
};

static void load_free(struct load *load)
{
	if (load->count > 0)
		run_traces_free(load->runs, load->count);
	pthread_cond_destroy(&load->changed);
	ordered_lock_destroy(&load->lock);
	free(load);
}

/* In the store's thread. */
static void load_end(void *context, int rc, struct store_trace *traces,
		     size_t count, const struct sp_error *why)
{
	struct load *load = context;
	struct run_trace *runs = NULL;
	struct sp_error err;
	int taken = -1;

	if (rc == STORE_STORED)
		taken = stored_traces_take(traces, count, &runs, &err);
	else
		err = *why;
	ordered_lock_take(&load->lock);
	load->rc = rc;
	load->runs = runs;
	load->count = taken;
	if (taken < 0)
		load->err = err;
	load->done = true;
	pthread_cond_signal(&load->changed);

	bool abandoned = load->abandoned;

	ordered_lock_give(&load->lock);
	if (abandoned)
		load_free(load);
}

/* Return whether the store has answered; false: nobody needs it any more, and
 * the load is not the caller's. */
static bool load_wait(struct load *load, bool (*given_up)(void *context),
		      void *context)
{
	bool done = false, leave = false;

	while (!done && !leave) {
		struct timespec until =
			clock_timespec(clock_monotonic_s() + WAIT_S);

		leave = given_up(context);
		ordered_lock_take(&load->lock);
		if (!load->done && !leave)
			ordered_lock_wait(&load->lock, &load->changed, &until);
		done = load->done;
		load->abandoned = leave && !done;
		ordered_lock_give(&load->lock);
	}
	if (leave && done)
		load_free(load);
	return !leave;
}

int stored_traces_load(const struct http_config *config,
		       const struct store_trace_query *query,
		       bool (*given_up)(void *context), void *context,
		       struct run_trace **ret, int *ret_status,
		       struct sp_error *err)
{
	struct load *load = calloc(1, sizeof(*load));

	*ret_status = 503;
	if (!load)
		return sp_error_set(err, "out of memory for a trace");
	ordered_lock_init(&load->lock, LOCK_TRACE_LOAD);
	clock_condition_init(&load->changed);
	if (config->store_ops->get_traces(config->store, query, load_end, load,
					  err)) {
		load_free(load);
		return -1;
	}
	if (!load_wait(load, given_up, context))
		return 0;

	int count = load->count;

	*ret = load->runs;
	if (count < 0 && load->rc == STORE_STORED)
		*ret_status = 404;
	if (count < 0)
		sp_error_set(err, "%s%s",
			     load->rc == STORE_STORED ? "" : "not known: ",
			     load->err.text);
	load->count = 0; /* they are the caller's */
	load_free(load);
	return count;
}
