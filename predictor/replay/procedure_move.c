/* SPDX-License-Identifier: GPL-2.0-or-later */
/* procedure_move.c - the trace of the program with its procedure moved */
#include <stddef.h>

#include "predictor/replay/procedure_move.h"

struct matched_trace *procedure_move(const struct matched_trace *trace)
{
	struct matched_trace *moved = matched_trace_copy(trace);

	if (!moved)
		return NULL;
	for (int g = 0; g < trace->count; g++) {
		const struct trace_event *e = &trace->events[g];

		if (e->call > CALL_ISEND)
			continue;

		struct trace_event *send = &moved->events[g];
		struct trace_event *receive = &moved->events[trace->partner[g]];

		send->work_s -= e->procedure_s;
		send->procedure_s = 0;
		receive->work_s += e->procedure_s;
		receive->procedure_s += e->procedure_s;
	}
	return moved;
}
