/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_trace.c - any bytes as the trace of a rank; what is read can be matched
 * or is refused, and replays or is refused */
#include <stddef.h>
#include <stdlib.h>

#include "predictor/replay/trace_format.h"
#include "predictor/replay/trace_replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rank_trace t;
	struct sp_error err;

	if (trace_decode(data, size, &t, &err))
		return 0;

	const struct trace_event *events[] = { t.events };
	struct trace trace = { 1, &t.count, events };
	struct matched_trace *m = matched_trace_create(&trace, &err);
	struct replay_node node = { 1, .7 };
	struct replay_link link = { 1e-5, 1e8 };
	int place[] = { 0 };
	struct replay_placement placement = { 1,     &node, &link,
					      place, 4096,  false };
	struct replay_result result;
	struct rank_result rank;

	if (m)
		(void)trace_replay(m, &placement, &result, &rank, &err);
	matched_trace_destroy(m);
	free(t.events);
	return 0;
}
