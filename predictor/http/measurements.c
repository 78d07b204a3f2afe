/* measurements.c - take in the state of nodes
 *
 * Answered at once: a lost measurement is followed by the next one, so it is
 * not worth anybody's waiting.
 */
#include "predictor/base/log.h"
#include "predictor/http/handlers.h"
#include "predictor/http/request.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

static int take(struct request *r, const struct wire_report *report)
{
	const struct http_config *config = &r->http->config;
	struct sp_error err;
	int64_t taken = 0;

	if (report->runs_count || report->shares_count)
		return request_fail(r, 400, "runs: not taken here");
	if (!report->measurements_count && !report->links_count)
		return request_fail(r, 400, "no measurements");
	for (size_t i = 0; i < report->measurements_count; i++) {
		if (engine_measure(config->engine, report->cluster,
				   &report->measurements[i], &err))
			log_debug("measurement %zu: %s", i, err.text);
		else
			taken++;
	}
	config->store_ops->put_measurements(config->store, report->cluster,
					    report->measurements,
					    report->measurements_count);
	if (request_add(r, "taken", json_object_new_int64(taken)))
		return request_out_of_memory(r);
	return 200;
}

int measurements_take(struct request *r)
{
	struct wire_report report = { 0 };
	struct sp_error err;
	struct json_object *message =
		wire_parse(r->body ? r->body : "", r->body_size, &err);
	int status;

	if (!message || wire_report_decode(message, &report, &err)) {
		json_object_put(message);
		return request_fail(r, 400, "%s", err.text);
	}
	status = take(r, &report);
	json_object_put(message);
	wire_report_clear(&report);
	return status;
}
