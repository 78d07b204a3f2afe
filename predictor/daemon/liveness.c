/* SPDX-License-Identifier: GPL-2.0-or-later */
/* liveness.c - whether predictd replies, for the service manager's watchdog */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/trusted_socket.h"
#include "predictor/daemon/liveness.h"

#define UNIX_PREFIX "unix:"
#define REQUEST                   \
	"GET /livez HTTP/1.1\r\n" \
	"Host: localhost\r\n"     \
	"Connection: close\r\n\r\n"
#define REPLY_BEGINS "HTTP/1."

void liveness_init(struct liveness *ret, struct engine *engine,
		   const struct listener listeners[], size_t count)
{
	*ret = (struct liveness){ .engine = engine, .fd = -1 };
	watchdog_init(&ret->watchdog);
	for (size_t i = 0; i < count && !ret->address; i++)
		if (listeners[i].is_unix)
			ret->address = listeners[i].address;
}

/* A request that no reply has come to yet; -1: it cannot be sent now. */
static int request_send(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	trusted_socket_choose(path, address.sun_path);
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)) &&
	    send(fd, REQUEST, strlen(REQUEST), MSG_NOSIGNAL) ==
		    (ssize_t)strlen(REQUEST))
		return fd;
	close(fd);
	return -1;
}

enum reply { REPLY_NONE, REPLY_BAD, REPLY_GOOD };

/* Read the first bytes of the reply, which come together. */
static enum reply reply_read(struct liveness *l)
{
	struct pollfd ready = { .fd = l->fd, .events = POLLIN };
	char text[sizeof(REPLY_BEGINS)];
	size_t wanted = strlen(REPLY_BEGINS);
	ssize_t got;

	if (poll(&ready, 1, (int)(LIVENESS_GLANCE_S * 1e3)) <= 0)
		return REPLY_NONE;
	got = recv(l->fd, text, wanted - l->got, 0);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return REPLY_NONE;
	if (got <= 0 || memcmp(text, &REPLY_BEGINS[l->got], (size_t)got) != 0)
		return REPLY_BAD;
	l->got += (size_t)got;
	return l->got == wanted ? REPLY_GOOD : REPLY_NONE;
}

void liveness_end(struct liveness *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

static void alive(struct liveness *l)
{
	liveness_end(l);
	watchdog_feed(&l->watchdog, clock_monotonic_s());
}

static void not_alive(struct liveness *l)
{
	liveness_end(l);
	l->watchdog.due_s = clock_monotonic_s() + l->watchdog.period_s / 3;
	log_warning("no reply at %s: the service manager will restart predictd "
		    "if it stays so",
		    l->address);
}

static void request_begin(struct liveness *l)
{
	struct engine_counts counts;

	engine_count(l->engine, &counts);
	l->got = 0;
	l->until_s = clock_monotonic_s() + l->watchdog.period_s / 3;
	if (!l->address)
		alive(l);
	else if ((l->fd = request_send(l->address + strlen(UNIX_PREFIX))) < 0)
		not_alive(l);
}

void liveness_run(struct liveness *l)
{
	if (l->fd < 0 && l->watchdog.due_s <= clock_monotonic_s())
		request_begin(l);
	if (l->fd < 0)
		return;
	switch (reply_read(l)) {
	case REPLY_GOOD:
		alive(l);
		return;
	case REPLY_BAD:
		not_alive(l);
		return;
	case REPLY_NONE:
		if (clock_monotonic_s() >= l->until_s)
			not_alive(l);
		return;
	}
}

double liveness_wait_s(const struct liveness *l, double at_most)
{
	double due_s = l->fd < 0 ? l->watchdog.due_s - clock_monotonic_s()
				 : LIVENESS_GLANCE_S;

	return fmin(at_most, fmax(0, due_s));
}
