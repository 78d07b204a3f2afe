/* SPDX-License-Identifier: GPL-2.0-or-later */
/* liveness.c - whether predictd replies, for the service manager's watchdog */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
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
	*ret = (struct liveness){ .engine = engine };
	watchdog_init(&ret->watchdog);
	for (size_t i = 0; i < count && !ret->address; i++)
		if (listeners[i].is_unix)
			ret->address = listeners[i].address;
}

/* Each step of the exchange has `timeout_s`. */
static bool socket_replies(const char *path, double timeout_s)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval timeout = {
		.tv_sec = (time_t)timeout_s,
		.tv_usec = (suseconds_t)(fmod(timeout_s, 1) * 1e6),
	};
	char reply[sizeof(REPLY_BEGINS)] = "";
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	bool replies =
		!setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout,
			    sizeof(timeout)) &&
		!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout,
			    sizeof(timeout)) &&
		!connect(fd, (struct sockaddr *)&address, sizeof(address)) &&
		send(fd, REQUEST, strlen(REQUEST), MSG_NOSIGNAL) ==
			(ssize_t)strlen(REQUEST) &&
		recv(fd, reply, strlen(REPLY_BEGINS), MSG_WAITALL) > 0 &&
		!strcmp(reply, REPLY_BEGINS);
	close(fd);
	return replies;
}

void liveness_run(struct liveness *l)
{
	struct watchdog *watchdog = &l->watchdog;
	struct engine_counts counts;

	if (watchdog->due_s > clock_monotonic_s())
		return;
	engine_count(l->engine, &counts);
	/* Connecting, sending and receiving may all take their time. */
	if (!l->address || socket_replies(l->address + strlen(UNIX_PREFIX),
					  watchdog->period_s / 3)) {
		watchdog_feed(watchdog, clock_monotonic_s());
		return;
	}
	watchdog->due_s = clock_monotonic_s() + watchdog->period_s / 3;
	log_warning("no reply at %s: the service manager will restart predictd "
		    "if it stays so",
		    l->address);
}

double liveness_wait_s(const struct liveness *l, double at_most)
{
	return fmin(at_most, fmax(0, l->watchdog.due_s - clock_monotonic_s()));
}
