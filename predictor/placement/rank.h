/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.h - the node set on which a job would run shortest
 *
 * Pure functions of a snapshot: no clock, no lock, no allocation, so that they
 * may be called within a scheduling call.  Memory comes from the caller.
 *
 * A node without a current forecast counts as the median of those with one: it
 * is neither preferred nor avoided.  Sets that differ by less than the error of
 * forecasts are equal, and of equal ones the caller's order decides.
 *
 * Slurm's own decisions count at once: `used` is the number of CPUs that its
 * jobs have on a candidate, those just started too, and forecasts are of what
 * other processes leave.  So a job counts before sensors see it, and its load
 * does not stay in a forecast when it has ended.
 */
#pragma once

#include "predictor/snapshot/snapshot.h"

struct rank_candidate {
	uint32_t node;  /* in the snapshot; SNAPSHOT_NONE: not in it */
	uint32_t place; /* in the cluster's order of nodes; unique */
	uint32_t leaf;  /* its leaf switch, 0 to SNAPSHOT_LEAVES_MAX - 1;
			   SNAPSHOT_NONE: that of the snapshot */
	uint16_t cpus;  /* 0: not known */
	uint16_t used;  /* CPUs of other jobs of Slurm */
};

struct rank_request {
	const struct snapshot *snapshot;
	const struct placement_model *model; /* NULL: not known */

	/* The first `required` ones must be in the set; the others are in the
	 * order in which Slurm would take them. */
	const struct rank_candidate *candidates;
	uint32_t count;
	uint32_t required;

	uint32_t nodes;          /* how many to choose */
	uint32_t tasks_per_node; /* processes that compute on each; 0: 1 */
	uint32_t leaves_max;     /* leaf switches at most; 0: any number */
	bool contiguous;         /* places one after the other */
	bool blocks; /* ranks go to nodes in blocks, in the order of places:
			the model's weights, if it has as many, count */
	float tie;   /* sets within this ratio are equal; 0: RANK_TIE */
};

#define RANK_TIE 0.02f

struct rank_set {
	double runtime_s;             /* predicted */
	struct placement_offer offer; /* the worst of its nodes and links; NAN
					 where links are not known */
	uint32_t stale;               /* nodes without a current forecast */
};

struct rank_result {
	struct rank_set best;

	/* The first candidates, which Slurm would take.  NAN if that is not
	 * known (contiguous, leaves_max). */
	struct rank_set stock;

	/* Slurm's own choice is as good as the best: `chosen` is that, and
	 * need not be requested. */
	bool indifferent;

	/* The model's weights counted: other nodes of the same speed in other
	 * places are not as good. */
	bool weighted;
};

/* Bytes of scratch memory for `count` candidates. */
size_t rank_scratch_size(uint32_t count);

/* Choose: ret_chosen gets request->nodes positions in candidates, ascending.
 * `scratch` is aligned as by malloc().  -1: there is no such set (too few
 * candidates, or none that meets the constraints), or the request is
 * inconsistent; nothing is chosen.
 *
 * The set is the best one, within the tie, if links have few different values
 * (RANK_LEVELS_MAX of each kind; fewer with more than 256 candidates; beyond
 * that similar values count as one) and, where leaf switches matter, candidates
 * are on few of them (RANK_LEAVES_EXACT).  Else it is close to it: on random
 * trees whose links differ a hundredfold, within 4 % in the mean.
 * With 10,000 candidates it takes 0.2 ms, of a farm too; where leaf switches
 * matter, or nodes have weights, up to 1 ms, for contiguous places 2 ms
 * (bench_rank). */
int rank_choose(const struct rank_request *request, void *scratch,
		uint32_t *ret_chosen, struct rank_result *ret);

#define RANK_LEVELS_MAX   16
#define RANK_LEAVES_EXACT 8

/* Predict the run time on a given set: `count` positions in
 * request->candidates, whatever the request's constraints.  -1: a position is
 * out of range. */
int rank_evaluate(const struct rank_request *request, void *scratch,
		  const uint32_t *chosen, uint32_t count, struct rank_set *ret);

/* Return which of the `others` candidates that stand behind the request's
 * own could take the place of a chosen one: alone, the job would run no
 * longer there than on the slowest of the `count` chosen nodes, as far as
 * that is known.  Fills ret_positions, and gives how many.  `scratch` must be
 * for all candidates. */
uint32_t rank_no_slower(const struct rank_request *request, void *scratch,
			const uint32_t *chosen, uint32_t count, uint32_t others,
			uint32_t *ret_positions);
