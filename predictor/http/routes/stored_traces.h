/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stored_traces.h - traces of the store become runs that can be replayed */
#ifndef PREDICTOR_HTTP_ROUTES_STORED_TRACES_H
#define PREDICTOR_HTTP_ROUTES_STORED_TRACES_H

#include "predictor/engine/store.h"

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

#endif
