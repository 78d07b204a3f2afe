/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_work.h - how unequal the work of a traced run's nodes was
 *
 * Of ranks in blocks: as many on each node, the next ones on the next node in
 * the order of names, as srun and mpirun have them without the user's own wish.
 */
#pragma once

#include "predictor/trace/run_trace.h"

struct rank_work {
	int nodes; /* that had ranks */
	bool in_blocks;
	double of[RUN_TRACE_NODES_MAX]; /* [nodes], in the order of names */
};

/* How slow each node may be: as a share of the speed of the one whose ranks
 * have most work, above 0.  From the CPU time of the busiest rank of each,
 * stretches counted for what they stand for; but nodes that are so slow make
 * the replayed run no longer.  Where they do, because some wait for what others
 * do in turn, the shares are nearer to 1.
 *
 * ret->nodes and ret->in_blocks are set in any case.  -1 with *err: ranks are
 * not in blocks, a rank died, it is a farm, or the replay fails. */
int rank_work_find(const struct run_trace *run, struct rank_work *ret,
		   struct sp_error *err);
