/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_trace_block.c - any text as a block of a trace, then any bytes as
 * its data;
 * what is read is a block, prints, and reads as the same one again */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/base64.h"
#include "predictor/wire/block/json_trace_block.h"
#include "predictor/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned char raw[TRACE_BLOCK_BYTES];

static void check_again(const struct trace_block *block)
{
	size_t length = strlen(block->data);
	unsigned char *deflated = malloc(length + 1);
	long count = wire_base64_decode(block->data, length, deflated);

	assert(count >= 0);
	count = wire_trace_block_inflate(deflated, (size_t)count, raw);
	assert(count == (long)block->raw_bytes);
	free(deflated);

	struct trace_block again;
	struct sp_error err;
	char *text =
		wire_trace_block_encode(block, raw, (size_t)count, &length);
	struct json_object *message = wire_parse(text, length, &err);

	assert(message && !wire_trace_block_decode(message, &again, &err));
	assert(again.rank == block->rank && again.block == block->block &&
	       again.checksum == block->checksum &&
	       again.raw_bytes == block->raw_bytes &&
	       !strcmp(again.mpi_run, block->mpi_run));
	json_object_put(message);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sp_error err;
	struct trace_block block;
	struct json_object *message =
		wire_parse((const char *)data, size, &err);

	if (message && !wire_trace_block_decode(message, &block, &err)) {
		assert(block.ranks <= TRACE_BLOCK_RANKS &&
		       block.rank < block.ranks && block.rank >= 0 &&
		       block.block < TRACE_BLOCKS_MAX);
		check_again(&block);
	}
	json_object_put(message);
	(void)wire_trace_block_inflate(data, size, raw);
	return 0;
}
