/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_trace_block.h - a block of a trace as a message
 *
 * Of POST /v1/traces:
 *
 *	{ "cluster", "job_id", "user_id", "mpi_run", "ranks", "rank", "block",
 *	  "last", "node", "data" }
 *
 * "data" is deflated (zlib, RFC 1950), as base64.
 */
#pragma once

#include <json-c/json.h>

#include "predictor/features/trace_block.h"

/* `raw[size]` of `block`, whose data and what is of them are not read.  The
 * message, terminated, which the caller frees; NULL: out of memory. */
char *wire_trace_block_encode(const struct trace_block *block,
			      const unsigned char *raw, size_t size,
			      size_t *ret_size);

/* Checks everything, the data too.  ret->data is lent from the message. */
int wire_trace_block_decode(struct json_object *message,
			    struct trace_block *ret, struct sp_error *err);

/* Inflate `size` bytes to `out`, at most TRACE_BLOCK_BYTES.  Gives the bytes
 * written, -1: they are not deflated, or too many. */
long wire_trace_block_inflate(const unsigned char *data, size_t size,
			      unsigned char out[TRACE_BLOCK_BYTES]);
