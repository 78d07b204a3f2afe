/* SPDX-License-Identifier: GPL-2.0-or-later */
/* liveness.h - whether predictd replies, for the service manager's watchdog
 *
 * predictd sends a request to itself at its first Unix socket, where it has a
 * place apart from all users, so that many clients cannot make it look hung.
 * It is reported alive only if the engine's lock was free and a reply came.
 *
 * The caller's thread has signals to handle: it does not wait for the reply but
 * for an instant.
 */
#pragma once

#include "predictor/base/notify.h"
#include "predictor/engine/engine.h"
#include "predictor/http/gate/listen.h"

#define LIVENESS_GLANCE_S 0.05

struct liveness {
	struct watchdog watchdog;
	struct engine *engine;
	const char *address; /* of the Unix socket; NULL: there is none */
	int fd;              /* a reply is awaited; -1: none */
	double until_s;      /* likewise; of the monotonic clock */
	size_t got;          /* bytes of it */
};

/* Borrows `engine` and the addresses of `listeners`. */
void liveness_init(struct liveness *ret, struct engine *engine,
		   const struct listener listeners[], size_t count);

/* If a report is due, send a request; if the reply has come, report.  Takes
 * LIVENESS_GLANCE_S at most, unless the engine hangs. */
void liveness_run(struct liveness *liveness);

/* Until it is to be called again, `at_most` seconds at most. */
double liveness_wait_s(const struct liveness *liveness, double at_most);

/* No reply is awaited any more. */
void liveness_end(struct liveness *liveness);
