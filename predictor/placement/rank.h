/* rank.h - the node set on which a job would run shortest
 *
 * Pure functions of a snapshot: no clock, no lock, no allocation, so that they
 * may be called within a scheduling call.  Memory comes from the caller.
 *
 * A node of which nothing fresh is known counts as the median of those of
 * which something is: it is neither preferred nor shunned.  Sets that differ
 * by less than forecasts are off are equal, and of equal ones the caller's
 * order decides.
 *
 * Own decisions count at once: each candidate says how many CPUs Slurm's jobs
 * `used` have there, those just started too, and they count as long as they
 * are there; forecasts are of what others leave.  Sensors need not see a job
 * first, nor does its load linger in a forecast when it has gone.
 */
#ifndef PREDICTOR_PLACEMENT_RANK_H
#define PREDICTOR_PLACEMENT_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/snapshot/snapshot.h"

struct rank_candidate {
	uint32_t node;  /* in the snapshot; SNAPSHOT_NONE: unknown there */
	uint32_t place; /* in the cluster's order of nodes; each its own */
	uint32_t leaf;  /* its leaf switch, 0 to SNAPSHOT_LEAVES_MAX - 1;
			   SNAPSHOT_NONE: as the snapshot has it */
	uint16_t cpus;  /* that it has; 0: not known */
	uint16_t used;  /* of these by other jobs of Slurm */
};

struct rank_request {
	const struct snapshot *snapshot;
	const struct placement_model *model; /* NULL: nothing is known */

	/* The first `required` ones must be in the set; the others stand in the
	 * order in which Slurm would take them. */
	const struct rank_candidate *candidates;
	uint32_t count;
	uint32_t required;

	uint32_t nodes;          /* how many to choose */
	uint32_t tasks_per_node; /* processes that compute on each; 0: 1 */
	uint32_t leaves_max;     /* leaf switches at most; 0: as many as may */
	bool contiguous;         /* with places one after the other */
	float tie; /* sets within this share are equal; 0: RANK_TIE */
};

#define RANK_TIE 0.02f

struct rank_set {
	double runtime_s;             /* predicted on it */
	struct placement_offer offer; /* the worst of its nodes and links; NAN
					 where links are not known */
	uint32_t stale; /* nodes of it of which nothing fresh is known */
};

struct rank_result {
	struct rank_set best;

	/* What Slurm's own order gives: the first that are allowed.  NAN if
	 * that is not known (contiguous, leaves_max). */
	struct rank_set stock;

	/* Stock is as good as the best: `chosen` is stock's, and there is no
	 * reason to ask for it. */
	bool indifferent;
};

/* Bytes of scratch memory for so many candidates. */
size_t rank_scratch_size(uint32_t count);

/* Choose: ret_chosen gets request->nodes positions in candidates, ascending.
 * `scratch` is aligned as by malloc().  -1: there is no such set (too few
 * candidates, or none that meets the constraints), or the request makes no
 * sense; nothing is chosen.
 *
 * The set is the best there is, but for the tie, if link classes are few
 * (RANK_LEVELS_MAX different values of each kind; fewer on more than 256
 * candidates; beyond that near values count as one) and, as far as leaf switches
 * matter, those of the candidates are few (RANK_LEAVES_EXACT).  Else it is near
 * it: on random trees whose ways differ a hundredfold, within 4 % in the mean.
 * With 10,000 candidates it takes 0.2 ms, where leaf switches matter up to 1
 * ms, for contiguous places 2 ms (bench_rank). */
int rank_choose(const struct rank_request *request, void *scratch,
		uint32_t *ret_chosen, struct rank_result *ret);

#define RANK_LEVELS_MAX   16
#define RANK_LEAVES_EXACT 8

/* What a given set is worth: `count` positions in request->candidates, whatever
 * the request says of how many and which.  -1: it makes no sense. */
int rank_evaluate(const struct rank_request *request, void *scratch,
		  const uint32_t *chosen, uint32_t count, struct rank_set *ret);

#endif
