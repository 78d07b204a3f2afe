/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_trace_block.c - a block of a trace as a message */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "predictor/wire/base64.h"
#include "predictor/wire/block/json_trace_block.h"
#include "predictor/wire/fields.h"

/* What does not shrink grows by 5 bytes for each 16 KiB, and 6. */
#define DEFLATED_MAX (TRACE_BLOCK_BYTES + 64)

enum { TEXT_MAX = WIRE_BASE64_SIZE(DEFLATED_MAX) - 1 };

static const struct field block_rows[] = {
	FIELD(trace_block, cluster, TEXT, .required = true),
	FIELD(trace_block, job_id, UINT, .required = true),
	FIELD(trace_block, user_id, UINT, .required = true),
	FIELD(trace_block, mpi_run, TEXT, .required = true),
	FIELD(trace_block, ranks, INT, .required = true),
	FIELD(trace_block, rank, INT, .required = true),
	FIELD(trace_block, block, INT, .required = true),
	FIELD(trace_block, last, BOOL, .required = true),
	FIELD(trace_block, node, TEXT, .required = true),
	FIELD(trace_block, data, LENT, .max = TEXT_MAX, .required = true),
	{ .name = NULL },
};

char *wire_trace_block_encode(const struct trace_block *block,
			      const unsigned char *raw, size_t size,
			      size_t *ret_size)
{
	unsigned char *deflated = malloc(DEFLATED_MAX);
	char *text = malloc(TEXT_MAX + 1);
	struct wire_text out = { .bytes = NULL };
	uLongf deflated_size = DEFLATED_MAX;

	if (deflated && text && size <= TRACE_BLOCK_BYTES &&
	    compress2(deflated, &deflated_size, raw, size,
		      Z_DEFAULT_COMPRESSION) == Z_OK) {
		struct trace_block whole = *block;

		wire_base64_encode(deflated, deflated_size, text);
		whole.data = text;
		fields_print(block_rows, &whole, &out);
	}
	free(deflated);
	free(text);
	if (out.failed)
		wire_text_clear(&out);
	*ret_size = out.size;
	return out.bytes;
}

long wire_trace_block_inflate(const unsigned char *data, size_t size,
			      unsigned char out[TRACE_BLOCK_BYTES])
{
	uLongf count = TRACE_BLOCK_BYTES;

	if (uncompress(out, &count, data, size) != Z_OK)
		return -1;
	return (long)count;
}

static int check_numbers(const struct trace_block *b, struct sp_error *err)
{
	size_t digits = strspn(b->mpi_run, "0123456789abcdef");

	if (!*b->cluster || !*b->node || !b->job_id)
		return sp_error_set(err, "cluster, node or job_id: is empty");
	if (!digits || b->mpi_run[digits])
		return sp_error_set(err, "mpi_run: not hexadecimal digits");
	if (b->ranks < 1 || b->ranks > TRACE_BLOCK_RANKS || b->rank < 0 ||
	    b->rank >= b->ranks)
		return sp_error_set(err, "rank: not one of 1 to %d ranks",
				    TRACE_BLOCK_RANKS);
	if (b->block < 0 || b->block >= TRACE_BLOCKS_MAX)
		return sp_error_set(err, "block: not 0 to %d",
				    TRACE_BLOCKS_MAX - 1);
	return 0;
}

/* The deflated data. */
static int check_data(struct trace_block *b, struct sp_error *err)
{
	size_t size = strlen(b->data);
	unsigned char *deflated = malloc(size + 1);
	unsigned char *raw = malloc(TRACE_BLOCK_BYTES);
	int rc = -1;

	if (!deflated || !raw) {
		sp_error_set(err, "out of memory for a trace");
		goto out;
	}

	long count = wire_base64_decode(b->data, size, deflated);

	if (count < 0) {
		sp_error_set(err, "data: is no base64");
		goto out;
	}
	count = wire_trace_block_inflate(deflated, (size_t)count, raw);
	if (count < 0 || (!b->last && count != TRACE_BLOCK_BYTES)) {
		sp_error_set(err, "data: not %d bytes, deflated",
			     TRACE_BLOCK_BYTES);
		goto out;
	}
	b->raw_bytes = (uint32_t)count;
	b->checksum = (uint32_t)crc32(0, raw, (uInt)count);
	rc = 0;
out:
	free(deflated);
	free(raw);
	return rc;
}

int wire_trace_block_decode(struct json_object *message,
			    struct trace_block *ret, struct sp_error *err)
{
	struct trace_block block = { .data = NULL };

	if (!json_object_is_type(message, json_type_object))
		return sp_error_set(err, "a block must be an object");
	if (fields_decode(block_rows, message, &block, err) ||
	    check_numbers(&block, err) || check_data(&block, err))
		return -1;
	*ret = block;
	return 0;
}
