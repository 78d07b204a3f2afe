/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.h - the best nodes for a job, of those that it may have
 *
 * Translates the arguments of Slurm's job test into a request of rank.h, and
 * its result into a bitmap of nodes.  No I/O, no waiting; memory grows with the
 * cluster and then stays.
 *
 * For one thread at a time, with slurmctld's locks on jobs and nodes held.
 */
#pragma once

#include "plugin/select/cluster.h"
#include "plugin/select/fresh.h"
#include "plugin/site/releases.h"
#include "predictor/placement/moldable.h"
#include "predictor/placement/rank.h"

struct place {
	struct cluster cluster;
	struct fresh fresh;
	struct placement_model model; /* of a job that no snapshot has */

	/* Candidates, and what belongs to them; `room` is for how many. */
	uint32_t room;
	struct rank_candidate *candidates;
	uint32_t unsure; /* candidates behind those of a request: nodes of
			    which only Slurm knows if the job has room there */
	uint32_t *fits;  /* tasks that each has room for */
	uint32_t *chosen;
	void *scratch;
	size_t scratch_size;
};

/* All zero is one that has not been used yet. */
void place_clear(struct place *place); /* frees; may be called twice */

/* The arguments of Slurm's job test. */
struct place_request {
	const job_record_t *job;
	const bitstr_t *nodes; /* that it may have */
	uint32_t min_nodes, max_nodes, want_nodes;
	const struct moldable_goal *goal; /* of the number of nodes; NULL: it is
					     not to be chosen */
};

#define PLACE_WHY_SIZE 160

struct place_result {
	uint32_t nodes_best; /* number of nodes to try first; 0: Slurm's */
	bitstr_t *nodes;  /* to try first, by bit_free(); NULL: none better than
			    Slurm's choice */
	bool known;       /* the two below are about this job, not just about
			    conditions */
	double runtime_s; /* predicted for the best set */
	double stock_s;   /* and for what Slurm would take; NAN: not known */
	char why[PLACE_WHY_SIZE];
};

/* The nodes are the best ones for that number, or, where fewer have room, for
 * these.  Never fails: where no better nodes are known, ret->nodes is NULL and
 * ret->why has the reason. */
void place_choose(struct place *place, const struct snapshot *snapshot,
		  const struct place_request *job_test,
		  struct place_result *ret);
