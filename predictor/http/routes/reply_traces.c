/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_traces.c - traces of the store as a reply (json_trace.h)
 *
 * Printed as text, as a trace is megabytes.  Blocks of a rank are inflated one
 * behind the other; where one is missing its events end.  If even the first
 * blocks of all ranks are too many bytes, each rank has an equal part of what
 * is allowed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/routes/reply_traces.h"
#include "predictor/wire/base64.h"
#include "predictor/wire/block/json_trace_block.h"
#include "predictor/wire/text.h"

static void print_name(struct wire_text *out, const char *name)
{
	wire_text_add_string(out, name, strlen(name));
	wire_text_add_constant(out, ":");
}

static void print_text(struct wire_text *out, const char *name,
		       const char *value)
{
	print_name(out, name);
	wire_text_add_string(out, value, strlen(value));
}

static void print_number(struct wire_text *out, const char *name, double value)
{
	wire_text_add_constant(out, ",");
	print_name(out, name);
	wire_text_add_number(out, value);
}

/* What is not known, or cannot be, is left out. */
static void print_measured(struct wire_text *out, const char *name,
			   double value, double most)
{
	if (value > 0 && isfinite(value))
		print_number(out, name, fmin(value, most));
}

static void print_nodes(struct wire_text *out, const struct store_trace *trace,
			bool measured)
{
	wire_text_add_constant(out, ",\"nodes\":[");
	for (size_t i = 0; i < trace->nodes_count; i++) {
		const struct store_trace_node *node = &trace->nodes[i];

		wire_text_add_constant(out, i ? ",{" : "{");
		print_text(out, "name", node->name);
		print_measured(out, "cores", node->cores, 65536);
		if (measured) {
			print_measured(out, "cpu_available",
				       node->cpu_available, 1);
			print_measured(out, "cpu_speed", node->cpu_speed,
				       HUGE_VAL);
			print_measured(out, "cpu_turn_s", node->cpu_turn_s, 1);
		}
		wire_text_add_constant(out, "}");
	}
	wire_text_add_constant(out, "],\"links\":[");
	for (size_t i = 0; measured && i < trace->links_count; i++) {
		const struct store_trace_link *link = &trace->links[i];

		wire_text_add_constant(out, i ? ",{" : "{");
		print_text(out, "from", link->from);
		wire_text_add_constant(out, ",");
		print_text(out, "to", link->to);
		print_number(out, "latency_s", link->latency_s);
		print_number(out, "bandwidth_bps", link->bandwidth_bps);
		wire_text_add_constant(out, "}");
	}
	wire_text_add_constant(out, "]");
}

/* --- Ranks ---------------------------------------------------------------- */

struct rank_buffer {
	unsigned char *raw; /* room for `most` and a block */
	size_t size, most;
	char *text;
};

/* The parts of one rank from *at on, which it moves behind them. */
static int inflate_rank(const struct store_trace *trace, size_t *at,
			struct rank_buffer *buffer, struct sp_error *err)
{
	int rank = trace->parts[*at].rank;
	bool goes_on = true;

	buffer->size = 0;
	for (int block = 0;
	     *at < trace->parts_count && trace->parts[*at].rank == rank;
	     ++*at, block++) {
		const struct store_trace_part *part = &trace->parts[*at];
		long count;

		goes_on &= part->block == block && buffer->size < buffer->most;
		if (!goes_on)
			continue;
		count = wire_trace_block_inflate(part->data, part->size,
						 buffer->raw + buffer->size);
		if (count < 0)
			return sp_error_set(err,
					    "block %d of rank %d of the trace "
					    "is damaged",
					    block, rank);
		buffer->size += (size_t)count;
	}
	if (buffer->size > buffer->most)
		buffer->size = buffer->most;
	return 0;
}

static int print_ranks(struct wire_text *out, const struct store_trace *trace,
		       struct rank_buffer *buffer, struct sp_error *err)
{
	wire_text_add_constant(out, ",\"ranks\":[");
	for (size_t at = 0; at < trace->parts_count;) {
		const struct store_trace_part *part = &trace->parts[at];

		if (inflate_rank(trace, &at, buffer, err))
			return -1;
		wire_text_add_constant(out, part == trace->parts ? "{" : ",{");
		print_text(out, "node", trace->nodes[part->node].name);
		wire_text_add_constant(out, ",\"events\":\"");
		wire_text_add(out, buffer->text,
			      wire_base64_encode(buffer->raw, buffer->size,
						 buffer->text));
		wire_text_add_constant(out, "\"}");
	}
	wire_text_add_constant(out, "]");
	return 0;
}

/* Of each rank so many bytes. */
static size_t bytes_of_rank(const struct store_trace *trace)
{
	size_t all = 0;

	for (size_t i = 0; i < trace->parts_count; i++)
		all += trace->parts[i].raw_bytes;
	return all <= STORE_TRACE_BYTES_MAX
		       ? STORE_TRACE_BYTES_MAX
		       : STORE_TRACE_BYTES_MAX / (size_t)trace->ranks;
}

static int check_trace(const struct store_trace *trace, struct sp_error *err)
{
	int ranks = 0;

	for (size_t i = 0; i < trace->parts_count; i++) {
		const struct store_trace_part *part = &trace->parts[i];

		ranks += part->block == 0 && part->rank == ranks;
		if (part->node < 0)
			return sp_error_set(err,
					    "job %u: a node of its trace "
					    "is not known",
					    trace->job_id);
	}
	if (ranks != trace->ranks)
		return sp_error_set(err,
				    "job %u: of its trace %d of %d ranks are "
				    "here",
				    trace->job_id, ranks, trace->ranks);
	if (!(trace->runtime_s > 0))
		return sp_error_set(err,
				    "job %u: it is traced, but its run is not "
				    "known yet",
				    trace->job_id);
	return 0;
}

static int print_trace(struct wire_text *out, const struct store_trace *trace,
		       bool nodes, struct sp_error *err)
{
	struct rank_buffer buffer = { .most = bytes_of_rank(trace) };
	size_t room = buffer.most + TRACE_BLOCK_BYTES;
	int rc;

	buffer.raw = malloc(room);
	buffer.text = malloc(WIRE_BASE64_SIZE(room));
	if (!buffer.raw || !buffer.text) {
		rc = sp_error_set(err, "out of memory for a trace");
		goto out;
	}
	wire_text_add_constant(out, "{");
	print_text(out, "cluster", trace->cluster);
	wire_text_add_constant(out, ",");
	print_text(out, "application", trace->application);
	if (*trace->user) {
		wire_text_add_constant(out, ",");
		print_text(out, "user", trace->user);
	}
	print_number(out, "job_id", trace->job_id);
	print_number(out, "runtime_s", trace->runtime_s);
	print_number(out, "programs", trace->programs);
	wire_text_add_constant(out, trace->spinning ? ",\"spinning\":true"
						    : ",\"spinning\":false");
	print_nodes(out, trace, nodes);
	rc = print_ranks(out, trace, &buffer, err);
	wire_text_add_constant(out, "}");
out:
	free(buffer.raw);
	free(buffer.text);
	return rc;
}

char *traces_reply_make(const struct store_trace *traces, size_t count,
			bool nodes, size_t *ret_size, struct sp_error *err)
{
	struct wire_text out = { .bytes = NULL };
	bool any = false;
	int rc = 0;

	sp_error_set(err, "there is no such trace");
	wire_text_add_constant(&out, "{\"traces\":[");
	for (size_t i = 0; i < count && !rc; i++) {
		if (check_trace(&traces[i], err))
			continue;
		if (any)
			wire_text_add_constant(&out, ",");
		any = true;
		rc = print_trace(&out, &traces[i], nodes, err);
	}
	wire_text_add_constant(&out,
			       "],\"errors\":[],\"warnings\":[],"
			       "\"meta\":{\"version\":\"" SP_VERSION "\"}}");
	if (out.failed)
		rc = sp_error_set(err, "out of memory for a trace");
	if (rc || !any) {
		wire_text_clear(&out);
		return NULL;
	}
	*ret_size = out.size;
	return out.bytes;
}
