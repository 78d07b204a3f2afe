/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_stream.h - the lines of a file, plain or compressed
 *
 * gzip, xz, zstd and bzip2 are recognised by the first bytes, whatever the
 * file's name.  Memory is the same for every size of file.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"

#define LOG_STREAM_LINE_MAX (256 << 10) /* bytes */

struct log_stream;

/* "-" is the standard input. */
struct log_stream *log_stream_open(const char *path, struct sp_error *err);

/* Read from an open descriptor, which is closed with the stream, even if this
 * fails; `name` is for errors. */
struct log_stream *log_stream_open_fd(int fd, const char *name,
				      struct sp_error *err);

void log_stream_close(struct log_stream *stream); /* NULL is allowed */

enum log_stream_rc {
	LOG_STREAM_END = 0,
	LOG_STREAM_LINE = 1,
	LOG_STREAM_TOO_LONG = 2, /* the line is too long, and skipped */
};

/* Find the next line, terminated, without its newline and a byte order mark;
 * lent until the next call, and may be changed.  Returns an enum log_stream_rc,
 * or -1: the rest cannot be read. */
int log_stream_line(struct log_stream *s, char **ret_line, size_t *ret_length,
		    struct sp_error *err);

/* Return the file's name, for messages. */
const char *log_stream_name(const struct log_stream *stream);

/* Return bytes of the file as it is on disk: read so far, and in all (0:
 * unknown, for a pipe). */
uint64_t log_stream_position(const struct log_stream *stream);
uint64_t log_stream_size(const struct log_stream *stream);
