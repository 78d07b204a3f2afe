/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_order.c - which rank goes on which node of a job, as many on each */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/whatif/rank_order.h"

bool rank_order_exists(int ranks, size_t nodes)
{
	return nodes > 1 && nodes <= RUN_TRACE_NODES_MAX && ranks > 0 &&
	       ranks <= TRACE_RANKS_MAX && (size_t)ranks % nodes == 0;
}

static int copy_names(const struct whatif_answer *answer,
		      struct rank_order *order, struct sp_error *err)
{
	order->names = calloc((size_t)answer->ranks, sizeof(*order->names));
	if (!order->names)
		return sp_error_set(err, "out of memory for an order");
	order->ranks = answer->ranks;
	for (int r = 0; r < answer->ranks; r++)
		memcpy(order->names[r],
		       answer->place.nodes[answer->node[r]].name,
		       sizeof(order->names[r]));
	return 0;
}

int rank_order_find(const struct run_trace *run,
		    const struct whatif_question *q, struct rank_order *ret,
		    struct sp_error *err)
{
	/* A search rests on one trace, and so must what it is compared with. */
	struct run_trace alone = *run;
	/* Slurm's own: blocks, in the order of the list. */
	struct whatif_question question = {
		.nodes = q->nodes,
		.conditions = q->conditions,
		.context = q->context,
		.deadline_s = q->deadline_s,
	};
	struct rank_order order = { 0 };
	struct whatif_answer answer;

	alone.before = NULL;
	if (whatif_answer_find(&alone, &question, &answer, err))
		return -1;

	double blocks_s = answer.there_s;

	whatif_answer_clear(&answer);
	question.best = question.even = true;
	if (whatif_answer_find(&alone, &question, &answer, err))
		return -1;
	order.gain = fmax(1, blocks_s / answer.there_s);
	order.gain_low = fmax(1, fmin(answer.factor, 1) * order.gain);

	int rc = copy_names(&answer, &order, err);

	whatif_answer_clear(&answer);
	if (!rc)
		*ret = order;
	return rc;
}

void rank_order_clear(struct rank_order *order)
{
	free(order->names);
	*order = (struct rank_order){ 0 };
}

bool rank_order_pays(const struct rank_order *order)
{
	return order->gain_low >= RANK_ORDER_GAIN_MIN;
}
