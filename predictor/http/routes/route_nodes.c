/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_nodes.c - nodes with their latest measurements and forecasts
 *
 * The query is parsed, the engine gives copies of the nodes, and each
 * becomes an object: measurements, forecasts, speed, and those that are
 * missing by name.
 */
#include <math.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/engine/resources.h"
#include "predictor/http/json_build.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/page.h"
#include "predictor/http/routes/reply_forecast.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

#define HORIZON_MAX_S (400 * 86400.0)

static struct json_object *encode_forecasts(const struct engine_node *node)
{
	struct json_object *object = json_object_new_object();
	bool failed = false;

	for (int i = 0; i < NODE_RESOURCES; i++)
		if (!isnan(node->of[i].value))
			json_add(object, node_resources[i].name,
				 forecast_encode(&node->of[i]), &failed);
	return json_finish(object, failed);
}

/* Names of the resources whose bits are set. */
static struct json_object *encode_names(unsigned bits)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; list && i < NODE_RESOURCES; i++)
		if (bits & 1U << i)
			json_object_array_add(
				list,
				json_object_new_string(node_resources[i].name));
	return list;
}

static const struct field speed_fields[] = {
	FIELD_SENT(node_speed, now, NUMBER),
	FIELD_SENT(node_speed, past, NUMBER),
	FIELD_SENT(node_speed, peers, NUMBER),
	FIELD_SENT(node_speed, slow, BOOL),
	FIELD_END,
};

static struct json_object *encode_history(const struct engine_node *node)
{
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	bool failed = !list;

	for (int i = 0; !failed && i < node->history_count; i++)
		json_object_array_add(
			list, json_number((double)node->history[i], &failed));
	json_add(object, node_resources[node->history_of].name, list, &failed);
	return json_finish(object, failed);
}

static struct json_object *encode_node(const void *element)
{
	const struct engine_node *node = element;
	struct json_object *object = wire_measurement_encode(&node->last);
	bool failed = false;

	json_add(object, "cluster", json_object_new_string(node->cluster),
		 &failed);
	json_add(object, "fresh", json_object_new_boolean(node->fresh),
		 &failed);
	json_add(object, "forecast", encode_forecasts(node), &failed);
	json_add(object, "stuck", encode_names(node->stuck), &failed);
	json_add(object, "jumping", encode_names(node->jumping), &failed);
	json_add(object, "speed", json_record(speed_fields, &node->speed),
		 &failed);
	if (node->history_count)
		json_add(object, "history", encode_history(node), &failed);
	return json_finish(object, failed);
}

static int find_resource(const char *name, enum node_resource *ret,
			 struct sp_error *err)
{
	for (int i = 0; i < NODE_RESOURCES; i++) {
		if (strcmp(node_resources[i].name, name) == 0) {
			*ret = (enum node_resource)i;
			return 0;
		}
	}
	return sp_error_set(err, "resource: %.40s is none of a node", name);
}

static int nodes_query_parse(struct request *r, char cluster[RUN_NAME_SIZE],
			     struct engine_nodes_query *ret,
			     struct sp_error *err)
{
	char resource[RUN_NAME_SIZE];
	uint32_t history, slow;

	if (request_query_text(r, "cluster", cluster, RUN_NAME_SIZE, err) ||
	    request_query_text(r, "resource", resource, sizeof(resource),
			       err) ||
	    request_query_real(r, "horizon", NODES_HORIZON_S, &ret->horizon_s,
			       err) ||
	    request_query_number(r, "history", 0, &history, err) ||
	    request_query_number(r, "slow", 0, &slow, err))
		return -1;
	if (history > RESOURCES_HISTORY_MAX)
		return sp_error_set(err, "history: not 0 to %d",
				    RESOURCES_HISTORY_MAX);
	if (ret->horizon_s > HORIZON_MAX_S)
		return sp_error_set(err, "horizon: too far");
	ret->cluster = cluster;
	ret->history = (int)history;
	ret->slow = slow != 0;
	ret->history_of = NODE_CPU_AVAILABLE;
	return *resource ? find_resource(resource, &ret->history_of, err) : 0;
}

int nodes_list(struct request *r)
{
	struct engine_nodes_query query = { .now_s = clock_now_s() };
	char cluster[RUN_NAME_SIZE];
	struct sp_error err;
	struct page page;
	int status;

	if (nodes_query_parse(r, cluster, &query, &err))
		return request_fail(r, 400, "%s", err.text);
	status = request_check_nodes(r, cluster);
	if (!status && request_is_kept(r, 0))
		return 200;
	if (!status)
		status = page_open(r, sizeof(struct engine_node), &page);
	if (status)
		return status;
	query.offset = page.offset;
	query.limit = page.limit;
	if (engine_list_nodes(r->http->config.engine, &query,
			      (struct engine_node *)page.elements, &page.count,
			      &page.total, &err)) {
		page_close(&page);
		return request_out_of_memory(r);
	}
	return page_reply(
		r, "nodes", &page,
		json_array(page.elements, page.count, page.size, encode_node));
}
