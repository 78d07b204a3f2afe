/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_measurements.c - add measurements of nodes and links
 *
 * The reply is sent before they are stored: the next measurement soon replaces
 * one that is lost.
 */
#include "predictor/base/log.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

static void add_nodes(const struct http_config *config,
		      const struct wire_report *report, int64_t *taken)
{
	struct sp_error err;

	for (size_t i = 0; i < report->measurements_count; i++) {
		if (engine_measure(config->engine, report->cluster,
				   &report->measurements[i], &err))
			log_debug("measurement %zu: %s", i, err.text);
		else
			++*taken;
	}
	if (report->measurements_count)
		config->store_ops->put_measurements(
			config->store, report->cluster, report->measurements,
			report->measurements_count);
}

static void add_links(const struct http_config *config,
		      const struct wire_report *report, int64_t *taken)
{
	struct sp_error err;

	for (size_t i = 0; i < report->links_count; i++) {
		if (engine_measure_link(config->engine, report->cluster,
					&report->links[i], &err))
			log_debug("link %zu: %s", i, err.text);
		else
			++*taken;
	}
	if (report->links_count)
		config->store_ops->put_links(config->store, report->cluster,
					     report->links,
					     report->links_count);
}

static int add_report(struct request *r, const struct wire_report *report)
{
	const struct http_config *config = &r->http->config;
	int64_t taken = 0;

	if (report->runs_count || report->shares_count)
		return request_fail(r, 400, "runs: send them to /v1/runs");
	if (report->measurements_count == 0 && report->links_count == 0)
		return request_fail(r, 400, "no measurements");
	add_nodes(config, report, &taken);
	add_links(config, report, &taken);
	return request_reply(r, "taken", json_object_new_int64(taken));
}

int measurements_add(struct request *r)
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
	status = add_report(r, &report);
	json_object_put(message);
	wire_report_clear(&report);
	return status;
}
