/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line.c - lines and bytes over a socket, with a deadline
 *
 * The buffer of a reader holds what was received and not yet returned, from
 * start to end.  No locks: one thread for each connection.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/probes/line.h"
#include "predictor/base/clock.h"

int line_wait(int fd, short events, double deadline_s, struct sp_error *err)
{
	for (;;) {
		double left_s = deadline_s - clock_monotonic_s();
		struct pollfd p = { .fd = fd, .events = events };

		if (left_s <= 0)
			return sp_error_set(err, "timed out");

		struct timespec timeout = clock_timespec(left_s);
		int got = ppoll(&p, 1, &timeout, NULL);

		if (got > 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return sp_error_set(err, "poll: %s", strerror(errno));
	}
}

void line_open(struct line_reader *reader, int fd, double deadline_s)
{
	reader->fd = fd;
	reader->deadline_s = deadline_s;
	reader->start = reader->end = 0;
}

static ssize_t bytes_receive(struct line_reader *reader, void *into,
			     size_t size, struct sp_error *err)
{
	for (;;) {
		ssize_t got = recv(reader->fd, into, size, MSG_DONTWAIT);

		if (got > 0)
			return got;
		if (got == 0)
			return sp_error_set(err, "connection closed by peer");
		if (errno != EAGAIN && errno != EINTR)
			return sp_error_set(err, "%s", strerror(errno));
		if (line_wait(reader->fd, POLLIN, reader->deadline_s, err))
			return -1;
	}
}

ssize_t line_take(struct line_reader *reader, void *into, size_t size,
		  struct sp_error *err)
{
	size_t ahead = reader->end - reader->start;

	if (!ahead)
		return bytes_receive(reader, into, size, err);
	if (ahead > size)
		ahead = size;
	memcpy(into, reader->buffer + reader->start, ahead);
	reader->start += ahead;
	return (ssize_t)ahead;
}

/* From the buffer; NULL: there is no whole line. */
static char *line_next(struct line_reader *reader)
{
	char *from = reader->buffer + reader->start;
	char *end = memchr(from, '\n', reader->end - reader->start);

	if (end) {
		*end = '\0';
		reader->start = (size_t)(end + 1 - reader->buffer);
		return from;
	}
	memmove(reader->buffer, from, reader->end - reader->start);
	reader->end -= reader->start;
	reader->start = 0;
	return NULL;
}

char *line_read(struct line_reader *reader, struct sp_error *err)
{
	for (;;) {
		char *line = line_next(reader);

		if (line)
			return line;
		if (reader->end == sizeof(reader->buffer))
			return sp_error_null(err, "a line is too long");

		ssize_t got = bytes_receive(
			reader, reader->buffer + reader->end,
			sizeof(reader->buffer) - reader->end, err);

		if (got < 0)
			return NULL;
		reader->end += (size_t)got;
	}
}

int line_try(struct line_reader *reader, char **ret)
{
	*ret = line_next(reader);
	if (*ret)
		return 1;

	ssize_t got = recv(reader->fd, reader->buffer + reader->end,
			   sizeof(reader->buffer) - reader->end, MSG_DONTWAIT);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (got == 0) /* also where a line is too long */
		return -1;
	reader->end += (size_t)got;
	*ret = line_next(reader);
	return *ret != NULL;
}

int line_write(int fd, double deadline_s, const void *bytes, size_t size,
	       struct sp_error *err)
{
	const char *from = bytes;

	while (size) {
		ssize_t sent =
			send(fd, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent > 0) {
			from += sent;
			size -= (size_t)sent;
		} else if (errno != EAGAIN && errno != EINTR) {
			return sp_error_set(err, "%s", strerror(errno));
		} else if (line_wait(fd, POLLOUT, deadline_s, err)) {
			return -1;
		}
	}
	return 0;
}

int line_print(int fd, double deadline_s, struct sp_error *err,
	       const char *format, ...)
{
	char text[LINE_SIZE];
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	if (length < 0 || (size_t)length >= sizeof(text))
		return sp_error_set(err, "a line is too long");
	return line_write(fd, deadline_s, text, (size_t)length, err);
}
