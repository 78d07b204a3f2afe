/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_links.c - links between nodes, measured and forecast */
#include "predictor/base/clock.h"
#include "predictor/engine/resources.h"
#include "predictor/http/json_build.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/page.h"
#include "predictor/http/server.h"

static struct json_object *encode_link(const void *element)
{
	const struct engine_link *link = element;
	const struct link_forecast *f = &link->forecast;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	json_add(object, "cluster", json_object_new_string(link->cluster),
		 &failed);
	json_add(object, "from", json_object_new_string(link->from), &failed);
	json_add(object, "to", json_object_new_string(link->to), &failed);
	json_add_number(object, "time_s", f->time_s, &failed);
	json_add(object, "fresh", json_object_new_boolean(link->fresh),
		 &failed);
	json_add_number(object, "bandwidth_bps", f->bandwidth_bps, &failed);
	json_add_number(object, "bandwidth_error", f->bandwidth_error, &failed);
	json_add_number(object, "latency_s", f->latency_s, &failed);
	json_add_number(object, "latency_error", f->latency_error, &failed);
	json_add_number(object, "utilisation", f->utilisation, &failed);
	return json_finish(object, failed);
}

int links_list(struct request *r)
{
	char cluster[RUN_NAME_SIZE], node[HOSTLIST_NAME_SIZE];
	struct engine_links_query query = { .cluster = cluster,
					    .node = node,
					    .now_s = clock_now_s() };
	struct sp_error err;
	struct page page;
	int status;

	if (request_query_text(r, "cluster", cluster, sizeof(cluster), &err) ||
	    request_query_text(r, "node", node, sizeof(node), &err))
		return request_fail(r, 400, "%s", err.text);
	status = request_check_nodes(r, cluster);
	if (!status)
		status = page_open(r, sizeof(struct engine_link), &page);
	if (status)
		return status;
	query.offset = page.offset;
	query.limit = page.limit;
	engine_list_links(r->http->config.engine, &query,
			  (struct engine_link *)page.elements, &page.count,
			  &page.total);
	return page_reply(r, "links", &page, encode_link);
}
