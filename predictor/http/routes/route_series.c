/* SPDX-License-Identifier: GPL-2.0-or-later */
/* route_series.c - samples and forecasts of one resource */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/engine/resources.h"
#include "predictor/http/json_build.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/routes/reply_forecast.h"
#include "predictor/http/server.h"

static struct json_object *encode_samples(const struct engine_series *s)
{
	struct json_object *list = json_object_new_array();
	bool failed = !list;

	for (int i = 0; !failed && i < s->count; i++) {
		struct json_object *sample = json_object_new_array();

		failed = !sample || json_object_array_add(list, sample);
		if (failed)
			break;
		json_object_array_add(sample,
				      json_number(s->times_s[i], &failed));
		json_object_array_add(sample,
				      json_number(s->values[i], &failed));
	}
	return list ? json_finish(list, failed) : NULL;
}

static struct json_object *
encode_forecasts(const struct engine_series_query *query,
		 const struct engine_series *s)
{
	struct json_object *list = json_object_new_array();
	bool failed = !list;

	for (int i = 0; !failed && i < query->horizons_count; i++) {
		struct json_object *f = forecast_encode(&s->forecasts[i]);

		failed = !f || json_object_array_add(list, f);
		if (!failed)
			json_add_number(f, "horizon_s", query->horizons_s[i],
					&failed);
	}
	return list ? json_finish(list, failed) : NULL;
}

static const struct field series_fields[] = {
	FIELD_SENT(engine_series, fresh, BOOL),
	FIELD_SENT(engine_series, sticks, BOOL),
	FIELD_SENT(engine_series, jumps, BOOL),
	FIELD_SENT(engine_series, step_s, NUMBER),
	FIELD_SENT(engine_series, expiry_s, NUMBER),
	FIELD_END,
};

static struct json_object *encode_series(const struct engine_series_query *q,
					 const struct engine_series *s)
{
	struct json_object *object = json_object_new_object();
	const struct {
		const char *key, *value;
	} texts[] = {
		{ "cluster", s->cluster }, { "resource", q->resource },
		{ "node", q->node },       { "from", q->from },
		{ "to", q->to },
	};
	bool failed = false;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (*texts[i].value)
			json_add(object, texts[i].key,
				 json_object_new_string(texts[i].value),
				 &failed);
	json_add_fields(object, series_fields, s, &failed);
	json_add(object, "samples", encode_samples(s), &failed);
	json_add(object, "forecasts", encode_forecasts(q, s), &failed);
	return json_finish(object, failed);
}

/* "60,300,1800", each in seconds. */
static int horizons_parse(const char *text, struct engine_series_query *ret,
			  struct sp_error *err)
{
	while (*text) {
		char *end;
		double seconds = strtod(text, &end);

		if (end == text || (*end && *end != ',') ||
		    !(seconds >= 0 && isfinite(seconds)))
			return sp_error_set(err, "horizon: not seconds: %.32s",
					    text);
		if (ret->horizons_count == RESOURCES_HORIZONS_MAX)
			return sp_error_set(err, "horizon: more than %d",
					    RESOURCES_HORIZONS_MAX);
		ret->horizons_s[ret->horizons_count++] = seconds;
		text = *end ? end + 1 : end;
	}
	return 0;
}

#define HORIZONS "60,300,1800,7200" /* the default */

int series_show(struct request *r)
{
	char cluster[RUN_NAME_SIZE], node[HOSTLIST_NAME_SIZE];
	char from[HOSTLIST_NAME_SIZE], to[HOSTLIST_NAME_SIZE], horizons[256];
	struct engine_series_query query = { .cluster = cluster,
					     .resource = r->captured,
					     .node = node,
					     .from = from,
					     .to = to,
					     .now_s = clock_now_s() };
	struct engine_series *series;
	struct sp_error err;
	int status;

	if (request_query_text(r, "cluster", cluster, sizeof(cluster), &err) ||
	    request_query_text(r, "node", node, sizeof(node), &err) ||
	    request_query_text(r, "from", from, sizeof(from), &err) ||
	    request_query_text(r, "to", to, sizeof(to), &err) ||
	    request_query_text(r, "horizon", horizons, sizeof(horizons),
			       &err) ||
	    horizons_parse(*horizons ? horizons : HORIZONS, &query, &err))
		return request_fail(r, 400, "%s", err.text);
	if (!*node && !(*from && *to))
		return request_fail(r, 400, "node, or from and to: missing");
	status = request_check_nodes(r, cluster);
	if (status)
		return status;
	series = malloc(sizeof(*series));
	if (!series)
		return request_out_of_memory(r);
	if (engine_series(r->http->config.engine, &query, series, &err))
		status = request_fail(r, 404, "%s", err.text);
	else
		status = request_reply(r, "series",
				       encode_series(&query, series));
	free(series);
	return status;
}
