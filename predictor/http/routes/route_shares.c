/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_shares.c - what a job gets of the CPUs of its nodes */
#include "predictor/base/clock.h"
#include "predictor/engine/nodes/node_shares.h"
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"

static const struct field share_fields[] = {
	FIELD_SENT(node_share, node, LENT),
	FIELD_SENT(node_share, share, NUMBER),
	FIELD_END,
};

static int reply_shares(struct request *r, const char *cluster,
			const struct hostlist *list)
{
	struct node_share shares[NODE_SHARES_MAX];
	bool failed = false;

	if (list->count > NODE_SHARES_MAX)
		return request_fail(r, 400, "nodes: more than %d",
				    NODE_SHARES_MAX);

	double slowdown = engine_node_shares(r->http->config.engine, cluster,
					     list, clock_now_s(), shares);
	struct json_object *number = json_number(slowdown, &failed);

	/* Not known: a null. */
	if (failed || (number && request_add(r, "slowdown", number)))
		return request_out_of_memory(r);
	return request_reply(r, "shares",
			     json_records(share_fields, shares, list->count,
					  sizeof(shares[0])));
}

int shares_show(struct request *r)
{
	char cluster[RUN_NAME_SIZE], nodes[REQUEST_TARGET_SIZE];
	struct hostlist list;
	struct sp_error err;

	if (request_query_text(r, "cluster", cluster, sizeof(cluster), &err) ||
	    request_query_text(r, "nodes", nodes, sizeof(nodes), &err))
		return request_fail(r, 400, "%s", err.text);
	if (!cluster[0] || !nodes[0])
		return request_fail(r, 400, "%s: missing",
				    cluster[0] ? "nodes" : "cluster");
	if (hostlist_expand(nodes, &list, &err))
		return request_fail(r, 400, "nodes: %s", err.text);

	int status = reply_shares(r, cluster, &list);

	hostlist_clear(&list);
	return status;
}
