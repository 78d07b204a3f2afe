/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_replay.h - the run time of a traced run elsewhere
 *
 * Replayed where it was recorded, a run takes more or less than was measured:
 * caches, the network's other traffic, the system.  What a replay says for
 * other placements is multiplied by measured / replayed.
 */
#pragma once

#include "predictor/replay/farm_trace.h"

struct run_replay {
	const struct matched_trace *trace;
	bool is_farm;
	struct farm_trace farm;
	double factor;     /* measured / replayed */
	double replayed_s; /* as recorded */
};

/* The trace and its placement; measured_s > 0.  The trace must outlive it. */
int run_replay_create(const struct matched_trace *trace,
		      const struct replay_placement *recorded,
		      double measured_s, struct run_replay *ret,
		      struct sp_error *err);
void run_replay_clear(struct run_replay *run);

/* Run time on another placement, in seconds. */
int run_replay_time(const struct run_replay *run,
		    const struct replay_placement *placement, double *ret_s,
		    struct sp_error *err);

/* Parts of a perfect run, whose ranks compute all the time; their product is
 * the ranks' computing time over the run time. */
struct model_factors {
	double load_balance; /* computing: mean of the ranks over most of one */
	double serialisation; /* that over the run time without a network */
	double transfer;      /* and that over the run time */
};

int replay_factors(const struct matched_trace *trace,
		   const struct replay_placement *placement,
		   struct model_factors *ret, struct sp_error *err);
