/* SPDX-License-Identifier: GPL-2.0-or-later */
/* liveness.h - whether predictd replies, for the service manager's watchdog
 *
 * predictd sends a request to itself at its first Unix socket, where it has a
 * place apart from all users, so that many clients cannot make it look hung.  It
 * is reported alive only if the engine's lock was free and a reply came.
 */
#ifndef PREDICTOR_DAEMON_LIVENESS_H
#define PREDICTOR_DAEMON_LIVENESS_H

#include <stddef.h>

#include "predictor/base/notify.h"
#include "predictor/engine/engine.h"
#include "predictor/http/listen.h"

struct liveness {
	struct watchdog watchdog;
	struct engine *engine;
	const char *address; /* of the Unix socket; NULL: there is none */
};

/* Borrows `engine` and the addresses of `listeners`. */
void liveness_init(struct liveness *ret, struct engine *engine,
		   const struct listener listeners[], size_t count);

/* If a report is due: check, and report.  Takes a third of the watchdog's
 * timeout at most, unless the engine hangs. */
void liveness_run(struct liveness *liveness);

/* Until the next report is due, `at_most` seconds at most. */
double liveness_wait_s(const struct liveness *liveness, double at_most);

#endif
