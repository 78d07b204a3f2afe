/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_search.c - searches for an order of ranks, on the way of no request
 *
 * The trace that is read for it also says how unequal the work of nodes is.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/log.h"
#include "predictor/replay/rank_work.h"
#include "predictor/whatif/order_search.h"

struct order_search {
	struct whatif_task task;
	struct order_table *table;
	struct whatif_worker *worker;
	const struct order_search_ops *ops;
	void *context;
	struct order_key key;
	bool act;
	struct run_trace *runs;
	int runs_count;
	bool found;
	struct rank_order order;
};

/* Pass on what the trace says of the work of nodes.  Where ranks were in
 * another order than blocks, that may be one of ours, and what an earlier trace
 * said holds; else it is the user's. */
static void learn_work(const struct order_search *search,
		       const struct run_trace *run)
{
	struct rank_work *work = malloc(sizeof(*work));
	struct sp_error err;

	if (!work)
		return;

	bool known = !rank_work_find(run, work, &err);

	if (!known)
		log_debug("work of %s: %s", search->key.application, err.text);
	if (work->in_blocks || !search->act)
		search->ops->learn(search->context, &search->key, work->nodes,
				   known ? work->of : NULL);
	free(work);
}

static void search_serve(struct whatif_task *task)
{
	struct order_search *search = (struct order_search *)task;
	const struct order_key *key = &search->key;
	const struct whatif_question question = {
		.nodes = key->nodes,
		.conditions = search->ops->conditions,
		.context = search->context,
		.deadline_s = WHATIF_ORDER_S,
	};
	const struct work_limit limit =
		work_limit_begin(WHATIF_ORDER_S, 2 * WHATIF_ORDER_S);
	struct run_trace run;
	struct sp_error err;

	if (run_traces_choose(search->runs, search->runs_count, &limit, &run,
			      &err)) {
		log_debug("order of %s: %s", key->application, err.text);
		return;
	}
	learn_work(search, &run);
	search->found = !rank_order_find(&run, &question, &search->order, &err);
	if (search->found)
		log_debug("order of %s on %s: gain %.3f, at least %.3f",
			  key->application, key->nodes, search->order.gain,
			  search->order.gain_low);
	else
		log_debug("order of %s: %s", key->application, err.text);
	run_trace_clear(&run);
}

static bool search_given_up(struct whatif_task *task)
{
	return order_table_closed(((struct order_search *)task)->table);
}

static void search_end(struct whatif_task *task)
{
	struct order_search *search = (struct order_search *)task;

	order_table_done(search->table, &search->key,
			 search->found ? &search->order : NULL);
	order_table_release(search->table);
	run_traces_free(search->runs, search->runs_count);
	free(search);
}

static const struct whatif_work work = {
	.goes_first = true,
	.serve = search_serve,
	.given_up = search_given_up,
	.end = search_end,
};

static void search_hand_over(void *context)
{
	struct order_search *search = context;

	whatif_worker_put(search->worker, &search->task);
}

bool order_key_make(const struct prediction *p, const struct hostlist *nodes,
		    struct order_key *ret)
{
	if (p->mode < MODE_ADVISE || nodes->count > ORDER_NODES_MAX ||
	    p->tasks > ORDER_RANKS_MAX || !p->application.name[0] ||
	    !rank_order_exists((int)p->tasks, nodes->count))
		return false;
	*ret = (struct order_key){ .user_id = p->user_id,
				   .ranks = (int)p->tasks };
	strcpy(ret->cluster, p->cluster);
	strcpy(ret->application, p->application.name);
	/* One text for each set of nodes. */
	hostlist_compress(nodes, ret->nodes, sizeof(ret->nodes));
	return !strstr(ret->nodes, "...");
}

struct order_search *order_search_create(struct order_table *table,
					 struct whatif_worker *worker,
					 const struct order_search_ops *ops,
					 void *context,
					 const struct order_key *key, bool act)
{
	struct order_search *search = calloc(1, sizeof(*search));

	if (!search) {
		order_table_done(table, key, NULL);
		return NULL;
	}
	search->task.work = &work;
	search->table = order_table_share(table);
	search->worker = worker;
	search->ops = ops;
	search->context = context;
	search->key = *key;
	search->act = act;
	return search;
}

void order_search_start(struct order_search *search, struct run_trace runs[],
			int count)
{
	search->runs = runs;
	search->runs_count = count;
	if (count < 1 ||
	    order_table_if_open(search->table, search_hand_over, search))
		search_end(&search->task);
}
