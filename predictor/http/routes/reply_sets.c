/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_sets.c - node sets in replies */
#include <string.h>

#include "predictor/http/json_build.h"
#include "predictor/http/routes/reply_sets.h"
#include "predictor/http/server.h"

static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
	{ "median_s", offsetof(struct engine_set, median_s) },
	{ "ratio", offsetof(struct engine_set, ratio) },
	{ "cpu_available", offsetof(struct engine_set, cpu_available) },
	{ "bandwidth_bps", offsetof(struct engine_set, bandwidth_bps) },
	{ "latency_s", offsetof(struct engine_set, latency_s) },
	{ .name = NULL },
};

static struct json_object *encode_set(const void *element)
{
	const struct engine_set *set = element;
	struct json_object *object = json_object_new_object();
	bool failed = false;

	if (!object)
		return NULL;
	for (int i = 0; numbers[i].name; i++) {
		double number;

		memcpy(&number, (const char *)set + numbers[i].offset,
		       sizeof(number));
		json_add_number(object, numbers[i].name, number, &failed);
	}
	json_add(object, "nodes", json_object_new_string(set->nodes), &failed);
	json_add(object, "stale", json_object_new_int64(set->stale), &failed);
	return json_finish(object, failed);
}

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
	return request_add(r, "sets",
			   json_array(sets, (size_t)count, sizeof(*sets),
				      encode_set))
		       ? request_out_of_memory(r)
		       : 200;
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
	return request_add(r, "rejected_set", encode_set(&set))
		       ? request_out_of_memory(r)
		       : 0;
}
