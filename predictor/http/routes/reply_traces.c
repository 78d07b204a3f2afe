/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_traces.c - traces of the store as a reply (json_trace.h)
 *
 * Printed as text, as a trace is megabytes.
 */

#include "predictor/http/routes/reply_traces.h"
#include "predictor/http/routes/stored_traces.h"
#include "predictor/wire/trace/json_trace.h"

static void hide_nodes(struct run_trace *run)
{
	run->measured_count = 0;
	for (int n = 0; n < run->nodes_count; n++) {
		struct traced_node *node = &run->nodes[n];

		node->cpu_available = node->cpu_speed = node->cpu_turn_s = 0;
	}
}

char *traces_reply_make(struct store_trace *traces, size_t count, bool nodes,
			size_t *ret_size, struct sp_error *err)
{
	struct wire_text out = { .bytes = NULL };
	bool any = false;
	int rc = 0;

	sp_error_set(err, "there is no such trace");
	wire_text_add_constant(&out, "{\"traces\":[");
	for (size_t i = 0; i < count && rc >= 0; i++) {
		struct run_trace run;

		rc = stored_trace_take(&traces[i], &run, err);
		if (rc)
			continue;
		if (any)
			wire_text_add_constant(&out, ",");
		any = true;
		if (!nodes)
			hide_nodes(&run);
		rc = wire_trace_print(&run, &out, err);
		run_trace_clear(&run);
	}
	wire_text_add_constant(&out,
			       "],\"errors\":[],\"warnings\":[],"
			       "\"meta\":{\"version\":\"" SP_VERSION "\"}}");
	if (out.failed)
		rc = sp_error_set(err, "out of memory for a trace");
	if (rc < 0 || !any) {
		wire_text_clear(&out);
		return NULL;
	}
	*ret_size = out.size;
	return out.bytes;
}
