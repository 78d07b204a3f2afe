/* SPDX-License-Identifier: GPL-2.0-or-later */
/* http_socket.c - a listening socket, its connections and their deadlines
 *
 * A thread accepts connections and hands them to a daemon of libmicrohttpd, each
 * of which has one thread and its own places.  At a Unix socket the kernel knows
 * the uid of the client: operators (slurmctld's user is one) and collectors are
 * served by a daemon of their own, at a higher priority, so that the requests of
 * others never stand before theirs.
 *
 * The same thread closes connections whose deadline has passed: headers and
 * bodies each have one as a whole, as an idle timeout begins anew with each byte.
 * On TCP nobody is known before a credential was checked; when few places are
 * left there, the oldest connection without one is closed.
 *
 * s->lock guards the list of connections, oldest first.  A connection is in the
 * list as long as its descriptor is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/priority.h"
#include "predictor/http/http_socket.h"
#include "predictor/http/identity.h"
#include "predictor/http/peer_address.h"
#include "predictor/http/peer_counts.h"
#include "predictor/http/server.h"

/* For headers and a piece of the body.  Larger pools cost time: they are cleared
 * for each request. */
#define CONNECTION_BYTES (16 * 1024)

/* Of the threads that serve slurmctld at a Unix socket: it waits for its replies
 * with locks held. */
#define NICE (-10)

/* Never reached: at its own limit libmicrohttpd 0.9.75 waits for ever for a lock
 * that its thread has.  Ours is in connection_begin(). */
#define LIBRARY_LIMIT (4 * HTTP_CONNECTIONS_MAX)

/* Accepted connections of ordinary users that their thread has not begun. */
#define WAITING_MAX 512

/* Between two searches for connections that are late. */
#define SWEEP_MS 500

/* After accept() failed, as when no descriptor is left. */
#define ACCEPT_PAUSE_MS 20

struct http_connection {
	struct http_socket *socket;
	int fd;
	uid_t uid;        /* at a Unix socket */
	bool counted;     /* in socket->counts */
	uint64_t address; /* on TCP (peer_address.h) */

	/* Under the socket's lock. */
	bool proved;
	double deadline_s; /* of the monotonic clock */
	struct http_connection *older, *newer;
};

/* Gives the number of connections. */
static size_t list_append(struct http_socket *s, struct http_connection *c)
{
	pthread_mutex_lock(&s->lock);
	c->older = s->newest;
	if (s->newest)
		s->newest->newer = c;
	else
		s->oldest = c;
	s->newest = c;
	size_t count = ++s->connections_count;
	pthread_mutex_unlock(&s->lock);
	return count;
}

static void list_remove(struct http_socket *s, struct http_connection *c)
{
	pthread_mutex_lock(&s->lock);
	if (c->older)
		c->older->newer = c->newer;
	else
		s->oldest = c->newer;
	if (c->newer)
		c->newer->older = c->older;
	else
		s->newest = c->older;
	s->connections_count--;
	pthread_mutex_unlock(&s->lock);
}

static struct http_connection *connection_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

void http_connection_allow(struct MHD_Connection *connection, double seconds)
{
	struct http_connection *c = connection_of(connection);

	if (!c)
		return;

	double deadline_s = clock_monotonic_s() + seconds;

	pthread_mutex_lock(&c->socket->lock);
	c->deadline_s = deadline_s;
	pthread_mutex_unlock(&c->socket->lock);
}

void http_connection_prove(struct MHD_Connection *connection)
{
	struct http_connection *c = connection_of(connection);

	if (!c)
		return;
	pthread_mutex_lock(&c->socket->lock);
	c->proved = true;
	pthread_mutex_unlock(&c->socket->lock);
}

uint64_t http_connection_stranger(struct MHD_Connection *connection)
{
	const struct http_connection *c = connection_of(connection);

	/* Only the thread of the connection changes `proved`. */
	return c && !c->proved ? c->address : 0;
}

static uint64_t address_of_peer(int fd)
{
	struct sockaddr_storage address = { 0 };
	socklen_t size = sizeof(address);

	if (getpeername(fd, (struct sockaddr *)&address, &size))
		return 0;
	return peer_address_number((const struct sockaddr *)&address);
}

/* The daemon itself counts among them, so that it can tell whether it replies. */
static bool uid_is_trusted(struct http *http, uid_t uid)
{
	if (uid == geteuid())
		return true;
	pthread_rwlock_rdlock(&http->access_lock);
	bool yes = access_is_trusted(&http->access, uid);
	pthread_rwlock_unlock(&http->access_lock);
	return yes;
}

/* `is_trusted`: for the thread of s->trusted, which leaves s->counts alone. */
static void connection_begin(struct http_socket *s, int fd, bool is_trusted,
			     void **ret)
{
	struct http_connection *c = calloc(1, sizeof(*c));
	struct sp_error err;

	*ret = c;
	if (!c) {
		shutdown(fd, SHUT_RDWR); /* libmicrohttpd closes it then */
		return;
	}
	c->socket = s;
	c->fd = fd;
	c->deadline_s = clock_monotonic_s() + s->http->limits.headers_s;
	c->address = s->counts ? 0 : address_of_peer(fd);

	bool full = list_append(s, c) > (size_t)s->http->limits.connections;

	if (is_trusted)
		return;
	if (s->counts && identity_of_peer(fd, &c->uid, &err)) {
		shutdown(fd, SHUT_RDWR);
		return;
	}
	if (s->counts && !full)
		c->counted = peer_counts_enter(
			s->counts, c->uid, s->http->limits.peer_connections);
	if (full || (s->counts && !c->counted)) {
		atomic_fetch_add(&s->http->crowded, 1);
		shutdown(fd, SHUT_RDWR);
	}
}

static void connection_changed(void *context, struct MHD_Connection *connection,
			       void **socket_context,
			       enum MHD_ConnectionNotificationCode code)
{
	struct http_socket *s = context;
	struct http_connection *c = *socket_context;
	int fd = MHD_get_connection_info(connection,
					 MHD_CONNECTION_INFO_CONNECTION_FD)
			 ->connect_fd;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		bool is_trusted =
			MHD_get_connection_info(connection,
						MHD_CONNECTION_INFO_DAEMON)
				->daemon == s->trusted;

		if (!is_trusted)
			atomic_fetch_sub(&s->waiting, 1);
		connection_begin(s, fd, is_trusted, socket_context);
	} else if (c) {
		if (c->counted)
			peer_counts_leave(s->counts, c->uid);
		list_remove(s, c);
		free(c);
		*socket_context = NULL;
	}
}

/* Close what is late. */
static void connections_sweep(struct http_socket *s, double now_s)
{
	pthread_mutex_lock(&s->lock);
	for (struct http_connection *c = s->oldest; c; c = c->newer) {
		if (c->deadline_s > now_s)
			continue;
		c->deadline_s = INFINITY; /* counted once */
		shutdown(c->fd, SHUT_RDWR);
		atomic_fetch_add(&s->http->late, 1);
	}
	pthread_mutex_unlock(&s->lock);
}

static bool is_crowded(const struct http_socket *s)
{
	size_t places = (size_t)s->http->limits.connections;

	return s->connections_count >= places - places / HTTP_PLACES_KEPT;
}

/* On TCP, make room for a client that has a credential: close the oldest
 * connection that has shown none, of that address (0: any, and only where few
 * places are left). */
static void connections_make_room(struct http_socket *s, uint64_t address)
{
	pthread_mutex_lock(&s->lock);
	struct http_connection *c = s->oldest;

	if (!address && !is_crowded(s))
		c = NULL;
	while (c && (c->proved || isinf(c->deadline_s) ||
		     (address && c->address != address)))
		c = c->newer;
	if (c) {
		c->deadline_s = INFINITY;
		shutdown(c->fd, SHUT_RDWR);
		atomic_fetch_add(&s->http->crowded, 1);
	}
	pthread_mutex_unlock(&s->lock);
}

/* 0: none waits.  -1: a failure that may last. */
static int connection_accept(struct http_socket *s)
{
	struct sockaddr_storage address = { 0 };
	socklen_t size = sizeof(address);
	int fd = accept4(s->listener.fd, (struct sockaddr *)&address, &size,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct MHD_Daemon *daemon = s->users;
	struct sp_error err;
	uid_t uid;

	if (fd < 0)
		return errno == EAGAIN || errno == EINTR ||
				       errno == ECONNABORTED
			       ? 0
			       : -1;
	if (!s->listener.is_unix)
		connections_make_room(s, 0);
	else if (!identity_of_peer(fd, &uid, &err) &&
		 uid_is_trusted(s->http, uid))
		daemon = s->trusted;
	/* A user who connects faster than the thread begins uses no memory. */
	if (daemon == s->users && atomic_load(&s->waiting) >= WAITING_MAX) {
		atomic_fetch_add(&s->http->crowded, 1);
		close(fd);
		return 1;
	}
	if (daemon == s->users)
		atomic_fetch_add(&s->waiting, 1);
	/* It closes the descriptor if there is no place. */
	if (MHD_add_connection(daemon, fd, (struct sockaddr *)&address, size) !=
	    MHD_YES) {
		if (daemon == s->users)
			atomic_fetch_sub(&s->waiting, 1);
		atomic_fetch_add(&s->http->crowded, 1);
		/* The next try of this client gets a place. */
		if (!s->listener.is_unix)
			connections_make_room(
				s, peer_address_number(
					   (struct sockaddr *)&address));
	}
	return 1;
}

static void *accept_connections(void *context)
{
	struct http_socket *s = context;
	struct pollfd fds[2] = {
		{ .fd = s->stop_fds[0], .events = POLLIN },
		{ .fd = s->listener.fd, .events = POLLIN },
	};
	static const struct timespec pause = { .tv_nsec = ACCEPT_PAUSE_MS *
							  1000000L };
	double next_s = 0;

	for (;;) {
		double now_s = clock_monotonic_s();

		if (now_s >= next_s) {
			connections_sweep(s, now_s);
			next_s = now_s + SWEEP_MS / 1e3;
		}
		poll(fds, 2, SWEEP_MS);
		if (fds[0].revents)
			return NULL;
		if (fds[1].revents && connection_accept(s) < 0)
			nanosleep(&pause, NULL);
	}
}

static void library_log(void *context, const char *format, va_list arguments)
{
	char text[512];

	(void)context;
	vsnprintf(text, sizeof(text), format, arguments);
	text[strcspn(text, "\n")] = '\0';
	log_debug("libmicrohttpd: %s", text);
}

/* With epoll libmicrohttpd waits for writability at all times, so on a Unix
 * socket each read by a client would wake the thread, at the cost of the client.
 * So that socket uses poll; thousands of nodes come over TCP. */
static struct MHD_Daemon *daemon_start(struct http_socket *s)
{
	struct MHD_OptionItem limits[] = {
		{ MHD_OPTION_CONNECTION_LIMIT, LIBRARY_LIMIT, NULL },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, HTTP_IDLE_S, NULL },
		/* The kernel has no address for counts on a Unix socket. */
		{ s->listener.is_unix ? MHD_OPTION_END
				      : MHD_OPTION_PER_IP_CONNECTION_LIMIT,
		  s->http->limits.peer_connections, NULL },
		{ MHD_OPTION_END, 0, NULL },
	};

	return MHD_start_daemon(
		(s->listener.is_unix ? MHD_USE_POLL_INTERNAL_THREAD
				     : MHD_USE_EPOLL_INTERNAL_THREAD) |
			MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_USE_TURBO |
			MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG,
		0, NULL, NULL, server_handle, s, MHD_OPTION_EXTERNAL_LOGGER,
		library_log, NULL, MHD_OPTION_URI_LOG_CALLBACK, server_begin, s,
		MHD_OPTION_NOTIFY_COMPLETED, server_end, s,
		MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s,
		MHD_OPTION_ARRAY, limits, MHD_OPTION_END);
}

int http_socket_serve(struct http_socket *s, struct sp_error *err)
{
	int nice = priority_of_process();

	pthread_mutex_init(&s->lock, NULL);
	if (pipe2(s->stop_fds, O_CLOEXEC)) {
		s->stop_fds[0] = s->stop_fds[1] = -1;
		goto fail;
	}
	if (s->listener.is_unix && !(s->counts = peer_counts_create()))
		goto fail;
	s->users = daemon_start(s);
	if (!s->users)
		goto fail;
	/* New threads inherit the nice value. */
	if (s->listener.is_unix) {
		priority_set(nice + NICE);
		s->trusted = daemon_start(s);
	}
	if (!s->listener.is_unix || s->trusted)
		s->accepting = !pthread_create(&s->acceptor, NULL,
					       accept_connections, s);
	priority_set(nice);
	if (s->accepting)
		return 0;
fail:
	return sp_error_set(err, "cannot serve %s: out of memory or threads",
			    s->listener.address);
}

void http_socket_quiesce(struct http_socket *s)
{
	if (!s->accepting)
		return;
	while (write(s->stop_fds[1], "", 1) < 0 && errno == EINTR)
		;
	pthread_join(s->acceptor, NULL);
	s->accepting = false;
}

void http_socket_close(struct http_socket *s)
{
	http_socket_quiesce(s);
	if (s->trusted)
		MHD_stop_daemon(s->trusted);
	if (s->users)
		MHD_stop_daemon(s->users);
	for (int i = 0; i < 2; i++)
		if (s->stop_fds[i] >= 0)
			close(s->stop_fds[i]);
	peer_counts_destroy(s->counts);
	pthread_mutex_destroy(&s->lock);
	listener_close(&s->listener);
}
