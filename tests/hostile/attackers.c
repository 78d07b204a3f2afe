/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attackers.c - processes that attack predictd
 *
 * Each has an ordinary uid of its own, and on TCP a loopback address of its
 * own. It has a number of connections, which are opened again when predictd
 * closes them, and goes on until it is killed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <munge.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hostile/hostile.h"

#define CONNECTIONS_MAX 1024
#define HEADER_SIZE     2048
#define PAUSE_MS        5   /* after a connection could not be opened */
#define HOLD_MS         250 /* between two bytes */

static const char *munge_socket; /* of this process */

/* One connection. */
struct line {
	int fd;        /* -1: closed */
	char *request; /* of HOSTILE_REQUEST_SIZE bytes, as far as needed */
	size_t size, sent;
	char header[HEADER_SIZE]; /* of the reply */
	size_t header_size;
	size_t body_left;
};

static void die(const char *what)
{
	perror(what);
	_exit(1);
}

/* --- Connections ---------------------------------------------------------- */

static int unix_open(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd >= 0 &&
	    connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* From an address that no other process has. */
static int tcp_open(int port, int number, bool here)
{
	struct sockaddr_in from = {
		.sin_family = AF_INET,
		.sin_addr.s_addr =
			htonl(here ? INADDR_LOOPBACK
				   : 0x7f000102 + (uint32_t)number * 256),
	};
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&from, sizeof(from)) ||
	    (connect(fd, (struct sockaddr *)&to, sizeof(to)) &&
	     errno != EINPROGRESS)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int attacker_open(struct attacker *a)
{
	int fd = a->attack->tcp
			 ? tcp_open(a->site->port, a->number, a->attack->here)
			 : unix_open(a->site->socket_path);

	if (fd < 0)
		atomic_fetch_add(&a->counts->refused, 1);
	return fd;
}

static void line_close(struct attacker *a, struct line *line)
{
	close(line->fd);
	line->fd = -1;
	atomic_fetch_add(&a->counts->closed, 1);
}

static struct line *lines_create(const struct attacker *a)
{
	struct line *lines =
		calloc((size_t)a->attack->connections, sizeof(*lines));

	if (!lines)
		die("attacker");
	for (int i = 0; i < a->attack->connections; i++)
		lines[i].fd = -1;
	return lines;
}

/* --- Floods --------------------------------------------------------------- */

static void line_begin(struct attacker *a, struct line *line, unsigned *n)
{
	if (!line->request && !(line->request = malloc(HOSTILE_REQUEST_SIZE)))
		die("request");
	line->size = a->attack->request(a->uid, (*n)++, line->request);
	line->sent = line->header_size = line->body_left = 0;
}

/* The reply as far as it was read: count it when its header is whole. */
static void line_header(struct attacker *a, struct line *line)
{
	const char *length, *end;

	line->header[line->header_size] = '\0';
	end = strstr(line->header, "\r\n\r\n");
	if (!end)
		return;
	length = strcasestr(line->header, "\r\nContent-Length:");

	char digit = line->header[9];

	if (digit >= '1' && digit <= '5')
		atomic_fetch_add(&a->counts->replies[digit - '0'], 1);
	line->body_left = (length ? strtoul(length + 17, NULL, 10) : 0) + 1;
	line->body_left -= line->header_size - (size_t)(end + 4 - line->header);
}

/* Returns false when the connection was closed. */
static bool line_read(struct attacker *a, struct line *line, unsigned *n)
{
	static char skipped[65536];
	ssize_t got;

	if (line->body_left) { /* one more than are to come */
		size_t left = line->body_left - 1;

		got = left ? recv(line->fd, skipped,
				  left < sizeof(skipped) ? left
							 : sizeof(skipped),
				  0)
			   : 0;
		if (left && got <= 0)
			return got < 0 && errno == EAGAIN;
		line->body_left -= (size_t)got;
	} else {
		got = recv(line->fd, line->header + line->header_size,
			   HEADER_SIZE - 1 - line->header_size, 0);
		if (got <= 0)
			return got < 0 && errno == EAGAIN;
		line->header_size += (size_t)got;
		line_header(a, line);
	}
	if (line->body_left == 1)
		line_begin(a, line, n);
	return true;
}

static bool line_write(struct line *line)
{
	ssize_t put = send(line->fd, line->request + line->sent,
			   line->size - line->sent, MSG_NOSIGNAL);

	if (put > 0)
		line->sent += (size_t)put;
	return put > 0 || errno == EAGAIN || errno == ENOTCONN;
}

void attackers_flood(struct attacker *a)
{
	static struct pollfd fds[CONNECTIONS_MAX];
	struct line *lines = lines_create(a);
	unsigned n = 0;

	for (;;) {
		bool shut = false;

		for (int i = 0; i < a->attack->connections; i++) {
			struct line *line = &lines[i];

			if (line->fd < 0) {
				line->fd = attacker_open(a);
				line_begin(a, line, &n);
			}
			shut |= line->fd < 0;
			fds[i] = (struct pollfd){
				.fd = line->fd,
				.events = line->sent < line->size
						  ? POLLIN | POLLOUT
						  : POLLIN
			};
		}
		poll(fds, (nfds_t)a->attack->connections,
		     shut ? PAUSE_MS : 100);
		for (int i = 0; i < a->attack->connections; i++) {
			struct line *line = &lines[i];
			bool open = true;

			if (fds[i].revents & (POLLIN | POLLHUP | POLLERR))
				open = line_read(a, line, &n);
			if (open && fds[i].revents & POLLOUT &&
			    line->sent < line->size)
				open = line_write(line);
			if (!open)
				line_close(a, line);
		}
	}
}

/* --- Slow clients --------------------------------------------------------- */

void attackers_hold(struct attacker *a)
{
	const char *prefix = a->attack->prefix;
	struct line *lines = lines_create(a);

	for (;;) {
		for (int i = 0; i < a->attack->connections; i++) {
			struct line *line = &lines[i];
			char reply[HEADER_SIZE];
			ssize_t got = -1;

			errno = EAGAIN;
			if (line->fd < 0) {
				line->fd = attacker_open(a);
				line->sent = 0;
			}
			if (line->fd < 0)
				continue;

			const char *next = line->sent ? "x" : prefix;

			if (send(line->fd, next, strlen(next), MSG_NOSIGNAL) >
			    0)
				line->sent++;
			got = recv(line->fd, reply, sizeof(reply), 0);
			if (got > 9 && reply[9] >= '1' && reply[9] <= '5')
				atomic_fetch_add(
					&a->counts->replies[reply[9] - '0'], 1);
			if (got >= 0 || (errno != EAGAIN && errno != ENOTCONN))
				line_close(a, line);
		}
		poll(NULL, 0, HOLD_MS);
	}
}

void attackers_connect(struct attacker *a)
{
	for (;;) {
		int fd = attacker_open(a);

		if (fd >= 0)
			close(fd);
		else
			poll(NULL, 0, 1);
	}
}

/* --- Processes ------------------------------------------------------------ */

void attacker_credential(const char *payload, char *ret)
{
	munge_ctx_t context = munge_ctx_create();
	char *credential = NULL;

	munge_ctx_set(context, MUNGE_OPT_SOCKET, munge_socket);
	if (munge_encode(&credential, context, payload, (int)strlen(payload)) !=
	    EMUNGE_SUCCESS)
		credential = strdup("none");
	snprintf(ret, HOSTILE_HEADER_SIZE, "Authorization: MUNGE %s\r\n",
		 credential);
	free(credential);
	munge_ctx_destroy(context);
}

static void attacker_run(struct attacker *a)
{
	struct rlimit files = { 8192, 8192 };

	munge_socket = a->site->munge_socket;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_NOFILE, &files);
	if (setgroups(0, NULL) || setgid(a->uid) || setuid(a->uid))
		die("setuid");
	a->attack->run(a);
	_exit(1);
}

int attackers_start(const struct attack *attack,
		    const struct hostile_site *site,
		    struct hostile_counts *counts, pid_t ret[HOSTILE_PROCESSES])
{
	for (int i = 0; i < attack->processes; i++) {
		struct attacker a = { .site = site,
				      .attack = attack,
				      .counts = counts,
				      .number = i,
				      .uid = HOSTILE_UID_FIRST + (uid_t)i };

		ret[i] = fork();
		if (ret[i] < 0) {
			attackers_stop(ret, i);
			return -1;
		}
		if (ret[i] == 0)
			attacker_run(&a);
	}
	return attack->processes;
}

void attackers_stop(const pid_t pids[], int count)
{
	for (int i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	for (int i = 0; i < count; i++)
		waitpid(pids[i], NULL, 0);
}
