/* log_stream.h - the lines of a file, which may be compressed
 *
 * Plain, gzip or xz, told apart by how the file begins, whatever its name.
 * Nothing is held but a window of the file, so its size does not matter.
 */
#ifndef PREDICTOR_LOGS_LOG_STREAM_H
#define PREDICTOR_LOGS_LOG_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"

#define STREAM_LINE_MAX (256 << 10) /* bytes */

struct stream;

/* "-" is the standard input. */
struct stream *stream_open(const char *path, struct sp_error *err);

/* Read what an open descriptor gives, which is taken even if this fails;
 * `name` is for errors. */
struct stream *stream_open_fd(int fd, const char *name, struct sp_error *err);

void stream_close(struct stream *stream); /* NULL is allowed */

enum stream_rc {
	STREAM_END = 0,
	STREAM_LINE = 1,
	STREAM_TOO_LONG = 2, /* a line above STREAM_LINE_MAX was passed over */
};

/* The next line, terminated and without its newline; lent until the next call,
 * and the caller's to change.  Gives an enum stream_rc, or -1: what follows
 * cannot be read. */
int stream_line(struct stream *stream, char **ret_line, size_t *ret_length,
		struct sp_error *err);

/* Bytes of the file as it is on disk: read so far, and in all (0: nobody
 * knows, as of a pipe). */
uint64_t stream_position(const struct stream *stream);
uint64_t stream_size(const struct stream *stream);

#endif
