/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrival.c - what a new client on TCP says first */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "predictor/http/arrival.h"

#define LOOK_BYTES  2048
#define METHOD_SIZE 8

static bool has_credential(const char *text)
{
	return strcasestr(text, "\r\nAuthorization:") ||
	       strcasestr(text, "\r\nX-SLURM-USER-TOKEN:");
}

/* Return whether it is a request of a daemon: "METHOD target HTTP/1.1". */
static bool is_of_daemon(const struct route *table, const char *text)
{
	char method[METHOD_SIZE], target[LOOK_BYTES];
	char captured[ROUTE_CAPTURE_SIZE], allow[ROUTE_ALLOW_SIZE];
	const struct route *route;

	return sscanf(text, "%7[A-Z] %2047[^ \r\n]", method, target) == 2 &&
	       route_find(table, method, target, &route, captured, allow) ==
		       ROUTE_FOUND &&
	       (route->role == ROLE_COLLECTOR || route->role == ROLE_OPERATOR);
}

enum arrival arrival_look(const struct route *table, int fd)
{
	char text[LOOK_BYTES];
	ssize_t size =
		recv(fd, text, sizeof(text) - 1, MSG_PEEK | MSG_DONTWAIT);

	if (size == 0)
		return ARRIVAL_GONE;
	text[size > 0 ? size : 0] = '\0';
	if (!has_credential(text))
		return ARRIVAL_ANYBODY;
	return is_of_daemon(table, text) ? ARRIVAL_DAEMON : ARRIVAL_CREDENTIAL;
}
