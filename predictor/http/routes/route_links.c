/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_links.c - links between nodes, measured and forecast */
#include "predictor/base/clock.h"
#include "predictor/engine/resources.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/page.h"
#include "predictor/http/server.h"

#define FORECAST(member) \
	FIELD_ROW(engine_link, forecast.member, NUMBER, .name = #member)

static const struct field link_fields[] = {
	FIELD_SENT(engine_link, cluster, TEXT),
	FIELD_SENT(engine_link, from, TEXT),
	FIELD_SENT(engine_link, to, TEXT),
	FORECAST(time_s),
	FIELD_SENT(engine_link, fresh, BOOL),
	FORECAST(bandwidth_bps),
	FORECAST(bandwidth_error),
	FORECAST(latency_s),
	FORECAST(latency_error),
	FORECAST(utilisation),
	FIELD_END,
};

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
	if (!status && request_is_kept(r, 0))
		return 200;
	if (!status)
		status = page_open(r, sizeof(struct engine_link), &page);
	if (status)
		return status;
	query.offset = page.offset;
	query.limit = page.limit;
	engine_list_links(r->http->config.engine, &query,
			  (struct engine_link *)page.elements, &page.count,
			  &page.total);
	return page_reply_records(r, "links", &page, link_fields);
}
