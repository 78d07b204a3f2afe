/* SPDX-License-Identifier: GPL-2.0-or-later */
/* breaker.h - circuit breaker: pause requests after repeated failures
 *
 * After BREAKER_FAILURES failures in a row no request is allowed for
 * BREAKER_PAUSE_S seconds; then one request decides whether to resume.  The
 * caller gives the time, in seconds of the monotonic clock.
 */
#pragma once

#include <stdbool.h>

#define BREAKER_FAILURES 5
#define BREAKER_PAUSE_S  10.0

struct breaker {
	int failures; /* in a row, counted up to BREAKER_FAILURES */
	double paused_until_s;
};

/* A breaker of zeros allows requests. */

bool breaker_allows(const struct breaker *breaker, double now_s);

/* Both return whether requests are now paused, or resumed, which deserves a
 * line in the log. */
bool breaker_failed(struct breaker *breaker, double now_s);
bool breaker_succeeded(struct breaker *breaker);
