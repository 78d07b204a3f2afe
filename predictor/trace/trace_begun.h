/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_begun.h - which event of a rank waits for which collective that
 * it began
 *
 * Private to predictor/replay/.
 */
#pragma once

#include "predictor/trace/matched_trace.h"

/* Event i of rank r is events[first[r] + i].  partner[] of each CALL_WAIT
 * becomes the last CALL_IALL before it with the same request, or -1: there is
 * none, or it was waited for before.  Requests are in range.  -1 without
 * memory, with nothing changed. */
int trace_begun_pair(const struct trace_event events[], const int first[],
		     int ranks, int partner[]);
