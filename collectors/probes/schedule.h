/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.h - which nodes probe each other in which slot
 *
 * Time is cut into slots of equal length, counted from the epoch.  In a slot a
 * node is in one probe at most, and so is the uplink of every switch: no two
 * probes disturb each other.  All nodes compute the same from the list of
 * nodes, the topology and the clock; no messages are needed.
 *
 * The nodes are the leaves of a tree: that of the switches, where Slurm knows
 * them.  What has too many children (as all of a flat cluster) gets groups of
 * them in between.  The slots go round the tree's levels.  In a slot of level h
 * every vertex of height h lets its children play a round of a round-robin
 * tournament (the circle method); for a child that is more than a node, one of
 * its nodes plays, another one in each tournament.  So all pairs on a leaf
 * switch meet, and further away representatives do.
 *
 * As no vertex has more than SCHEDULE_LEAF_MAX children, a tournament's length
 * is bounded; a node's cost per slot is one probe at most; and the period grows
 * with the number of levels only, the logarithm of the cluster's size.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/base/hostlist.h"
#include "predictor/features/topology.h"

#define SCHEDULE_GROUP_MAX 32 /* children of a vertex that is no leaf switch */
#define SCHEDULE_LEAF_MAX  64 /* nodes of a leaf switch */

struct schedule;

/* `nodes` in any order, double names count once; of `topology` (NULL: flat)
 * what isn't among them is left out, and those it doesn't know hang on a
 * switch of their own. */
struct schedule *schedule_create(const struct hostlist *nodes,
				 const struct topology *topology,
				 struct sp_error *err);
void schedule_destroy(struct schedule *schedule);

size_t schedule_count(const struct schedule *schedule); /* nodes */
const char *schedule_name(const struct schedule *schedule, size_t node);

/* Return SIZE_MAX if it is not in the schedule. */
size_t schedule_find(const struct schedule *schedule, const char *name);

struct schedule_turn {
	size_t partner;
	bool begins; /* this node calls, the partner replies */
};

/* Return whether `node` is in a probe in that slot, and with whom. */
bool schedule_turn(const struct schedule *schedule, size_t node, uint64_t slot,
		   struct schedule_turn *ret);

struct schedule_level {
	size_t vertices;     /* of this height */
	size_t children_max; /* of one of them */
	size_t pairs;        /* of children, all of them */
	uint64_t period;     /* slots, the longest */
};

/* Levels of the tree; level 0 is that of the pairs of nodes. */
size_t schedule_levels(const struct schedule *schedule);
void schedule_level(const struct schedule *schedule, size_t level,
		    struct schedule_level *ret);
