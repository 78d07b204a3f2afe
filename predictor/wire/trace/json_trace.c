/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_trace.c - a traced run as a message
 *
 * The run's fields, its nodes, the links between them, then the ranks, whose
 * events become one matched trace.  Memory follows what is really there: each
 * array's length, and the bytes of each rank's text.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/trace_format.h"
#include "predictor/wire/base64.h"
#include "predictor/wire/fields.h"
#include "predictor/wire/trace/json_trace.h"

#define EVENTS_TEXT_MAX (256 << 20)

/* --- Fields --------------------------------------------------------------- */

struct run_fields {
	uint32_t job_id;
	char application[RUN_TRACE_NAME_SIZE];
	char user[RUN_TRACE_NAME_SIZE];
	char procedure[RUN_TRACE_NAME_SIZE];
	double runtime_s;
	uint32_t programs;
	bool spinning;
	int64_t rendezvous_bytes;
};

static const struct field run_rows[] = {
	FIELD(run_fields, job_id, UINT),
	FIELD(run_fields, application, TEXT),
	FIELD(run_fields, user, TEXT),
	FIELD(run_fields, procedure, TEXT),
	FIELD(run_fields, runtime_s, KNOWN, .required = true),
	FIELD(run_fields, programs, UINT),
	FIELD(run_fields, spinning, BOOL),
	FIELD(run_fields, rendezvous_bytes, INT8),
	{ .name = NULL },
};

static const struct field node_rows[] = {
	FIELD(traced_node, name, TEXT, .required = true),
	FIELD(traced_node, cores, KNOWN, .max = 65536),
	FIELD(traced_node, cpu_available, KNOWN, .max = 1),
	FIELD(traced_node, cpu_speed, KNOWN),
	FIELD(traced_node, cpu_turn_s, KNOWN, .max = 1),
	{ .name = NULL },
};

struct link_fields {
	char from[HOSTLIST_NAME_SIZE];
	char to[HOSTLIST_NAME_SIZE];
	double latency_s;
	double bandwidth_bps;
};

static const struct field link_rows[] = {
	FIELD(link_fields, from, TEXT, .required = true),
	FIELD(link_fields, to, TEXT, .required = true),
	FIELD(link_fields, latency_s, KNOWN, .required = true),
	FIELD(link_fields, bandwidth_bps, KNOWN, .required = true),
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

/* --- Nodes and links ------------------------------------------------------ */

static int decode_nodes(struct json_object *message, struct run_trace *run,
			struct sp_error *err)
{
	struct json_object *array;

	if (find_array(message, "nodes", RUN_TRACE_NODES_MAX, &array,
		       &run->nodes_count, err))
		return -1;
	if (run->nodes_count < 1)
		return sp_error_set(err, "nodes: is empty");

	int n = run->nodes_count;

	run->nodes = calloc((size_t)n, sizeof(*run->nodes));
	run->links = calloc((size_t)n * (size_t)n, sizeof(*run->links));
	if (!run->nodes || !run->links)
		return sp_error_set(err, "out of memory for a trace");
	for (int i = 0; i < n; i++) {
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
	for (int i = 0; i < n * n; i++)
		run->links[i] = i / n == i % n ? RUN_TRACE_NEAR : RUN_TRACE_FAR;
	return 0;
}

static int decode_links(struct json_object *message, struct run_trace *run,
			struct sp_error *err)
{
	struct json_object *array;
	int count;

	if (find_array(message, "links", RUN_TRACE_NODES_MAX * 64, &array,
		       &count, err))
		return -1;
	for (int i = 0; i < count; i++) {
		struct link_fields link = { 0 };

		if (decode_row(link_rows, array, "links", i, &link, err))
			return -1;

		int from = run_trace_find_node(run, link.from);
		int to = run_trace_find_node(run, link.to);

		if (from < 0 || to < 0 || !(link.bandwidth_bps > 0))
			return sp_error_set(err,
					    "links[%d]: no such nodes, or "
					    "no bandwidth",
					    i);
		run->links[from * run->nodes_count + to] =
			(struct replay_link){ link.latency_s,
					      link.bandwidth_bps / 8 };
	}
	return 0;
}

/* --- Ranks ---------------------------------------------------------------- */

static int decode_rank(struct json_object *array, int i, struct run_trace *run,
		       struct trace_event **ret, int *ret_count,
		       struct sp_error *err)
{
	struct rank_fields fields = { .events = NULL };
	struct rank_trace rank;
	struct sp_error why;

	if (decode_row(rank_rows, array, "ranks", i, &fields, err))
		return -1;
	run->node[i] = run_trace_find_node(run, fields.node);
	if (run->node[i] < 0)
		return sp_error_set(err, "ranks[%d].node: no such node", i);

	size_t size = strlen(fields.events);
	unsigned char *bytes = malloc(size + 1);

	if (!bytes)
		return sp_error_set(err, "out of memory for a trace");

	long count = wire_base64_decode(fields.events, size, bytes);
	int rc = 0;

	if (count < 0)
		rc = sp_error_set(err, "ranks[%d].events: is no base64", i);
	else if (trace_decode(bytes, (size_t)count, &rank, &why))
		rc = sp_error_set(err, "ranks[%d].events: %.150s", i, why.text);
	free(bytes);
	if (rc)
		return -1;
	*ret = rank.events;
	*ret_count = rank.count;
	run->whole &= rank.whole;
	run_trace_add_program(run, &rank);
	run_trace_add_procedures(run, i, rank.procedures,
				 rank.procedures_count);
	run_trace_add_measure(run, i, &rank.measure);
	for (int k = 0; k < 2; k++) /* a NAN stays */
		if (isnan(rank.online_s[k]) ||
		    rank.online_s[k] > run->online_s[k])
			run->online_s[k] = rank.online_s[k];
	if (rank.rank != i || rank.ranks != run->ranks)
		return sp_error_set(err, "ranks[%d].events: of rank %d of %d",
				    i, rank.rank, rank.ranks);
	return 0;
}

static int decode_ranks(struct json_object *message, struct run_trace *run,
			struct sp_error *err)
{
	struct json_object *array;

	if (find_array(message, "ranks", TRACE_RANKS_MAX, &array, &run->ranks,
		       err))
		return -1;
	if (run->ranks < 1)
		return sp_error_set(err, "ranks: is empty");

	struct trace_event **events =
		calloc((size_t)run->ranks, sizeof(*events));
	int *counts = calloc((size_t)run->ranks, sizeof(*counts));
	int rc = 0;

	run->node = calloc((size_t)run->ranks, sizeof(*run->node));
	if (!events || !counts || !run->node)
		rc = sp_error_set(err, "out of memory for a trace");
	for (int i = 0; i < run->ranks && !rc; i++)
		rc = decode_rank(array, i, run, &events[i], &counts[i], err);
	if (!rc)
		rc = run_trace_match(run, events, counts, err);
	for (int i = 0; events && i < run->ranks; i++)
		free(events[i]);
	free(events);
	free(counts);
	return rc;
}

int wire_trace_decode(struct json_object *message, struct run_trace *ret,
		      struct sp_error *err)
{
	struct run_fields fields = { .rendezvous_bytes = 65536, .programs = 1 };
	struct run_trace run = { .whole = true, .begun_at = NAN };

	if (!json_object_is_type(message, json_type_object))
		return sp_error_set(err, "a trace must be an object");
	if (fields_decode(run_rows, message, &fields, err))
		return -1;
	if (!(fields.runtime_s > 0))
		return sp_error_set(err, "runtime_s: must be more than 0");
	run.job_id = fields.job_id;
	memcpy(run.application, fields.application, sizeof(run.application));
	memcpy(run.user, fields.user, sizeof(run.user));
	memcpy(run.procedure, fields.procedure, sizeof(run.procedure));
	run.job_s = fields.runtime_s;
	run.programs = fields.programs < INT_MAX ? (int)fields.programs : 1;
	run.spinning = fields.spinning;
	run.rendezvous_bytes = (uint64_t)fields.rendezvous_bytes;
	if (decode_nodes(message, &run, err) ||
	    decode_links(message, &run, err) ||
	    decode_ranks(message, &run, err)) {
		run_trace_clear(&run);
		return -1;
	}
	run.runtime_s = run.ran_s > 0 ? run.ran_s : run.job_s;
	*ret = run;
	return 0;
}

/* --- Of several ----------------------------------------------------------- */

static bool is_same(struct json_object *a, struct json_object *b,
		    const char *name)
{
	struct json_object *x = NULL, *y = NULL;

	return json_object_object_get_ex(a, name, &x) &&
	       json_object_object_get_ex(b, name, &y) &&
	       json_object_equal(x, y);
}

int wire_trace_choose(struct json_object *traces, struct run_trace *ret,
		      struct sp_error *err)
{
	struct json_object *first =
		json_object_is_type(traces, json_type_array)
			? json_object_array_get_idx(traces, 0)
			: NULL;
	struct run_trace chosen, other;
	struct sp_error why;

	if (!first)
		return sp_error_set(err, "there is no trace");
	if (wire_trace_decode(first, &chosen, err))
		return -1;
	for (size_t i = 1; i < json_object_array_length(traces); i++) {
		struct json_object *next = json_object_array_get_idx(traces, i);

		if (!is_same(first, next, "job_id") ||
		    !is_same(first, next, "cluster") ||
		    wire_trace_decode(next, &other, &why))
			continue;

		/* NAN: not known. */
		bool longer = other.ran_s > 0 && !(chosen.ran_s >= other.ran_s);

		run_trace_clear(longer ? &chosen : &other);
		if (longer)
			chosen = other;
	}
	*ret = chosen;
	return 0;
}
