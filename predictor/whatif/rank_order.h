/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_order.h - which rank goes on which node of a job, as many on each
 *
 * A job has its nodes, and each of them CPUs for its part of the ranks.  What
 * is still open is which ranks: on nodes of unequal speed, and where ranks have
 * unequal work or talk to some ranks more than to others, it matters.
 */
#pragma once

#include "predictor/whatif/whatif_answer.h"

/* The least low gain that is worth an order. */
#define RANK_ORDER_GAIN_MIN 1.05

struct rank_order {
	int ranks;
	char (*names)[HOSTLIST_NAME_SIZE]; /* [ranks]: nodes */
	double gain; /* run time in equal blocks / in this order, >= 1 */
	/* The same, less by as much as the replay took too long. */
	double gain_low;
};

/* Return whether ranks can be in equal parts on `nodes` nodes, and in another
 * order than blocks. */
bool rank_order_exists(int ranks, size_t nodes);

/* Find the best order that a search finds on the nodes `q->nodes`; of *q only
 * these, the conditions and the deadline count, and not run->before.
 * rank_order_clear() it. */
int rank_order_find(const struct run_trace *run,
		    const struct whatif_question *q, struct rank_order *ret,
		    struct sp_error *err);
void rank_order_clear(struct rank_order *order);

/* Return whether it gains enough, in spite of how far the replay was from
 * the run. */
bool rank_order_pays(const struct rank_order *order);
