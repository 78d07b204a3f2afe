/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notify.c - reports to the service manager: started, alive, ending */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/base/notify.h"

/* Two may be late before the daemon counts as hung. */
#define REPORTS_IN_TIMEOUT 3

bool notify_send(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;

	if (length < 2 || length >= sizeof(address.sun_path) ||
	    (path[0] != '/' && path[0] != '@'))
		return false;
	memcpy(address.sun_path, path, length);
	if (path[0] == '@')
		address.sun_path[0] = '\0'; /* an abstract socket */

	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;

	socklen_t size =
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
	bool sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL,
			   (struct sockaddr *)&address,
			   size) == (ssize_t)strlen(state);

	close(fd);
	return sent;
}

void watchdog_init(struct watchdog *ret)
{
	const char *microseconds = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");
	double timeout_s = microseconds ? strtod(microseconds, NULL) / 1e6 : 0;

	*ret = (struct watchdog){ .period_s = HUGE_VAL, .due_s = HUGE_VAL };
	if (!(timeout_s > 0) ||
	    (pid && strtol(pid, NULL, 10) != (long)getpid()))
		return;
	ret->period_s = timeout_s / REPORTS_IN_TIMEOUT;
	ret->due_s = 0;
}

void watchdog_feed(struct watchdog *watchdog, double now_s)
{
	notify_send("WATCHDOG=1");
	watchdog->due_s = now_s + watchdog->period_s;
}
