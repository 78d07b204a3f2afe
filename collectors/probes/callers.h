/* SPDX-License-Identifier: GPL-2.0-or-later */
/* callers.h - incoming probe connections, until they are identified
 *
 * There are few places; a caller that connects and sends nothing loses its
 * place to the next.
 */
#pragma once

#include <poll.h>

#include "collectors/probes/credential.h"
#include "collectors/probes/line.h"
#include "predictor/base/error.h"

#define CALLERS_MAX 4

struct caller {
	int fd; /* -1: none */
	double until_s;
	char nonce[NONCE_SIZE];
	struct line_reader reader;
};

struct callers {
	int listener;
	struct caller of[CALLERS_MAX];
};

void callers_init(struct callers *callers); /* no callers, closed */

/* `address`: numeric; empty: any IPv4 address. */
int callers_open(struct callers *callers, const char *address, int port,
		 struct sp_error *err);
void callers_close(struct callers *callers); /* also what is not open */

/* Find what to wait for; return until when at most (monotonic clock). */
double callers_wait(const struct callers *callers,
		    struct pollfd ret[1 + CALLERS_MAX]);

/* Go on after poll() with the same `fds`. `serve` is called for each caller
 * that has sent a line; then it is disconnected. */
void callers_run(struct callers *callers,
		 const struct pollfd fds[1 + CALLERS_MAX],
		 void (*serve)(void *context, struct caller *caller,
			       const char *line),
		 void *context);
