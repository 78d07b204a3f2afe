/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traces.h - storing and reading traces, in a reader of their own */
#pragma once

#include "predictor/store/reader.h"

extern const struct connection_use traces_use;

/* As in struct store_ops; all traces together have at most `quota_bytes`. */
int traces_put(struct reader *reader, const struct trace_block *block,
	       int64_t quota_bytes, store_trace_kept_fn *done, void *context,
	       struct sp_error *err);
int traces_get(struct reader *reader, const struct store_trace_query *query,
	       store_traces_fn *done, void *context, struct sp_error *err);
