/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_pairs.h - which event of a trace belongs to which other one
 *
 * Private to predictor/trace/.  Event i of rank r has the number first[r] + i.
 * Peers and requests are in range.
 */
#pragma once

#include "predictor/trace/matched_trace.h"

/* Write the partner[] of each send and receive: the k-th send of one rank to
 * another with a communicator and a tag, and the k-th such receive; and of each
 * CALL_WAIT: the last CALL_IALL before it with the same request that nothing
 * has waited for.  -1: there is none.  Takes 8 bytes of memory an event.
 * Returns -1 without memory. */
int trace_pairs_find(const struct trace *trace, const int first[],
		     int partner[]);

/* A CALL_ALL or CALL_IALL. */
struct trace_collective {
	int32_t comm;
	int rank;
	int event; /* its number */
};

/* List them, for free(), by communicator, rank and event.  Returns their
 * number, or -1 without memory. */
int trace_collectives_list(const struct trace *trace, const int first[],
			   struct trace_collective **ret);
