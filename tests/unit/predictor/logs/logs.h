/* SPDX-License-Identifier: GPL-2.0-or-later */
/* logs.h - for tests of job logs: files with a text in them */
#pragma once

#include <check.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "predictor/logs/joblog.h"

/* A stream of these bytes. */
static inline struct log_stream *stream_of(const void *bytes, size_t size)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);

	struct sp_error err;
	struct log_stream *stream = log_stream_open_fd(fd, "test", &err);

	ck_assert_msg(stream != NULL, "%s", err.text);
	return stream;
}

static inline struct joblog *log_of(const struct joblog_format *format,
				    const char *text)
{
	const struct joblog_config config = { .cluster = "little" };
	struct sp_error err;
	struct joblog *log = joblog_create(format, &config,
					   stream_of(text, strlen(text)), &err);

	ck_assert_msg(log != NULL, "%s", err.text);
	return log;
}
