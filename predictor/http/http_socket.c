/* SPDX-License-Identifier: GPL-2.0-or-later */
/* http_socket.c - a listening socket, its connections and their deadlines
 *
 * A thread accepts connections and hands them to a daemon of libmicrohttpd,
 * each of which has one thread and its own places.  At a Unix socket the kernel
 * knows the uid of the client: operators (slurmctld's user is one) and
 * collectors are served by a daemon of their own, at a higher priority, so that
 * the requests of others never stand before theirs.  Where they may, they
 * connect to a socket of their own (trusted_socket.h), which has an acceptor of
 * its own.
 *
 * On TCP nobody is known before a credential was checked.  What a client says
 * first (arrival.h) chooses the daemon: requests of collectors and operators,
 * and no others, go to one of their own.  A client with something like a
 * credential is always let in.  One without has a budget of connections, and a
 * room that holds few of each address: the oldest there gives way.  A client
 * that has proved who it is leaves that room, and counts as its user.
 *
 * The same thread closes connections whose deadline has passed: headers and
 * bodies each have one as a whole, as an idle timeout begins anew with each
 * byte.  When few places are left on TCP, the oldest connection without a proof
 * is closed.
 *
 * Locks: each daemon has a list of its connections with a lock (connections.h).
 * The acceptor, at the priority of the process, takes both, each for
 * an instant.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include "predictor/http/arrival.h"
#include "predictor/http/gate/identity.h"
#include "predictor/http/gate/peer_address.h"
#include "predictor/http/gate/peer_counts.h"
#include "predictor/http/http_socket.h"
#include "predictor/http/server.h"

/* For headers and a piece of the body.  Larger pools cost time: they are
 * cleared for each request. */
#define CONNECTION_BYTES (16 * 1024)

/* Niceness of the threads that serve slurmctld at a Unix socket: it waits for
 * replies with its locks held. */
#define NICE (-10)

/* Never reached: at its own limit libmicrohttpd 0.9.75 waits for ever for a
 * lock that its thread has.  Ours is in connection_begin(). */
#define LIBRARY_LIMIT (4 * HTTP_CONNECTIONS_MAX)

/* Accepted connections of ordinary users that their thread has not begun. */
#define WAITING_MAX 512
#define WAITING_S   10.0

/* Beside what addresses of hosts are, as a peer. */
#define PEER_IS_USER (UINT64_C(1) << 63)

/* Between two searches for connections that are late. */
#define SWEEP_MS 500

/* After accept() failed, as when no descriptor is left. */
#define ACCEPT_PAUSE_MS 20

static void count_crowded(struct http_socket *s, size_t count)
{
	atomic_fetch_add(&s->http->crowded, count);
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

	if (c)
		connection_allow(c, clock_monotonic_s() + seconds);
}

bool http_connection_prove(struct MHD_Connection *connection, uid_t uid,
			   bool trusted)
{
	struct http_connection *c = connection_of(connection);

	if (!c || c->socket->listener.is_unix)
		return true;
	connection_prove(c, true);
	return connection_count(c, trusted ? 0 : PEER_IS_USER | uid,
				c->socket->http->limits.peer_connections);
}

void http_connection_disprove(struct MHD_Connection *connection)
{
	struct http_connection *c = connection_of(connection);

	if (!c || c->socket->listener.is_unix)
		return;
	connection_prove(c, false);
	(void)connection_count(c, c->peer, INT_MAX);
}

uint64_t http_connection_address(struct MHD_Connection *connection)
{
	const struct http_connection *c = connection_of(connection);

	return c && !c->socket->listener.is_unix ? c->peer : 0;
}

bool http_connection_is_apart(struct MHD_Connection *connection)
{
	const struct http_connection *c = connection_of(connection);

	return c && !c->socket->listener.is_unix &&
	       c->list == &c->socket->of_trusted;
}

/* Find the uid at a Unix socket, the address on TCP.  -1: not known. */
static int peer_of(const struct http_socket *s, int fd, uint64_t *ret)
{
	struct sockaddr_storage address = { 0 };
	socklen_t size = sizeof(address);
	struct sp_error err;
	uid_t uid;

	if (s->listener.is_unix) {
		if (identity_of_peer(fd, &uid, &err))
			return -1;
		*ret = uid;
		return 0;
	}
	if (getpeername(fd, (struct sockaddr *)&address, &size))
		return -1;
	*ret = peer_address_number((const struct sockaddr *)&address);
	return 0;
}

/* The daemon itself counts among them, so that it can tell whether
 * it replies. */
static bool uid_is_trusted(struct http *http, uid_t uid)
{
	if (uid == geteuid())
		return true;
	pthread_rwlock_rdlock(&http->access_lock);
	bool yes = access_is_trusted(&http->access, uid);
	pthread_rwlock_unlock(&http->access_lock);
	return yes;
}

/* Count it among those of its peer.  An ordinary user who has too many gets no
 * more; on TCP the oldest without a proof gives way. */
static bool connection_enter(struct http_socket *s, struct http_connection *c,
			     size_t count)
{
	const struct http_limits *limits = &s->http->limits;

	if (count > (size_t)limits->connections)
		return false;
	if (connection_count(c, c->peer, limits->peer_connections))
		return true;
	if (s->listener.is_unix || !connections_make_room(c->list, c->peer, 0))
		return false;
	count_crowded(s, 1);
	return connection_count(c, c->peer, INT_MAX);
}

/* In the thread of a daemon. */
static void connection_begin(struct http_socket *s, int fd,
			     struct connections *list, void **ret)
{
	struct http_connection *c = calloc(1, sizeof(*c));

	*ret = c;
	if (!c) {
		shutdown(fd, SHUT_RDWR); /* libmicrohttpd closes it then */
		return;
	}
	c->socket = s;
	c->list = list;
	c->counts = list == &s->of_trusted ? s->trusted_counts : s->counts;
	c->fd = fd;
	c->deadline_s = clock_monotonic_s() + s->http->limits.headers_s;

	int known = !peer_of(s, fd, &c->peer);
	size_t count = connections_append(list, c);

	if ((list == &s->of_trusted && s->listener.is_unix) ||
	    (known && connection_enter(s, c, count)))
		return;
	count_crowded(s, known);
	connection_allow(c, INFINITY); /* so that it is no more in the way */
	shutdown(fd, SHUT_RDWR);
}

static void connection_end(struct http_connection *c)
{
	(void)connection_count(c, 0, 0);
	connections_remove(c->list, c);
	free(c);
}

/* The acceptor may have given up on it. */
static void waiting_leave(struct http_socket *s)
{
	size_t waiting = atomic_load(&s->waiting);

	while (waiting && !atomic_compare_exchange_weak(&s->waiting, &waiting,
							waiting - 1))
		;
	atomic_fetch_add(&s->begun, 1);
}

static void connection_changed(void *context, struct MHD_Connection *connection,
			       void **socket_context,
			       enum MHD_ConnectionNotificationCode code)
{
	struct http_socket *s = context;
	int fd = MHD_get_connection_info(connection,
					 MHD_CONNECTION_INFO_CONNECTION_FD)
			 ->connect_fd;
	struct MHD_Daemon *daemon =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_DAEMON)
			->daemon;

	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		if (daemon != s->trusted)
			waiting_leave(s);
		connection_begin(s, fd,
				 daemon == s->trusted ? &s->of_trusted
						      : &s->of_users,
				 socket_context);
	} else if (*socket_context) {
		connection_end(*socket_context);
		*socket_context = NULL;
	}
}

/* --- The acceptor --------------------------------------------------------- */

/* Return whether the peer, who is not known to be trusted, may connect once
 * more now. */
static bool peer_may_connect(struct http_socket *s, uint64_t peer,
			     const struct sockaddr *address)
{
	const struct proxies *proxies = s->http->config.proxies;
	struct budget *budget = s->listener.is_unix ? s->http->user_connects
						    : s->http->address_connects;

	/* A proxy may open a connection for each request of its users. */
	if (!s->listener.is_unix && proxies && proxies_have(proxies, address))
		return true;
	return budget_take(budget, peer, clock_monotonic_s(), 0, 0) ==
	       BUDGET_GRANTED;
}

/* Return which daemon serves a client on TCP; NULL: none. */
static struct MHD_Daemon *daemon_choose_tcp(struct http_socket *s, int fd,
					    uint64_t peer,
					    const struct sockaddr *address)
{
	struct http *http = s->http;
	size_t places = (size_t)http->limits.connections;
	enum arrival arrival = arrival_look(http->config.routes, fd);

	/* From where bad credentials come none is believed before it
	 * is checked. */
	if (arrival == ARRIVAL_DAEMON &&
	    budget_is_spent(http->addresses, peer, clock_monotonic_s()))
		arrival = ARRIVAL_CREDENTIAL;
	if (arrival == ARRIVAL_GONE ||
	    (arrival == ARRIVAL_ANYBODY && !peer_may_connect(s, peer, address)))
		return NULL;

	bool apart = arrival == ARRIVAL_DAEMON;

	count_crowded(s, connections_make_room(
				 apart ? &s->of_trusted : &s->of_users, 0,
				 places - places / HTTP_PLACES_KEPT));
	return apart ? s->trusted : s->users;
}

/* Return which daemon serves a client; NULL: none.  One who connects
 * faster than the budget allows, or the thread begins, uses neither its
 * time nor memory. */
static struct MHD_Daemon *daemon_choose(struct http_socket *s, int fd,
					const struct sockaddr *address)
{
	struct MHD_Daemon *daemon;
	uint64_t peer;

	if (peer_of(s, fd, &peer))
		return NULL;
	if (!s->listener.is_unix)
		daemon = daemon_choose_tcp(s, fd, peer, address);
	else if (uid_is_trusted(s->http, (uid_t)peer))
		daemon = s->trusted;
	else if (s->for_trusted || !peer_may_connect(s, peer, address))
		daemon = NULL;
	else
		daemon = s->users;
	return daemon == s->users && atomic_load(&s->waiting) >= WAITING_MAX
		       ? NULL
		       : daemon;
}

/* 0: none waits.  -1: a failure that may last. */
static int connection_accept(struct http_socket *s)
{
	struct sockaddr_storage address = { 0 };
	socklen_t size = sizeof(address);
	int fd = accept4(s->listener.fd, (struct sockaddr *)&address, &size,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return errno == EAGAIN || errno == EINTR ||
				       errno == ECONNABORTED
			       ? 0
			       : -1;

	struct MHD_Daemon *daemon =
		daemon_choose(s, fd, (const struct sockaddr *)&address);

	if (!daemon) {
		count_crowded(s, 1);
		close(fd);
		return 1;
	}
	if (daemon == s->users)
		atomic_fetch_add(&s->waiting, 1);
	/* It closes the descriptor if memory is short. */
	if (MHD_add_connection(daemon, fd, (struct sockaddr *)&address, size) !=
	    MHD_YES) {
		if (daemon == s->users)
			waiting_leave(s);
		count_crowded(s, 1);
	}
	return 1;
}

/* libmicrohttpd tells nothing of connections that it drops for want of memory.
 * If none was begun for so long, those that count as waiting are such. */
static void waiting_forget(struct http_socket *s, double now_s)
{
	unsigned begun = atomic_load(&s->begun);

	if (begun != s->begun_seen || !atomic_load(&s->waiting)) {
		s->begun_seen = begun;
		s->begun_s = now_s;
	} else if (now_s - s->begun_s > WAITING_S) {
		atomic_store(&s->waiting, 0);
	}
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
			atomic_fetch_add(
				&s->http->late,
				connections_sweep(&s->of_users, now_s) +
					connections_sweep(&s->of_trusted,
							  now_s));
			waiting_forget(s, now_s);
			next_s = now_s + SWEEP_MS / 1e3;
		}
		poll(fds, 2, SWEEP_MS);
		if (fds[0].revents)
			return NULL;
		if (fds[1].revents && connection_accept(s) < 0)
			nanosleep(&pause, NULL);
	}
}

/* --- Begin and end -------------------------------------------------------- */

static void library_log(void *context, const char *format, va_list arguments)
{
	char text[512];

	(void)context;
	vsnprintf(text, sizeof(text), format, arguments);
	text[strcspn(text, "\n")] = '\0';
	log_debug("libmicrohttpd: %s", text);
}

/* With epoll libmicrohttpd waits for writability at all times, so on a Unix
 * socket each read by a client would wake the thread, at the cost of the
 * client. So that socket uses poll; thousands of nodes come over TCP. */
static struct MHD_Daemon *daemon_start(struct http_socket *s)
{
	struct MHD_OptionItem limits[] = {
		{ MHD_OPTION_CONNECTION_LIMIT, LIBRARY_LIMIT, NULL },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, HTTP_IDLE_S, NULL },
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

	connections_init(&s->of_users);
	connections_init(&s->of_trusted);
	if (pipe2(s->stop_fds, O_CLOEXEC)) {
		s->stop_fds[0] = s->stop_fds[1] = -1;
		goto fail;
	}
	s->counts = peer_counts_create();
	s->trusted_counts = peer_counts_create();
	if (!s->counts || !s->trusted_counts)
		goto fail;
	if (!s->for_trusted && !(s->users = daemon_start(s)))
		goto fail;
	/* New threads inherit the nice value.  The acceptor has that of the
	 * process where a crowd may connect. */
	if (s->listener.is_unix)
		priority_set_urgent(nice + NICE);
	s->trusted = daemon_start(s);
	if (!s->for_trusted)
		priority_set(nice);
	if (s->trusted)
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
	peer_counts_destroy(s->trusted_counts);
	connections_clear(&s->of_users);
	connections_clear(&s->of_trusted);
	listener_close(&s->listener);
}
