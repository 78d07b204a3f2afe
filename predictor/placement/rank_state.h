/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_state.h - internals shared by the files of placement/
 *
 * A candidate becomes an item: how slow a process of this job would be there,
 * and to which of a few levels its speed and its link belong, level 0 the best.
 * All run times are from
 *
 *	T = max(C + I + L, D + (1 - credit) (I + L))
 *
 * with C and D the maxima over the nodes of busy / speed and busy / (speed
 * available) + turns turn (1 / available - 1), and L from the slowest link; see
 * placement_model.h.  A farm has means of its nodes in their place
 * (rank_farm.c), and where nodes have unequal work each counts for its
 * own (rank_blocks.c).
 */
#pragma once

#include "predictor/placement/rank.h"

enum { LEVEL_SPEED, LEVEL_BANDWIDTH, LEVEL_LATENCY, LEVELS };

/* The levels of one kind; `worst[i]` stands for all nodes of that level:
 * seconds per second of computing, seconds per bit, seconds. */
struct rank_levels {
	int count;
	float worst[RANK_LEVELS_MAX];
};

struct rank_item {
	float value[LEVELS]; /* as in struct rank_levels */
	float slow;          /* 1 / (speed * available) + turns, for this job */
	float turns;         /* its waits for turns, for a second of computing
				at speed 1 */
	uint32_t leaf;
	uint8_t level[LEVELS];
	bool fresh;
};

/* A combination of levels; its nodes are at least as good. */
struct rank_cell {
	float computing_s; /* C + I + L; of a farm I + L */
	float waiting_s;   /* (1 - credit) (I + L) */
	uint8_t level[LEVELS];
};

#define RANK_CELLS_MAX 4096

/* The slowest link between leaves, as if all traffic took it. */
struct rank_trunk {
	float per_bit_s; /* 0: no bottleneck */
	float latency_s;
};

struct rank_ranking {
	const struct rank_request *request;
	struct placement_model model; /* with links, if these count */
	bool links;                   /* the model has messages */
	/* The model's, if they count for this request; else NULL. */
	const struct placement_weights *weights;

	uint32_t count;          /* of candidates */
	struct rank_item *items; /* of each candidate */
	uint32_t *order;         /* candidates not required, fastest first */
	uint32_t order_count;
	uint32_t *spare; /* as large as items */
	uint32_t *keys;  /* likewise */
	struct rank_levels levels[LEVELS];

	/* The worst of those required. */
	float required_slow;
	uint8_t required_level[LEVELS];

	struct rank_cell cells[RANK_CELLS_MAX];
	uint32_t cell_counts[RANK_CELLS_MAX];
	double cell_speeds[RANK_CELLS_MAX]; /* of a farm: the sum */
	int cells_count;

	/* Leaves are numbered in the order in which candidates have them. */
	uint32_t leaves_count;
	uint32_t *leaf_of;     /* by the snapshot's number; SNAPSHOT_NONE */
	uint32_t *leaf_number; /* the snapshot's, by ours */
	uint32_t *leaf_good;   /* fast enough nodes of each */
	uint32_t *leaf_sorted;
	bool *leaf_in;       /* the group being tried */
	bool *leaf_required; /* has a required node */
	bool *leaf_best;     /* the best group found */
	uint32_t leaves_required;
	uint32_t lookups; /* of pairs of leaves, still allowed */
};

/* The best that was found. */
struct rank_found {
	double runtime_s; /* HUGE_VAL: nothing yet */
	float slow;       /* no node is slower; not of a farm */
	struct rank_cell cell;
	struct rank_trunk trunk;
	bool grouped; /* within leaf_best only */
};

/* rank_items.c: fill all but the cells.  -1: the request is inconsistent. */
int rank_items(const struct rank_request *request, void *scratch,
	       struct rank_ranking **ret);

/* Return the seconds that links add. */
float rank_link_s(const struct placement_model *model, float per_bit_s,
		  float latency_s);

/* T, from the maxima over the nodes. */
double rank_runtime_s(const struct placement_model *model, double slow,
		      double speed, double link_s);

/* Sort positions by their keys (r->keys), stable; uses r->spare. */
void rank_sort(struct rank_ranking *r, uint32_t *positions, uint32_t count);

/* rank_cells.c: the cell of these levels; not `computing`: without C. */
struct rank_cell rank_cell_of(const struct rank_ranking *r,
			      const struct rank_trunk *trunk, bool computing,
			      int speed, int bandwidth, int latency);

/* Make all cells that have the required nodes, and no others yet, and may be
 * better than the best. */
void rank_cells_make(struct rank_ranking *r, const struct rank_trunk *trunk,
		     bool computing, double best_s);

static inline bool rank_cell_holds(const struct rank_cell *cell,
				   const struct rank_item *item)
{
	for (int kind = 0; kind < LEVELS; kind++)
		if (item->level[kind] > cell->level[kind])
			return false;
	return true;
}

/* The best set from `members` of `order`, fastest first, and those
 * required.  True: it is better than *best, and is now there. */
bool rank_star(struct rank_ranking *r, const uint32_t *members, uint32_t count,
	       const struct rank_trunk *trunk, struct rank_found *best);

/* rank_farm.c: the same where T follows from the sum of speeds; `slow`
 * stays 0. */
bool rank_farm(struct rank_ranking *r, const uint32_t *members, uint32_t count,
	       const struct rank_trunk *trunk, struct rank_found *best);

/* Pick the nodes of that set, the caller's first ones as far as the tie
 * allows.  Returns how many there are. */
uint32_t rank_farm_pick(struct rank_ranking *r, const struct rank_found *found,
			double tie, uint32_t *ret_chosen);

/* rank_blocks.c: whether the model's weights count for that request. */
bool rank_blocks_apply(const struct rank_request *request,
		       const struct placement_model *model);

/* Find the slowest and the least speed of the chosen nodes, as many as there
 * are weights, for the work of each. */
void rank_blocks_worst(const struct rank_ranking *r, const uint32_t *chosen,
		       float *ret_slow, float *ret_speed);

/* The best set with weights, on the leaves of the one that was found without.
 * False: none was found. */
bool rank_blocks(struct rank_ranking *r, const struct rank_found *found,
		 double tie, uint32_t *ret_chosen);

/* rank_leaves.c: the same where leaves matter. */
void rank_leaves(struct rank_ranking *r, struct rank_found *best);

/* The worst link between the leaves that are in `in`; no bottleneck if that is
 * one leaf. */
struct rank_trunk rank_trunk_of(const struct rank_ranking *r, const bool *in);

/* rank_contiguous.c: the best window of places.  False: there is none. */
bool rank_contiguous(struct rank_ranking *r, double tie, uint32_t *ret_chosen);

/* Run time and offer of a set, from its items. */
void rank_rate_set(const struct rank_ranking *r, const uint32_t *chosen,
		   uint32_t count, struct rank_set *ret);
