/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_endpoints.h - sends, receives and collectives in the order of MPI
 *
 * Private to predictor/replay/.  Sorted by key, then as they were: the k-th
 * send of a key feeds its k-th receive.
 */
#pragma once

#include "predictor/trace/matched_trace.h"

enum trace_endpoints { TRACE_SENDS, TRACE_RECEIVES, TRACE_COLLECTIVES };

struct trace_endpoint {
	/* From, to, communicator, tag; of collectives: communicator, rank. */
	int32_t key[4];
	int index;
};

/* Compare keys alone. */
int trace_endpoint_compare(const struct trace_endpoint *a,
			   const struct trace_endpoint *b);

/* Event i of rank r is events[first[r] + i].  Returns their number. */
int trace_endpoints_list(const struct trace_event events[], const int first[],
			 int ranks, enum trace_endpoints sort,
			 struct trace_endpoint list[]);
