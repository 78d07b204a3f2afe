/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_replay.h - the run time of a traced run elsewhere
 *
 * Replayed where it was recorded, a run takes more or less than was measured.
 * A trace has the CPU time outside of MPI: what the run took longer was MPI's
 * own work and its waits, which other placements of ranks that compute do not
 * multiply, so it is added to their replayed time.  If the run was shorter, the
 * replay's is multiplied.
 */
#pragma once

#include "predictor/replay/farm_trace.h"

struct run_replay {
	const struct matched_trace *trace;
	bool is_farm;
	struct farm_trace farm;
	double factor;  /* measured / replayed; 1: it is not calibrated */
	double added_s; /* to each replayed time; 0 if the factor is below 1 */
	double replayed_s; /* as recorded */
};

/* The trace and its placement; measured_s 0: do not calibrate.  The trace must
 * outlive it. */
int run_replay_create(const struct matched_trace *trace,
		      const struct replay_placement *recorded,
		      double measured_s, struct run_replay *ret,
		      struct sp_error *err);
void run_replay_clear(struct run_replay *run);

/* Find the run time of the recorded placement under other conditions, in
 * seconds; what is added from now on changes as it does. */
int run_replay_again(struct run_replay *run,
		     const struct replay_placement *recorded, double *ret_s,
		     struct sp_error *err);

/* Find the run time on another placement, in seconds. */
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
