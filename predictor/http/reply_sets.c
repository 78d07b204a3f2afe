/* reply_sets.c - node sets in replies */
#include "predictor/http/server.h"
#include "predictor/http/reply_sets.h"

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

/* NULL: out of memory. */
static struct json_object *encode(const struct engine_set *set)
{
	struct json_object *object = json_object_new_object();
	struct json_object *nodes = json_object_new_string(set->nodes);
	struct json_object *stale = json_object_new_int64(set->stale);
	bool failed = !object || !nodes || !stale;

	for (int i = 0; !failed && numbers[i].name; i++) {
		const void *at = (const char *)set + numbers[i].offset;

		json_object_object_add(
			object, numbers[i].name,
			request_number(*(const double *)at, &failed));
	}
	if (failed) {
		json_object_put(object);
		json_object_put(nodes);
		json_object_put(stale);
		return NULL;
	}
	json_object_object_add(object, "nodes", nodes);
	json_object_object_add(object, "stale", stale);
	return object;
}

int sets_add_best(struct request *r, const struct prediction *p,
		  const struct submission *job, uint32_t max)
{
	struct engine_set sets[ENGINE_SETS_MAX];
	int count = engine_best_sets(
		r->http->config.engine, p, job->required_nodes,
		job->excluded_nodes,
		max < ENGINE_SETS_MAX ? (int)max : ENGINE_SETS_MAX, sets);
	struct json_object *list;

	if (count < 0) {
		json_object_object_add(r->reply, "sets", NULL);
		return 200;
	}
	list = json_object_new_array();
	for (int i = 0; list && i < count; i++) {
		struct json_object *set = encode(&sets[i]);

		if (!set || json_object_array_add(list, set)) {
			json_object_put(set);
			json_object_put(list);
			list = NULL;
		}
	}
	return request_add(r, "sets", list) ? request_out_of_memory(r) : 200;
}

int sets_add_rejected(struct request *r, const char *prediction_id)
{
	struct engine_set set;

	if (!*prediction_id ||
	    engine_rejected_set(r->http->config.engine, prediction_id, &set)) {
		json_object_object_add(r->reply, "rejected_set", NULL);
		return 0;
	}
	return request_add(r, "rejected_set", encode(&set))
		       ? request_out_of_memory(r)
		       : 0;
}
