/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_trace.c - a traced run as a message
 *
 * The run's fields, its nodes, the links between them, then the ranks, whose
 * events run_trace_decode() makes one matched trace.  Memory follows what is
 * really there: each array's length, and the bytes of each rank's text.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/base64.h"
#include "predictor/wire/fields.h"
#include "predictor/wire/trace/json_trace.h"

#define EVENTS_TEXT_MAX (256 << 20)

/* --- Fields --------------------------------------------------------------- */

static const struct field run_rows[] = {
	FIELD(run_trace, cluster, TEXT),
	FIELD(run_trace, application, TEXT),
	FIELD(run_trace, user, TEXT, .sparse = true),
	FIELD(run_trace, job_id, UINT),
	FIELD_ROW(run_trace, job_s, KNOWN, .name = "runtime_s",
		  .required = true),
	FIELD(run_trace, programs, INT),
	FIELD(run_trace, spinning, BOOL),
	{ .name = NULL },
};

/* Only files have these. */
static const struct field file_rows[] = {
	FIELD(run_trace, procedure, TEXT),
	FIELD(run_trace, rendezvous_bytes, INT8),
	{ .name = NULL },
};

static const struct field node_rows[] = {
	FIELD(traced_node, name, TEXT, .required = true),
	FIELD(traced_node, cores, KNOWN, .max = 65536, .sparse = true),
	FIELD(traced_node, cpu_available, KNOWN, .max = 1, .sparse = true),
	FIELD(traced_node, cpu_speed, KNOWN, .sparse = true),
	FIELD(traced_node, cpu_turn_s, KNOWN, .max = 1, .sparse = true),
	{ .name = NULL },
};

static const struct field link_rows[] = {
	FIELD(traced_link, from, TEXT, .required = true),
	FIELD(traced_link, to, TEXT, .required = true),
	FIELD(traced_link, latency_s, KNOWN, .required = true),
	FIELD(traced_link, bandwidth_bps, KNOWN, .required = true),
	{ .name = NULL },
};

struct rank_fields {
	char node[HOSTLIST_NAME_SIZE];
	const char *events;
};

static const struct field rank_rows[] = {
	FIELD(rank_fields, node, TEXT, .required = true),
	FIELD(rank_fields, events, LENT, .max = EVENTS_TEXT_MAX,
	      .required = true),
	{ .name = NULL },
};

/* --- Decoding ------------------------------------------------------------- */

/* The elements of an array; *ret is NULL if it is missing. */
static int find_array(struct json_object *message, const char *name, int max,
		      struct json_object **ret, int *ret_count,
		      struct sp_error *err)
{
	*ret = NULL;
	*ret_count = 0;
	if (!json_object_object_get_ex(message, name, ret) || !*ret)
		return 0;
	if (!json_object_is_type(*ret, json_type_array) ||
	    json_object_array_length(*ret) > (size_t)max)
		return sp_error_set(err, "%s: must be an array of at most %d",
				    name, max);
	*ret_count = (int)json_object_array_length(*ret);
	return 0;
}

/* An element of an array; the error names it. */
static int decode_row(const struct field rows[], struct json_object *array,
		      const char *name, int i, void *into, struct sp_error *err)
{
	struct sp_error why;

	if (fields_decode(rows, json_object_array_get_idx(array, (size_t)i),
			  into, &why))
		return sp_error_set(err, "%s[%d].%.150s", name, i, why.text);
	return 0;
}

static int decode_nodes(struct json_object *array, struct run_trace *run,
			struct sp_error *err)
{
	run->nodes = calloc((size_t)run->nodes_count + 1, sizeof(*run->nodes));
	if (!run->nodes)
		return sp_error_set(err, "out of memory for a trace");
	for (int i = 0; i < run->nodes_count; i++) {
		struct traced_node node = { "", 1, 1, 1, 0 };

		if (decode_row(node_rows, array, "nodes", i, &node, err))
			return -1;
		if (!*node.name || run_trace_find_node(run, node.name) >= 0)
			return sp_error_set(err,
					    "nodes[%d].name: is empty, or "
					    "was there before",
					    i);
		if (!(node.cores > 0 && node.cpu_available > 0 &&
		      node.cpu_speed > 0))
			return sp_error_set(err,
					    "nodes[%d]: no cores, share "
					    "or speed",
					    i);
		run->nodes[i] = node;
	}
	return 0;
}

static int decode_links(struct json_object *array, struct run_trace *run,
			struct sp_error *err)
{
	run->measured =
		calloc((size_t)run->measured_count + 1, sizeof(*run->measured));
	if (!run->measured)
		return sp_error_set(err, "out of memory for a trace");
	for (int i = 0; i < run->measured_count; i++) {
		struct traced_link *link = &run->measured[i];

		if (decode_row(link_rows, array, "links", i, link, err))
			return -1;
		if (run_trace_find_node(run, link->from) < 0 ||
		    run_trace_find_node(run, link->to) < 0 ||
		    !(link->bandwidth_bps > 0))
			return sp_error_set(err,
					    "links[%d]: no such nodes, or "
					    "no bandwidth",
					    i);
	}
	return 0;
}

static int decode_ranks(struct json_object *array, struct run_trace *run,
			struct sp_error *err)
{
	for (int i = 0; i < run->ranks; i++) {
		struct rank_fields fields = { .events = NULL };
		struct rank_bytes *bytes = &run->bytes[i];
		long count;

		if (decode_row(rank_rows, array, "ranks", i, &fields, err))
			return -1;
		run->node[i] = run_trace_find_node(run, fields.node);
		if (run->node[i] < 0)
			return sp_error_set(err, "ranks[%d].node: no such node",
					    i);

		size_t size = strlen(fields.events);

		bytes->data = malloc(size + 1);
		if (!bytes->data)
			return sp_error_set(err, "out of memory for a trace");
		count = wire_base64_decode(fields.events, size, bytes->data);
		if (count < 0)
			return sp_error_set(
				err, "ranks[%d].events: is no base64", i);
		bytes->size = (size_t)count;
	}
	return 0;
}

/* Decode all but the events, which stay run->bytes. */
static int decode_run(struct json_object *message, struct run_trace *ret,
		      struct sp_error *err)
{
	struct run_trace run = { .programs = 1,
				 .rendezvous_bytes =
					 RUN_TRACE_RENDEZVOUS_BYTES };
	struct json_object *nodes, *links, *ranks;

	if (!json_object_is_type(message, json_type_object))
		return sp_error_set(err, "a trace must be an object");
	if (fields_decode(run_rows, message, &run, err) ||
	    fields_decode(file_rows, message, &run, err))
		return -1;
	if (!(run.job_s > 0))
		return sp_error_set(err, "runtime_s: must be more than 0");
	if (find_array(message, "nodes", RUN_TRACE_NODES_MAX, &nodes,
		       &run.nodes_count, err) ||
	    find_array(message, "links", RUN_TRACE_NODES_MAX * 64, &links,
		       &run.measured_count, err) ||
	    find_array(message, "ranks", TRACE_RANKS_MAX, &ranks, &run.ranks,
		       err) ||
	    decode_nodes(nodes, &run, err) || decode_links(links, &run, err) ||
	    run_trace_allocate(&run, err) || decode_ranks(ranks, &run, err)) {
		run_trace_clear(&run);
		return -1;
	}
	*ret = run;
	return 0;
}

int wire_trace_decode(struct json_object *message, struct run_trace *ret,
		      struct sp_error *err)
{
	struct run_trace run;

	if (decode_run(message, &run, err))
		return -1;
	if (run_trace_decode(&run, err)) {
		run_trace_clear(&run);
		return -1;
	}
	*ret = run;
	return 0;
}

int wire_trace_choose(struct json_object *traces, struct run_trace *ret,
		      struct sp_error *err)
{
	size_t count = json_object_array_length(traces);
	struct run_trace other;

	if (wire_trace_decode(json_object_array_get_idx(traces, 0), ret, err))
		return -1;
	for (size_t i = 1; i < count; i++)
		if (!decode_run(json_object_array_get_idx(traces, i), &other,
				NULL))
			run_trace_offer(ret, &other);
	return 0;
}

/* --- Printing ------------------------------------------------------------- */

static void print_rows(struct wire_text *out, const char *before,
		       const struct field rows[], const void *elements,
		       size_t size, int count)
{
	wire_text_add_constant(out, before);
	for (int i = 0; i < count; i++) {
		if (i)
			wire_text_add_constant(out, ",");
		fields_print(rows, (const char *)elements + (size_t)i * size,
			     out);
	}
}

static int print_rank(struct wire_text *out, const struct run_trace *run, int i,
		      struct sp_error *err)
{
	const struct rank_bytes *bytes = &run->bytes[i];
	char *text = malloc(WIRE_BASE64_SIZE(bytes->size) + 1);
	struct rank_fields rank = { .events = text };

	if (!text)
		return sp_error_set(err, "out of memory for a trace");
	text[wire_base64_encode(bytes->data, bytes->size, text)] = '\0';
	strcpy(rank.node, run->nodes[run->node[i]].name);
	fields_print(rank_rows, &rank, out);
	free(text);
	return 0;
}

int wire_trace_print(const struct run_trace *run, struct wire_text *out,
		     struct sp_error *err)
{
	fields_print(run_rows, run, out);
	if (out->size)
		out->size--; /* its "}" */
	print_rows(out, ",\"nodes\":[", node_rows, run->nodes,
		   sizeof(*run->nodes), run->nodes_count);
	print_rows(out, "],\"links\":[", link_rows, run->measured,
		   sizeof(*run->measured), run->measured_count);
	wire_text_add_constant(out, "],\"ranks\":[");
	for (int i = 0; i < run->ranks; i++) {
		if (i)
			wire_text_add_constant(out, ",");
		if (print_rank(out, run, i, err))
			return -1;
	}
	wire_text_add_constant(out, "]}");
	return 0;
}
