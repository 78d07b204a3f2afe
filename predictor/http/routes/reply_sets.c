/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_sets.c - node sets in replies */
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/routes/reply_sets.h"
#include "predictor/http/server.h"

static const struct field set_fields[] = {
	FIELD_SENT(engine_set, median_s, NUMBER),
	FIELD_SENT(engine_set, ratio, NUMBER),
	FIELD_SENT(engine_set, cpu_available, NUMBER),
	FIELD_SENT(engine_set, bandwidth_bps, NUMBER),
	FIELD_SENT(engine_set, latency_s, NUMBER),
	FIELD_SENT(engine_set, nodes, TEXT),
	FIELD_SENT(engine_set, stale, UINT),
	FIELD_END,
};

int sets_add_best(struct request *r, const struct prediction *p,
		  const struct submission *job, uint32_t max)
{
	struct engine_set sets[ENGINE_SETS_MAX];
	int count = 0;

	if (request_sees_nodes(r, p->cluster))
		count = engine_best_sets(
			r->http->config.engine, p, job,
			max < ENGINE_SETS_MAX ? (int)max : ENGINE_SETS_MAX,
			sets);

	if (count < 0) {
		json_object_object_add(r->reply, "sets", NULL);
		return 200;
	}
	return request_reply(
		r, "sets",
		json_records(set_fields, sets, (size_t)count, sizeof(*sets)));
}

int sets_add_rejected(struct request *r, const char *cluster,
		      const char *prediction_id)
{
	struct engine_set set;

	if (!*prediction_id || !request_sees_nodes(r, cluster) ||
	    engine_rejected_set(r->http->config.engine, prediction_id, &set)) {
		json_object_object_add(r->reply, "rejected_set", NULL);
		return 0;
	}
	return request_add(r, "rejected_set", json_record(set_fields, &set));
}
