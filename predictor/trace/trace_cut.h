/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_cut.h - what of a trace without its end can be replayed
 *
 * Of a job that runs on, or that died, each rank's events end somewhere.  Each
 * rank is cut where it would wait for something that is not in the trace, and
 * sends that nobody receives, and collectives that began without some of their
 * ranks, are left out; their work stays.
 */
#pragma once

#include "predictor/base/work_limit.h"
#include "predictor/trace/matched_trace.h"

/* In place: events[ranks][counts[rank]], each of which ends with CALL_END and
 * has peers and requests in range.  -1 without memory or beyond the limit, with
 * nothing changed. */
int trace_cut(int ranks, struct trace_event *const events[], int counts[],
	      const struct work_limit *limit, struct sp_error *err);
