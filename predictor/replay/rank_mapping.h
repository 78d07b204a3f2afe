/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_mapping.h - which rank goes where, on nodes of unequal speed */
#pragma once

#include "predictor/replay/run_replay.h"

/* With more ranks only whole mappings are compared; exchanges would take too
 * many replays. */
#define MAPPING_RANKS_MAX 64

struct mapping_search {
	const struct run_replay *run;
	struct replay_placement place; /* `node` is not used */
	const int *slots;              /* ranks that a node takes at most */
	int replays_max;               /* at least 1 */
	/* NULL, or whether to end with the best so far. */
	bool (*stops)(void *argument);
	void *argument;
};

/* Mappings by blocks and in turns, and the busiest ranks to the fastest nodes;
 * from each of them exchanges of two ranks, and moves to free slots, as long as
 * one makes the run shorter.  Beyond the limit of the placement's replays the
 * best so far counts.  Fails if there is none, and if the slots are too few. */
int rank_mapping_find(const struct mapping_search *search, int ret_node[],
		      double *ret_s, struct sp_error *err);

/* Find the best of all exchanges of two ranks of `node`; *ret_a is -1 if none
 * makes the run shorter. */
int rank_mapping_swap(const struct mapping_search *search, const int node[],
		      int *ret_a, int *ret_b, double *ret_s,
		      struct sp_error *err);
