/* SPDX-License-Identifier: GPL-2.0-or-later */
/* callers.c - incoming probe connections, until they are identified */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/probes/callers.h"
#include "collectors/probes/probe.h"
#include "predictor/base/clock.h"

#define GREETED_S 1.0 /* timeout for the credential */

void callers_init(struct callers *callers)
{
	callers->listener = -1;
	for (size_t i = 0; i < CALLERS_MAX; i++)
		callers->of[i].fd = -1;
}

int callers_open(struct callers *callers, const char *address, int port,
		 struct sp_error *err)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6,
				   .sin6_port = htons((uint16_t)port) };
	bool is_v6 = inet_pton(AF_INET6, address, &v6.sin6_addr) == 1;
	const struct sockaddr *at = is_v6 ? (const struct sockaddr *)&v6
					  : (const struct sockaddr *)&v4;
	int one = 1, fd;

	if (!is_v6 && *address &&
	    inet_pton(AF_INET, address, &v4.sin_addr) != 1)
		return sp_error_set(err, "%s: not a numeric address", address);
	fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    0);
	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    (is_v6 &&
	     setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one))) ||
	    bind(fd, at, is_v6 ? sizeof(v6) : sizeof(v4)) ||
	    listen(fd, CALLERS_MAX)) {
		sp_error_set(err, "probes, port %d: %s", port, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	callers->listener = fd;
	return 0;
}

static void caller_drop(struct caller *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void callers_close(struct callers *callers)
{
	for (size_t i = 0; i < CALLERS_MAX; i++)
		caller_drop(&callers->of[i]);
	if (callers->listener >= 0)
		close(callers->listener);
	callers_init(callers);
}

double callers_wait(const struct callers *callers,
		    struct pollfd ret[1 + CALLERS_MAX])
{
	double until_s = HUGE_VAL;

	ret[0] = (struct pollfd){ .fd = callers->listener, .events = POLLIN };
	for (size_t i = 0; i < CALLERS_MAX; i++) {
		const struct caller *c = &callers->of[i];

		ret[1 + i] = (struct pollfd){ .fd = c->fd, .events = POLLIN };
		if (c->fd >= 0)
			until_s = fmin(until_s, c->until_s);
	}
	return until_s;
}

/* Return a free place, or that of the caller that connected first. */
static struct caller *place_find(struct callers *callers)
{
	struct caller *oldest = callers->of;

	for (size_t i = 0; i < CALLERS_MAX; i++) {
		struct caller *c = &callers->of[i];

		if (c->fd < 0)
			return c;
		if (c->until_s < oldest->until_s)
			oldest = c;
	}
	caller_drop(oldest);
	return oldest;
}

static void caller_accept(struct callers *callers)
{
	struct caller *place;
	int fd = accept4(callers->listener, NULL, NULL,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	place = place_find(callers);
	if (probe_greet(fd, place->nonce, NULL)) {
		close(fd);
		return;
	}
	place->fd = fd;
	place->until_s = clock_monotonic_s() + GREETED_S;
	line_open(&place->reader, fd, place->until_s);
}

void callers_run(struct callers *callers,
		 const struct pollfd fds[1 + CALLERS_MAX],
		 void (*serve)(void *context, struct caller *caller,
			       const char *line),
		 void *context)
{
	for (size_t i = 0; i < CALLERS_MAX; i++) {
		struct caller *c = &callers->of[i];
		char *line;
		int more;

		if (c->fd < 0)
			continue;
		more = fds[1 + i].revents ? line_try(&c->reader, &line) : 0;
		if (more > 0)
			serve(context, c, line);
		if (more || c->until_s <= clock_monotonic_s())
			caller_drop(c);
	}
	if (fds[0].revents)
		caller_accept(callers);
}
