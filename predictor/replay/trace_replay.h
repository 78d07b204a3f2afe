/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_replay.h - a traced run under another placement (process LBF)
 *
 * [1] H. Eom and J. K. Hollingsworth, Load Balancing Factor (LBF): A Workload
 *     Migration Metric, CS-TR-4375, University of Maryland, 1998.
 *
 * Ranks that compute share their node's cores equally, with an infinitely small
 * quantum ([1], section 2).  Ranks that wait do not compete, unless they spin.
 *
 * Not for dynamic farms, whose matches depend on the placement: these are
 * replayed as tasks (predictor/farm/simulate.h).
 */
#ifndef PREDICTOR_REPLAY_TRACE_REPLAY_H
#define PREDICTOR_REPLAY_TRACE_REPLAY_H

#include "predictor/replay/matched_trace.h"

struct replay_node {
	double cores; /* > 0; 0.5 is half of one */
	double speed; /* of a core, > 0; 1: as where the trace was recorded */
};

struct replay_link {
	double latency_s;     /* >= 0 */
	double bandwidth_bps; /* bytes a second, > 0 */
};

struct replay_placement {
	int nodes_count;
	const struct replay_node *nodes;
	const struct replay_link *links; /* [from * nodes_count + to] */
	const int *node;                 /* of each rank */
	uint64_t rendezvous_bytes; /* longer sends wait for their receive */
	bool spinning;
};

struct rank_result {
	double end_s;
	double work_s;
	double waited_s;
};

struct replay_result {
	double time_s;
	/* CPU time along the longest path through messages, as with one process
	 * for each processor of speed 1; with the procedure's time 0 (critical
	 * path zeroing); with the procedure moved (procedure LBF). */
	double critical_path_s;
	double zeroed_s;
	double moved_s;
};

/* ret_ranks[ranks].  Fails for a placement out of range, for ranks that wait
 * for each other, or without memory. */
int trace_replay(const struct matched_trace *trace,
		 const struct replay_placement *placement,
		 struct replay_result *ret_result,
		 struct rank_result ret_ranks[], struct sp_error *err);

#endif
