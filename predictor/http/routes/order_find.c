/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order_find.c - the order of the ranks of a job, as far as one is known
 *
 * What is not known is searched for (order_search.h): the store's thread reads
 * the trace, the worker of replays searches.  What the trace says of the work
 * of nodes is for placement models from then on (block_weights.h).
 */
#include <math.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/engine/nodes/block_weights.h"
#include "predictor/engine/nodes/node_shares.h"
#include "predictor/http/routes/nodes_now.h"
#include "predictor/http/routes/order_find.h"
#include "predictor/http/routes/stored_traces.h"
#include "predictor/http/server.h"
#include "predictor/whatif/order_search.h"

static void learn_weights(void *engine, const struct order_key *key, int nodes,
			  const double work[])
{
	const struct block_weights_key weights_key = {
		.user_id = key->user_id,
		.tasks = (uint32_t)key->ranks,
		.nodes = (uint32_t)nodes,
		.cluster = key->cluster,
		.application = key->application,
	};
	struct placement_weights weights = { .count = 0 };

	if (work)
		placement_weights_of(work, (uint32_t)nodes, &weights);
	engine_learn_weights(engine, &weights_key, &weights);
}

static const struct order_search_ops search_ops = {
	.conditions = nodes_now,
	.learn = learn_weights,
};

/* In the store's thread. */
static void trace_loaded(void *context, int rc, struct store_trace *traces,
			 size_t count, const struct sp_error *why)
{
	struct run_trace *runs = NULL;
	int runs_count = 0;

	(void)why;
	if (rc == STORE_STORED)
		runs_count = stored_traces_take(traces, count, &runs, NULL);
	order_search_start(context, runs, runs_count);
}

/* Read the newest trace of the key's application, and let the worker search. */
static void search_begin(struct http *http, const struct order_key *key,
			 bool act)
{
	const struct http_config *config = &http->config;
	struct store_trace_query query = {
		.user_id = key->user_id,
		.ranks = (uint32_t)key->ranks,
	};
	struct order_search *search =
		order_search_create(http->orders, http->whatif, &search_ops,
				    config->engine, key, act);
	struct sp_error err;

	if (!search)
		return;
	strcpy(query.cluster, key->cluster);
	strcpy(query.application, key->application);
	if (config->store_ops->get_traces(config->store, &query, trace_loaded,
					  search, &err)) {
		log_debug("order of %s: %s", key->application, err.text);
		order_search_start(search, NULL, 0);
	}
}

/* Return false if one of the nodes is not known. */
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
	if (order_key_make(p, &list, &key))
		state = shares_find(http, p->cluster, &list, shares)
				? order_table_ask(http->orders, &key,
						  starts ? p->id : "", shares,
						  list.count,
						  clock_monotonic_s(), ret)
				: ORDER_COMPUTING;
	hostlist_clear(&list);
	if (state == ORDER_BEGIN)
		search_begin(http, &key, p->mode == MODE_ACT);
	return state;
}
