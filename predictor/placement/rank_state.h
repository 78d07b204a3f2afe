/* rank_state.h - what the files of the ranking share; nobody else's
 *
 * A candidate becomes an item: how slow a process of this job would be there,
 * and to which of a few levels its speed and its link belong, level 0 the best.
 * All run times are from
 *
 *	T = max(C + I + L, D + (1 - credit) (I + L))
 *
 * with C and D the maxima over the nodes of busy / speed and busy / (speed
 * available), and L from the slowest link; see placement_model.h.
 */
#ifndef PREDICTOR_PLACEMENT_RANK_STATE_H
#define PREDICTOR_PLACEMENT_RANK_STATE_H

#include "predictor/placement/rank.h"

enum { LEVEL_SPEED, LEVEL_BANDWIDTH, LEVEL_LATENCY, LEVELS };

/* Of one kind; `worst[i]` is what counts for nodes of that level: seconds per
 * second of computing, seconds per bit, seconds. */
struct rank_levels {
	int count;
	float worst[RANK_LEVELS_MAX];
};

struct rank_item {
	float value[LEVELS]; /* as in struct rank_levels */
	float slow;          /* 1 / (speed * available), to this job */
	uint32_t leaf;
	uint8_t level[LEVELS];
	bool fresh;
};

/* A combination of levels, at least as good as which nodes must be. */
struct rank_cell {
	float computing_s; /* C + I + L */
	float waiting_s;   /* (1 - credit) (I + L) */
	uint8_t level[LEVELS];
};

#define RANK_CELLS_MAX 4096

/* A link that all share: the slowest between leaves. */
struct rank_trunk {
	float per_bit_s; /* 0: no bottleneck */
	float latency_s;
};

struct rank_ranking {
	const struct rank_request *request;
	struct placement_model model; /* with links, if these count */
	bool links;                   /* they count */

	uint32_t count;          /* of candidates */
	struct rank_item *items; /* of each, in its place */
	uint32_t *order; /* those not required, fastest first: positions */
	uint32_t order_count;
	uint32_t *spare; /* as large as items */
	uint32_t *keys;  /* likewise */
	struct rank_levels levels[LEVELS];

	/* Of those required, the worst. */
	float required_slow;
	uint8_t required_level[LEVELS];

	struct rank_cell cells[RANK_CELLS_MAX];
	uint32_t cell_counts[RANK_CELLS_MAX];
	int cells_count;

	/* Leaves are numbered here in the order in which they are met. */
	uint32_t leaves_count;
	uint32_t *leaf_of;     /* SNAPSHOT's number to ours, or NONE */
	uint32_t *leaf_number; /* ours to the snapshot's */
	uint32_t *leaf_good;   /* nodes of each that are fast enough */
	uint32_t *leaf_sorted;
	bool *leaf_in;       /* the group that is looked at */
	bool *leaf_required; /* has a required node */
	bool *leaf_best;     /* the best group found */
	uint32_t leaves_required;
	uint32_t lookups; /* of pairs of leaves, that may yet be made */
};

/* The best that was found. */
struct rank_found {
	double runtime_s; /* HUGE_VAL: nothing yet */
	float slow;       /* no node is slower */
	struct rank_cell cell;
	struct rank_trunk trunk;
	bool grouped; /* within leaf_best only */
};

/* rank_items.c: fill all but the cells.  -1: the request makes no sense. */
int rank_items(const struct rank_request *request, void *scratch,
	       struct rank_ranking **ret);

/* Seconds that links add. */
float rank_link_s(const struct placement_model *model, float per_bit_s,
		  float latency_s);

/* T, from the maxima over the nodes. */
double rank_runtime_s(const struct placement_model *model, double slow,
		      double speed, double link_s);

/* Sort positions by their keys (r->keys), stable; uses r->spare. */
void rank_sort(struct rank_ranking *r, uint32_t *positions, uint32_t count);

/* rank_star.c: a cell; each level is one of its kind. */
struct rank_cell rank_cell_of(const struct rank_ranking *r,
			      const struct rank_trunk *trunk, int speed,
			      int bandwidth, int latency);

/* The best set from `members` of `order`, fastest first, and those
 * required; *best is changed if it is better than that.  True: it was. */
bool rank_star(struct rank_ranking *r, const uint32_t *members, uint32_t count,
	       const struct rank_trunk *trunk, struct rank_found *best);

/* rank_leaves.c: the same where leaves matter. */
void rank_leaves(struct rank_ranking *r, struct rank_found *best);

/* The worst way between those leaves of ours that are in `in`; the best there
 * is, if it is one alone. */
struct rank_trunk rank_trunk_of(const struct rank_ranking *r, const bool *in);

/* rank_contiguous.c: windows of places.  False: there is none. */
bool rank_contiguous(struct rank_ranking *r, double tie, uint32_t *ret_chosen);

/* Of a set, from its items. */
void rank_worth(const struct rank_ranking *r, const uint32_t *chosen,
		uint32_t count, struct rank_set *ret);

#endif
