/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_file.h - a file of bounded size that survives the death of its process
 *
 * It is mapped block by block, so that a write is a copy, and what was written
 * is there for others at once, also after SIGKILL.  A block's space on the disk
 * is taken before it is mapped: a full disk ends the file, not the program.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define TRACE_FILE_BLOCK (64 << 10)
#define TRACE_FILE_MAX   (16 << 20) /* bytes; a multiple of blocks */

struct trace_file {
	int fd;         /* -1: closed */
	size_t written; /* bytes */
	size_t max;     /* bytes; at most TRACE_FILE_MAX */
	uint8_t *block; /* mapped; NULL: none */
};

/* Return how large the file of each of `ranks` ranks may be, or
 * PREDICT_TRACE_BYTES. */
size_t trace_file_share(int ranks);

/* Begin a new file of at most `max` bytes.  -1: there can be none; *file
 * is closed. */
int trace_file_open(struct trace_file *file, const char *path, size_t max);

/* All of the bytes, or none: -1, and no more can be added. */
int trace_file_add(struct trace_file *file, const uint8_t *bytes, size_t size);

/* Cut it to what was written.  Does nothing if it is closed. */
void trace_file_close(struct trace_file *file);
