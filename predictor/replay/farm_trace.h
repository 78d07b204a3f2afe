/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_trace.h - a traced run whose tasks go to free workers
 *
 * A dynamic farm has no recorded order that would hold elsewhere: on other
 * nodes its workers get other tasks.  So its trace is read as a list of tasks,
 * and these are handed out again in a simulation (predictor/farm/simulate.h).
 */
#pragma once

#include "predictor/replay/trace_replay.h"

/* From when nothing is handed out until all of it has come back. */
struct farm_round {
	int first_task, tasks;
	double hub_s; /* the hub's work, in all, on the round */
};

struct farm_trace {
	int ranks;
	int hub;
	int workers_count;
	int *workers; /* ranks, as they first got a task */
	int tasks_count;
	double *work; /* [tasks + 1]: of the first i tasks in their order */
	int rounds_count;
	struct farm_round *rounds;
	double *begin_s; /* [ranks]: work before the first message */
	double end_s;    /* the hub's work after the last reply */
	double out_bytes, back_bytes; /* of a task, on the average */
	bool synchronous;             /* the hub's sends are not ISENDs */
};

/* 1: it is a dynamic farm; 0: it is none, *ret is unset; -1 without memory. */
int farm_trace_find(const struct matched_trace *trace, struct farm_trace *ret,
		    struct sp_error *err);
void farm_trace_clear(struct farm_trace *farm);

/* Find the run time on the placement, which trace_replay() would accept.  Fails
 * without memory, and beyond the limit. */
int farm_trace_time(const struct farm_trace *farm,
		    const struct replay_placement *placement, double *ret_s,
		    struct sp_error *err);
