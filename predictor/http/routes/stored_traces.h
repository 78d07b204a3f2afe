/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stored_traces.h - traces of the store become runs that can be replayed */
#pragma once

#include "predictor/engine/store.h"
#include "predictor/http/http.h"

/* Take the run, with the bytes of its ranks, for run_trace_clear().  1: it
 * cannot be replayed yet; -1: a block is damaged, or memory ran out; *err says
 * why. */
int stored_trace_take(struct store_trace *trace, struct run_trace *ret,
		      struct sp_error *err);

/* Take the runs that can be replayed, as a new array for run_traces_choose()
 * and run_traces_free().  Return how many there are, > 0, or -1 if there is
 * none, with *err. */
int stored_traces_take(struct store_trace *traces, size_t count,
		       struct run_trace **ret, struct sp_error *err);

/* Read the runs and take them, waiting for the store: for threads that may.
 * Return their number, as above; 0: `given_up` said, every now and then while
 * it waited, that nobody needs them any more; -1: there is none (*ret_status is
 * 404), or the store has no answer (503). */
int stored_traces_load(const struct http_config *config,
		       const struct store_trace_query *query,
		       bool (*given_up)(void *context), void *context,
		       struct run_trace **ret, int *ret_status,
		       struct sp_error *err);
