/* SPDX-License-Identifier: GPL-2.0-or-later */
/* use_json.c - what runs used, and what to request next time, as JSON */
#include <string.h>

#include "predictor/http/use_json.h"

struct shown_use {
	struct used_run run;
	double node_memory_mb, time_used, cpu_used, memory_used;
};

static const struct field run_use_fields[] = {
	FIELD_ROW(shown_use, run.runtime_s, NUMBER, .name = "runtime_s"),
	FIELD_ROW(shown_use, run.limit_s, NUMBER, .name = "limit_s"),
	FIELD_SENT(shown_use, time_used, NUMBER),
	FIELD_ROW(shown_use, run.cpu_s, NUMBER, .name = "cpu_s"),
	FIELD_ROW(shown_use, run.cpus, UINT, .name = "cpus"),
	FIELD_SENT(shown_use, cpu_used, NUMBER),
	FIELD_ROW(shown_use, run.peak_memory_mb, NUMBER,
		  .name = "peak_memory_mb"),
	FIELD_ROW(shown_use, run.cached_memory_mb, NUMBER,
		  .name = "cached_memory_mb"),
	FIELD_SENT(shown_use, node_memory_mb, NUMBER),
	FIELD_SENT(shown_use, memory_used, NUMBER),
	FIELD_END,
};

struct json_object *use_encode_run(const struct used_run *run)
{
	const struct shown_use shown = {
		.run = *run,
		.node_memory_mb = used_run_node_mb(run),
		.time_used = used_run_time(run),
		.cpu_used = used_run_cpu(run),
		.memory_used = used_run_memory(run),
	};

	return json_record(run_use_fields, &shown);
}

static const struct field advice_fields[] = {
	FIELD_SENT(next_request, runs, UINT),
	FIELD_SENT(next_request, matching, UINT),
	FIELD_SENT(next_request, limit_s, NUMBER),
	FIELD_SENT(next_request, memory_mb, NUMBER),
	FIELD_SENT(next_request, cpus, UINT),
	FIELD_SENT(next_request, options, TEXT),
	FIELD_SENT(next_request, why, TEXT),
	FIELD_END,
};

struct json_object *use_encode_advice(const struct used_run *like,
				      const struct store_use *rows,
				      size_t count)
{
	struct used_run runs[NEXT_REQUEST_RUNS];
	struct next_request next;

	if (count > NEXT_REQUEST_RUNS)
		count = NEXT_REQUEST_RUNS;
	for (size_t i = 0; i < count; i++)
		runs[i] = rows[i].run;
	next_request_find(like, runs, count, &next);
	return json_record(advice_fields, &next);
}

static const struct field group_fields[] = {
	FIELD_SENT(store_use, group, TEXT),
	FIELD_SENT(store_use, runs, INT8),
	FIELD_SENT(store_use, runtime_s, NUMBER),
	FIELD_SENT(store_use, time_used, NUMBER),
	FIELD_SENT(store_use, cpu_used, NUMBER),
	FIELD_SENT(store_use, memory_used, NUMBER),
	FIELD_SENT(store_use, peak_memory_mb, NUMBER),
	FIELD_END,
};

struct json_object *use_encode_groups(const struct store_use *rows,
				      size_t count, bool advised,
				      const struct used_run *like)
{
	struct json_object *array = json_object_new_array();
	bool failed = !array;

	for (size_t i = 0, next; !failed && i < count; i = next) {
		struct json_object *group = json_record(group_fields, &rows[i]);
		struct used_run own = rows[i].run;

		for (next = i + 1;
		     next < count && !strcmp(rows[next].group, rows[i].group);)
			next++;
		own.memory_unadvised = like->memory_unadvised;
		own.parameters.count = 0; /* for any of the next runs */
		failed = !group || json_object_array_add(array, group);
		if (failed)
			json_object_put(group);
		else if (advised)
			json_add(group, "advice",
				 use_encode_advice(like->nodes ? like : &own,
						   &rows[i], next - i),
				 &failed);
	}
	return array ? json_finish(array, failed) : NULL;
}
