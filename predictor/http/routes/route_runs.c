/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_runs.c - reports of runs; the reply is sent once they are stored */
#include "predictor/http/pending.h"
#include "predictor/http/request.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/server.h"
#include "predictor/wire/wire.h"

static void report_stored(void *context, int rc, const struct sp_error *why)
{
	struct pending *p = context;
	struct request *r = pending_lock(p);

	if (r && rc != STORE_STORED) {
		r->status = pending_failed(r, rc, "not stored", why);
	} else if (r) {
		/* What was not stored comes again. */
		engine_note_missed(r->http->config.engine, p->missed);
		r->status = request_reply(
			r, "stored",
			json_object_new_int64((int64_t)p->records));
	}
	pending_end(p);
}

/* Give `report` to the store, with `missed` runs of which predictd missed the
 * submission.  Returns REQUEST_LATER, or a status. */
static int report_store(struct request *r, const struct store_report *report,
			size_t records, size_t missed)
{
	struct http *http = r->http;
	struct pending *p;
	struct sp_error err;

	/* The store's thread is busy with that: do not keep it waiting. */
	if (!atomic_load(http->config.ready))
		return request_fail(r, 503,
				    "not stored: the history is not "
				    "loaded yet");

	int status = pending_begin(r, &p);

	if (status)
		return status;
	p->records = records;
	p->missed = missed;
	if (http->config.store_ops->put_report(http->config.store, report,
					       report_stored, p, &err))
		pending_refuse(p, "not stored", &err);
	return REQUEST_LATER;
}

int runs_store(struct request *r)
{
	struct json_object *message;
	struct wire_report report = { 0 };
	struct sp_error err;
	int status = 0;

	message = wire_parse(r->body ? r->body : "", r->body_size, &err);
	if (!message || wire_report_decode(message, &report, &err)) {
		json_object_put(message);
		return request_fail(r, 400, "%s", err.text);
	}
	json_object_put(message);

	size_t records =
		report.runs_count + report.shares_count + report.profiles_count;
	size_t missed = 0;

	for (size_t i = 0; i < report.runs_count; i++)
		missed += engine_complete_run(r->http->config.engine,
					      &report.runs[i]);
	for (size_t i = 0; i < report.profiles_count; i++)
		engine_complete_profile(r->http->config.engine,
					&report.profiles[i]);
	if (report.measurements_count) {
		status = request_fail(
			r, 400, "measurements: send them to /v1/measurements");
	} else if (records == 0) {
		status = request_fail(r, 400,
				      "neither runs nor shares nor "
				      "profiles");
	} else {
		struct store_report stored = {
			.runs_count = report.runs_count,
			.shares_count = report.shares_count,
			.runs = report.runs,
			.shares = report.shares,
			.profiles_count = report.profiles_count,
			.profiles = report.profiles,
		};

		status = report_store(r, &stored, records, missed);
	}
	wire_report_clear(&report);
	return status;
}
