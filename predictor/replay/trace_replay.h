/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_replay.h - a traced run under another placement (process LBF)
 *
 * [1] H. Eom and J. K. Hollingsworth, Load Balancing Factor (LBF): A Workload
 *     Migration Metric, CS-TR-4375, University of Maryland, 1998.
 *
 * Ranks that compute share their node's cores equally, with an infinitely small
 * quantum ([1], section 2).  Ranks that wait do not compete, unless they spin.
 * Then they also wait for their node's turn: a message finds a rank that spins
 * away from the CPU, and short work waits until it is back.
 *
 * Messages of a node share its bandwidth (replay_messages.c).
 *
 * Not for dynamic farms, whose matches depend on the placement: these are
 * replayed as tasks (farm_trace.h).
 */
#pragma once

#include "predictor/base/work_limit.h"
#include "predictor/trace/matched_trace.h"
#include "predictor/trace/trace_machine.h"

struct replay_placement {
	int nodes_count;
	const struct replay_node *nodes;
	const struct replay_link *links; /* [from * nodes_count + to] */
	const int *node;                 /* of each rank */
	uint64_t rendezvous_bytes; /* longer sends wait for their receive */
	bool spinning;
	/* A receive with a wildcard takes what comes first; what the rank then
	 * did for that source follows.  Else all goes in the recorded order. */
	bool open_order;
	const struct work_limit
		*limit; /* NULL: none; beyond it a replay fails */
};

struct rank_result {
	double end_s;
	double work_s;     /* CPU time at speed 1 */
	double computed_s; /* time in which it had work, on the clock */
	double waited_s;
};

struct replay_result {
	double time_s;
	/* The same, each stretch as often as it stands for others (level). */
	double run_s;
	/* CPU time along the longest path through messages, as with one process
	 * for each processor of speed 1; with the procedure's time 0 (critical
	 * path zeroing); with the procedure moved (procedure LBF). */
	double critical_path_s, zeroed_s, moved_s;
};

/* When an event happened. */
struct replay_step {
	double begin_s;  /* of the work before it */
	double call_s;   /* and its end */
	double return_s; /* CALL_END: call_s */
	int cause;       /* event that it waited for; -1: for none */
};

/* Fails for a placement out of range. */
int replay_placement_check(const struct matched_trace *trace,
			   const struct replay_placement *placement,
			   struct sp_error *err);

/* ret_ranks[ranks]; ret_steps[events], or NULL.  Fails for a placement out of
 * range, for ranks that wait for each other, or without memory. */
int trace_replay(const struct matched_trace *trace,
		 const struct replay_placement *placement,
		 struct replay_result *ret_result,
		 struct rank_result ret_ranks[], struct replay_step ret_steps[],
		 struct sp_error *err);
