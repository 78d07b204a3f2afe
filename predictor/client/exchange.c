/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exchange.c - a request to predictd and its reply, on a kept connection
 *
 * predictd closes connections that are idle for long: a request that was sent
 * on a connection just being closed is sent once more, within the same
 * deadline.  A connection is kept only after a reply that was read whole,
 * without a byte behind it.
 */
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/client/exchange.h"

#define HEADS_MAX 16384 /* bytes; predictd sends a few hundred */

/* A body of one byte too many fits in. */
static size_t capacity_of(size_t reply_max)
{
	return HEADS_MAX + reply_max + 1;
}

int exchange_limit(struct exchange *x, size_t reply_max)
{
	char *buffer = realloc(x->buffer, capacity_of(reply_max) + 1);

	if (!buffer)
		return -1;
	x->buffer = buffer;
	x->reply_max = reply_max;
	return 0;
}

static void disconnect(struct exchange *x)
{
	if (x->fd >= 0)
		close(x->fd);
	x->fd = -1;
}

void exchange_clear(struct exchange *x)
{
	disconnect(x);
	free(x->buffer);
}

/* --- Sockets -------------------------------------------------------------- */

/* Wait until the socket may be ready.  Returns its events, 0 if it is to be
 * tried again; -1: the deadline passed. */
static int wait_for(struct exchange *x, short events)
{
	struct pollfd fd = { .fd = x->fd, .events = events };
	double now_s = clock_monotonic_s();
	double left_s = x->deadline_s - now_s;

	if (left_s <= 0)
		return -1;
	if (now_s < x->sleep_at_s)
		return 0;

	struct timespec left = { (time_t)left_s,
				 (long)(fmod(left_s, 1) * 1e9) };

	return ppoll(&fd, 1, &left, NULL) > 0 ? fd.revents : 0;
}

static enum exchange_result not_connected(struct exchange *x, int error)
{
	x->error = error;
	disconnect(x);
	return EXCHANGE_NO_CONNECTION;
}

/* slurmctld starts other programs, which must not inherit our connection. */
static enum exchange_result
connect_to(struct exchange *x, const struct sockaddr *address, socklen_t size)
{
	int error = 0, events = 0;
	const int on = 1;
	socklen_t error_size = sizeof(error);

	disconnect(x);
	x->fd = socket(address->sa_family,
		       SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (x->fd < 0)
		return not_connected(x, errno);
	if (address->sa_family != AF_UNIX)
		setsockopt(x->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (!connect(x->fd, address, size))
		return EXCHANGE_DONE;
	if (errno != EINPROGRESS)
		return not_connected(x, errno);
	while (!(events & (POLLOUT | POLLERR | POLLHUP))) {
		events = wait_for(x, POLLOUT);
		if (events < 0) {
			disconnect(x);
			return EXCHANGE_LATE;
		}
	}
	if (getsockopt(x->fd, SOL_SOCKET, SO_ERROR, &error, &error_size))
		error = errno;
	return error ? not_connected(x, error) : EXCHANGE_DONE;
}

static enum exchange_result connect_to_path(struct exchange *x,
					    const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, path);
	return connect_to(x, (struct sockaddr *)&address, sizeof(address));
}

static enum exchange_result connect_fresh(struct exchange *x)
{
	const struct address *a = &x->address;
	char path[SOCKET_PATH_SIZE];

	if (!a->socket_path[0])
		return connect_to(x, &a->tcp.of,
				  a->tcp.of.sa_family == AF_INET6
					  ? sizeof(a->tcp.v6)
					  : sizeof(a->tcp.v4));
	trusted_socket_choose(a->socket_path, path);

	enum exchange_result result = connect_to_path(x, path);

	/* The trusted socket may be what a killed predictd left behind. */
	if (result == EXCHANGE_NO_CONNECTION &&
	    strcmp(path, a->socket_path) != 0)
		result = connect_to_path(x, a->socket_path);
	return result;
}

/* Return whether nothing, not even an end, came since the last reply. */
static bool is_quiet(struct exchange *x)
{
	char byte;

	return recv(x->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == -1 &&
	       errno == EAGAIN;
}

/* --- A request and its reply ---------------------------------------------- */

/* Take `sent` bytes from the front of the parts; returns whether some
 * are left. */
static bool parts_advance(struct iovec parts[EXCHANGE_PARTS], size_t sent)
{
	bool left = false;

	for (int i = 0; i < EXCHANGE_PARTS; i++) {
		size_t of = sent < parts[i].iov_len ? sent : parts[i].iov_len;

		parts[i].iov_base = (char *)parts[i].iov_base + of;
		parts[i].iov_len -= of;
		sent -= of;
		left |= parts[i].iov_len > 0;
	}
	return left;
}

/* Send until all is sent, the connection fails, or a reply comes before that,
 * as one which refuses a large body. */
static enum exchange_result send_parts(struct exchange *x,
				       const struct iovec given[EXCHANGE_PARTS])
{
	struct iovec parts[EXCHANGE_PARTS];
	struct msghdr message = { .msg_iov = parts,
				  .msg_iovlen = EXCHANGE_PARTS };

	memcpy(parts, given, sizeof(parts));
	for (;;) {
		ssize_t sent = sendmsg(x->fd, &message, MSG_NOSIGNAL);

		if (sent >= 0 && !parts_advance(parts, (size_t)sent))
			return EXCHANGE_DONE;
		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return EXCHANGE_CUT;
		if (sent < 0) {
			int events = wait_for(x, POLLIN | POLLOUT);

			if (events < 0)
				return EXCHANGE_LATE;
			if (events & POLLIN)
				return EXCHANGE_CUT;
		}
	}
}

/* Read the heads that have come, up to that of the reply itself. */
static enum exchange_result read_heads(struct exchange *x)
{
	x->buffer[x->used] = '\0';
	while (!x->head.size) {
		int rc = reply_head_read(x->buffer + x->body_at, &x->head);

		if (rc < 0)
			return EXCHANGE_NOT_HTTP;
		x->body_at += rc ? x->head.size : 0;
		if (x->body_at > HEADS_MAX || (!rc && x->used > HEADS_MAX))
			return EXCHANGE_TOO_LARGE;
		if (!rc)
			return EXCHANGE_CUT;
		if (x->head.status < 200) /* "100 Continue" */
			x->head.size = 0;
	}
	return EXCHANGE_DONE;
}

/* Return EXCHANGE_CUT if more of the reply must be read.  `ended`: there
 * is none. */
static enum exchange_result read_so_far(struct exchange *x, bool ended)
{
	enum exchange_result result = read_heads(x);
	size_t come = x->used - x->body_at;
	bool to_end = x->head.length == REPLY_TO_END;

	if (result != EXCHANGE_DONE)
		return result;
	if ((to_end ? come : x->head.length) > x->reply_max)
		return EXCHANGE_TOO_LARGE;
	x->body_size = to_end ? come : (size_t)x->head.length;
	x->head.last |= to_end || come > x->body_size;
	return (to_end ? ended : come >= x->body_size) ? EXCHANGE_DONE
						       : EXCHANGE_CUT;
}

static enum exchange_result read_reply(struct exchange *x)
{
	x->used = x->body_at = x->body_size = x->head.size = 0;
	for (;;) {
		ssize_t n = recv(x->fd, x->buffer + x->used,
				 capacity_of(x->reply_max) - x->used, 0);

		if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
			if (wait_for(x, POLLIN) < 0)
				return EXCHANGE_LATE;
			continue;
		}
		if (n <= 0 && !x->used)
			return EXCHANGE_STALE;
		x->used += n > 0 ? (size_t)n : 0;

		enum exchange_result result = read_so_far(x, n == 0);

		if (result != EXCHANGE_CUT || n <= 0)
			return result;
		if (clock_monotonic_s() >= x->deadline_s)
			return EXCHANGE_LATE;
	}
}

/* Send the request on the connection, and read the reply. */
static enum exchange_result
send_and_read(struct exchange *x, const struct iovec parts[EXCHANGE_PARTS])
{
	enum exchange_result sent = send_parts(x, parts);
	enum exchange_result result =
		sent == EXCHANGE_LATE ? EXCHANGE_LATE : read_reply(x);

	if (result != EXCHANGE_DONE || sent == EXCHANGE_CUT || x->head.last)
		disconnect(x);
	if (result == EXCHANGE_DONE)
		x->buffer[x->body_at + x->body_size] = '\0';
	return result;
}

enum exchange_result exchange_run(struct exchange *x,
				  const struct iovec parts[EXCHANGE_PARTS])
{
	enum exchange_result result = EXCHANGE_STALE;

	if (x->fd >= 0 && is_quiet(x))
		result = send_and_read(x, parts);
	if (result != EXCHANGE_STALE)
		return result;
	result = connect_fresh(x);
	return result == EXCHANGE_DONE ? send_and_read(x, parts) : result;
}
