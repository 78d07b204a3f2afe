/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_weights.h - the work of each node of a job, where ranks are
 * in blocks
 *
 * Without an order of the user, srun and mpirun put ranks in blocks: of a job
 * with as many on each node, the first node has the first ranks, and so on.  So
 * where a trace says that ranks have unequal work, the nodes of a set differ by
 * their places in it: who has little to do may be slow.
 *
 * A weight is the most that one rank there has to do, as a share of the most of
 * all, in 1/61, so that it is one letter of a text: 0-9, A-Z, a-z.
 */
#pragma once

#include <stdint.h>

#define PLACEMENT_WEIGHTS_MAX 64 /* nodes; larger jobs have none */
#define PLACEMENT_WEIGHT_ONE  61

struct placement_weights {
	uint8_t count; /* of nodes; 0: not known, all have weight 1 */
	uint8_t of[PLACEMENT_WEIGHTS_MAX]; /* in the order of nodes */
};

/* Make weights of work[count], which is > 0 for one of them at least.  Rounded
 * up: no node counts as less than it has to do.  None if nodes are too many,
 * one, or equal. */
void placement_weights_of(const double work[], uint32_t count,
			  struct placement_weights *ret);

/* Letters; empty if there are none. */
#define PLACEMENT_WEIGHTS_SIZE (PLACEMENT_WEIGHTS_MAX + 1)
void placement_weights_print(const struct placement_weights *weights,
			     char ret[PLACEMENT_WEIGHTS_SIZE]);

/* Parse a letter for each of `count` nodes.  -1: they are not weights, of
 * which one is 1; *ret is unchanged. */
int placement_weights_parse(const char *letters, uint32_t count,
			    struct placement_weights *ret);
