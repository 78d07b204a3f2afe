/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_order.c - on which node of a job each of its ranks should be
 *
 * The collector of the job's first node asks when the job starts.  The reply
 * comes at once: an order that was computed before, or that it is being
 * computed, and then the collector asks again.
 */
#include "predictor/http/json_build.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/order_find.h"
#include "predictor/http/server.h"

static struct json_object *encode_name(const void *element)
{
	return json_object_new_string(element);
}

static int reply_order(struct request *r, enum order_state state,
		       enum prediction_mode mode,
		       const struct rank_order *order)
{
	static const char *const names[] = {
		[ORDER_BEGIN] = "computing",
		[ORDER_COMPUTING] = "computing",
		[ORDER_NONE] = "none",
		[ORDER_READY] = "ready",
	};
	bool failed = false;

	if (request_add(r, "state", json_object_new_string(names[state])))
		return request_out_of_memory(r);
	if (state != ORDER_READY)
		return 200;

	struct json_object *gain = json_number(order->gain_low, &failed);

	if (failed || request_add(r, "gain", gain) ||
	    request_add(r, "mode",
			json_object_new_string(prediction_mode_name(mode))))
		return request_out_of_memory(r);
	return request_reply(r, "ranks",
			     json_array(order->names, (size_t)order->ranks,
					sizeof(order->names[0]), encode_name));
}

int order_show(struct request *r)
{
	char id[PREDICTION_ID_SIZE], nodes[REQUEST_TARGET_SIZE];
	struct prediction p;
	struct sp_error err;

	if (request_query_text(r, "prediction", id, sizeof(id), &err) ||
	    request_query_text(r, "nodes", nodes, sizeof(nodes), &err))
		return request_fail(r, 400, "%s", err.text);
	if (!id[0] || !nodes[0])
		return request_fail(r, 400, "%s: missing",
				    id[0] ? "nodes" : "prediction");
	if (engine_prediction(r->http->config.engine, id, STAGE_SUBMISSION, &p))
		return request_fail(r, 404, "there is no prediction %s", id);

	struct rank_order order = { 0 };
	enum order_state state = order_find(r->http, &p, nodes, true, &order);
	int status = reply_order(r, state, p.mode, &order);

	rank_order_clear(&order);
	return status;
}
