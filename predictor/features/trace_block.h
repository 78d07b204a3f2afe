/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_block.h - a part of the file that a process of a traced run writes
 *
 * The file's format is predictor/replay/FORMAT.md; here it is bytes.
 */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/features/run.h"

#define TRACE_BLOCK_BYTES \
	65536 /* inflated, at most; all but the last have this size */
#define TRACE_BLOCKS_MAX  257  /* 16 MiB, and an empty one at the end */
#define TRACE_BLOCK_RANKS 4096 /* of a run */
#define TRACE_RUN_SIZE    17   /* 16 hexadecimal digits */

struct trace_block {
	char cluster[RUN_NAME_SIZE];
	uint32_t job_id, user_id;
	char mpi_run[TRACE_RUN_SIZE]; /* the same in all its processes */
	int ranks, rank;
	int block; /* 0, 1, ... of the rank */
	bool last; /* of the rank */
	char node[HOSTLIST_NAME_SIZE];
	uint32_t raw_bytes; /* inflated */
	uint32_t checksum;  /* CRC-32 of these */
	const char *data;   /* deflated, then base64; lent */
};
