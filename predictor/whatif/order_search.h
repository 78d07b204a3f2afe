/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_search.h - searches for an order of ranks, on the way of no request
 *
 * A caller that is to search (ORDER_BEGIN) creates a search, reads traces of
 * such jobs, and starts it with them.  The worker that searches may be gone by
 * then: only the table, which the search shares, says whether it is there.
 */
#pragma once

#include "predictor/features/prediction.h"
#include "predictor/trace/run_trace.h"
#include "predictor/whatif/order_table.h"
#include "predictor/whatif/whatif_conditions.h"
#include "predictor/whatif/whatif_worker.h"

/* What a search calls in the thread of the worker. */
struct order_search_ops {
	whatif_conditions_fn *conditions;
	/* Learn for jobs like the key's how slow each node may be
	 * (rank_work.h); NULL: the trace does not say it. */
	void (*learn)(void *context, const struct order_key *key, int nodes,
		      const double work[]);
};

struct order_search;

/* Make the key of the job's order on these nodes.  Return false if the job has
 * no order. */
bool order_key_make(const struct prediction *p, const struct hostlist *nodes,
		    struct order_key *ret);

/* Create a search; `context` is that of ops; `act`: ranks of such jobs may have
 * got an order of ours.  Return NULL if memory ran out; the table then knows
 * that the search failed. */
struct order_search *order_search_create(struct order_table *table,
					 struct whatif_worker *worker,
					 const struct order_search_ops *ops,
					 void *context,
					 const struct order_key *key, bool act);

/* Let the worker search with runs[count], the newest first, which are taken
 * over and freed; or end the search if there are none.  From any thread. */
void order_search_start(struct order_search *search, struct run_trace runs[],
			int count);
