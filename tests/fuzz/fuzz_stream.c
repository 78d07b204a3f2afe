/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_stream.c - any bytes as a file of lines, compressed or not */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "predictor/logs/log_stream.h"

/* A few bytes may become very many. */
#define LINES_MAX 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct sp_error err = { "" };
	char *line;
	size_t length;
	int rc;

	assert(fd >= 0);
	if (write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
		abort();

	struct log_stream *stream = log_stream_open_fd(fd, "fuzz", &err);

	assert(stream);
	assert(log_stream_size(stream) == size);
	for (int i = 0; i < LINES_MAX; i++) {
		rc = log_stream_line(stream, &line, &length, &err);
		if (rc == LOG_STREAM_LINE)
			assert(length <= LOG_STREAM_LINE_MAX && !line[length]);
		else if (rc != LOG_STREAM_TOO_LONG)
			break;
	}
	assert(log_stream_position(stream) <= size);
	assert(rc >= 0 || err.text[0]);
	log_stream_close(stream);
	return 0;
}
