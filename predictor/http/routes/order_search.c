/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_search.c - searches for an order of ranks, on the way of no request
 *
 * The trace that is read for it also says how unequal the work of nodes is,
 * which placement models get from then on (block_weights.h).
 *
 * The store's thread reads the trace, the worker of replays searches
 * (whatif_worker.h).  The server may be closed meanwhile: only the table, which
 * the search shares, says whether its worker is still there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/engine/nodes/block_weights.h"
#include "predictor/engine/nodes/node_shares.h"
#include "predictor/http/routes/order_search.h"
#include "predictor/http/routes/reply_traces.h"
#include "predictor/http/routes/whatif_conditions.h"
#include "predictor/http/routes/whatif_worker.h"
#include "predictor/http/server.h"
#include "predictor/replay/rank_work.h"

struct order_search {
	struct order_table *table;
	struct whatif_worker *worker;
	struct order_key key;
	bool act; /* ranks of such jobs may have got an order */
	bool found;
	struct rank_order order;
};

static void weights_put(const struct order_search *search,
			struct engine *engine, int nodes,
			const struct placement_weights *weights)
{
	const struct block_weights_key key = {
		.user_id = search->key.user_id,
		.tasks = (uint32_t)search->key.ranks,
		.nodes = (uint32_t)nodes,
		.cluster = search->key.cluster,
		.application = search->key.application,
	};

	engine_learn_weights(engine, &key, weights);
}

/* What the trace says of the work of nodes, for those that choose them.  Where
 * ranks were in another order than blocks, that may be one of ours, and what an
 * earlier trace said holds; else it is the user's. */
static void weights_learn(const struct whatif_task *task,
			  const struct run_trace *run)
{
	const struct order_search *search = task->context;
	struct placement_weights weights = { .count = 0 };
	struct rank_work *work = malloc(sizeof(*work));
	struct sp_error err;

	if (!work)
		return;
	if (!rank_work_find(run, work, &err))
		placement_weights_of(work->of, (uint32_t)work->nodes, &weights);
	else
		log_debug("work of %s: %s", search->key.application, err.text);
	if (work->in_blocks || !search->act)
		weights_put(search, task->engine, work->nodes, &weights);
	free(work);
}

static void search_serve(struct whatif_task *task)
{
	struct order_search *search = task->context;
	struct run_trace run;
	struct sp_error err;

	if (whatif_task_read(task, &run, &err)) {
		log_debug("order of %s: %s", search->key.application, err.text);
		return;
	}
	weights_learn(task, &run);
	task->question = (struct whatif_question){
		.nodes = search->key.nodes,
		.conditions = whatif_conditions_now,
		.context = task,
		.deadline_s = WHATIF_DEADLINE_S,
	};
	search->found =
		!rank_order_find(&run, &task->question, &search->order, &err);
	if (search->found)
		log_debug("order of %s on %s: gain %.3f, at least %.3f",
			  search->key.application, search->key.nodes,
			  search->order.gain, search->order.gain_low);
	else
		log_debug("order of %s: %s", search->key.application, err.text);
	run_trace_clear(&run);
}

static bool search_given_up(const struct whatif_task *task)
{
	const struct order_search *search = task->context;

	return order_table_closed(search->table);
}

static void search_end(struct whatif_task *task)
{
	struct order_search *search = task->context;

	order_table_done(search->table, &search->key,
			 search->found ? &search->order : NULL);
	order_table_release(search->table);
	free(search);
}

static const struct whatif_work work = {
	.serve = search_serve,
	.given_up = search_given_up,
	.end = search_end,
};

static void task_hand_over(void *context)
{
	struct whatif_task *task = context;
	struct order_search *search = task->context;

	whatif_worker_put(search->worker, task);
}

/* In the store's thread. */
static void trace_loaded(void *context, int rc,
			 const struct store_trace *traces, size_t count,
			 const struct sp_error *why)
{
	struct whatif_task *task = context;
	struct order_search *search = task->context;
	struct sp_error err;

	(void)why;
	if (rc == STORE_STORED)
		task->text = traces_reply_make(traces, count, true, &task->size,
					       &err);
	if (!task->text ||
	    order_table_if_open(search->table, task_hand_over, task))
		whatif_task_free(task);
}

static struct whatif_task *task_create(struct http *http,
				       const struct order_key *key, bool act)
{
	struct whatif_task *task = calloc(1, sizeof(*task));
	struct order_search *search = calloc(1, sizeof(*search));

	if (!task || !search) {
		free(task);
		free(search);
		return NULL;
	}
	search->table = order_table_share(http->orders);
	search->worker = http->whatif;
	search->key = *key;
	search->act = act;
	task->engine = http->config.engine;
	task->now = true;
	task->work = &work;
	task->context = search;
	return task;
}

/* Read the newest trace of the key's application, and let the worker search. */
static void search_start(struct http *http, const struct order_key *key,
			 bool act)
{
	const struct http_config *config = &http->config;
	struct store_trace_query query = {
		.user_id = key->user_id,
		.ranks = (uint32_t)key->ranks,
	};
	struct whatif_task *task = task_create(http, key, act);
	struct sp_error err;

	if (!task) {
		order_table_done(http->orders, key, NULL);
		return;
	}
	strcpy(query.cluster, key->cluster);
	strcpy(query.application, key->application);
	if (config->store_ops->get_traces(config->store, &query, trace_loaded,
					  task, &err)) {
		log_debug("order of %s: %s", key->application, err.text);
		whatif_task_free(task);
	}
}

/* --- What is known -------------------------------------------------------- */

/* False: one of the nodes is not known. */
static bool shares_find(struct http *http, const char *cluster,
			const struct hostlist *list, double ret[])
{
	struct node_share shares[ORDER_NODES_MAX];
	bool known = true;

	engine_node_shares(http->config.engine, cluster, list, clock_now_s(),
			   shares);
	for (size_t n = 0; n < list->count; n++) {
		ret[n] = shares[n].share;
		known &= isfinite(ret[n]);
	}
	return known;
}

/* False: the job has no order. */
static bool key_make(const struct prediction *p, const struct hostlist *list,
		     struct order_key *ret)
{
	if (p->mode < MODE_ADVISE || list->count > ORDER_NODES_MAX ||
	    p->tasks > ORDER_RANKS_MAX || !p->application.name[0] ||
	    !rank_order_exists((int)p->tasks, list->count))
		return false;
	*ret = (struct order_key){ .user_id = p->user_id,
				   .ranks = (int)p->tasks };
	strcpy(ret->cluster, p->cluster);
	strcpy(ret->application, p->application.name);
	/* One text for each set of nodes. */
	hostlist_compress(list, ret->nodes, sizeof(ret->nodes));
	return !strstr(ret->nodes, "...");
}

enum order_state order_find(struct http *http, const struct prediction *p,
			    const char *nodes, bool starts,
			    struct rank_order *ret)
{
	enum order_state state = ORDER_NONE;
	double shares[ORDER_NODES_MAX];
	struct order_key key;
	struct hostlist list;

	if (hostlist_expand(nodes, &list, NULL))
		return ORDER_NONE;
	if (key_make(p, &list, &key))
		state = shares_find(http, p->cluster, &list, shares)
				? order_table_ask(http->orders, &key,
						  starts ? p->id : "", shares,
						  list.count,
						  clock_monotonic_s(), ret)
				: ORDER_COMPUTING;
	hostlist_clear(&list);
	if (state == ORDER_BEGIN)
		search_start(http, &key, p->mode == MODE_ACT);
	return state;
}
