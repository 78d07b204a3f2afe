/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line.h - lines and bytes over a socket, with a deadline
 *
 * The socket does not block; each call waits in poll() until it is done or the
 * deadline (of the monotonic clock) has passed.
 */
#pragma once

#include <sys/types.h>

#include "predictor/base/error.h"

#define LINE_SIZE 4400 /* with the newline; a credential fits */

struct line_reader {
	int fd;
	double deadline_s;
	size_t start, end;
	char buffer[LINE_SIZE];
};

void line_open(struct line_reader *reader, int fd, double deadline_s);

/* Read the next line without its newline, lent until the next call. */
char *line_read(struct line_reader *reader, struct sp_error *err);

/* Without waiting.  1: a line; 0: not received yet; -1: connection closed. */
int line_try(struct line_reader *reader, char **ret);

/* At least one byte into `into`, first from the buffer. */
ssize_t line_take(struct line_reader *reader, void *into, size_t size,
		  struct sp_error *err);

int line_write(int fd, double deadline_s, const void *bytes, size_t size,
	       struct sp_error *err);

int line_print(int fd, double deadline_s, struct sp_error *err,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Wait for `events` of poll(). */
int line_wait(int fd, short events, double deadline_s, struct sp_error *err);
