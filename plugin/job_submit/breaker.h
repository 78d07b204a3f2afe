/* breaker.h - does not ask for a while someone who does not answer
 *
 * After BREAKER_FAILURES failures in a row asking is not allowed for
 * BREAKER_PAUSE_S seconds; then one try decides whether to go on.  Time is
 * given by the caller, in seconds of a clock that never steps.
 */
#ifndef PLUGIN_JOB_SUBMIT_BREAKER_H
#define PLUGIN_JOB_SUBMIT_BREAKER_H

#include <stdbool.h>

#define BREAKER_FAILURES 5
#define BREAKER_PAUSE_S  10.0

struct breaker {
	int failures; /* in a row, counted up to BREAKER_FAILURES */
	double paused_until_s;
};

/* A breaker that is all zero has seen nothing yet. */

bool breaker_allows(const struct breaker *breaker, double now_s);

/* Both return whether this changed from asking to not asking, or back, which
 * is what deserves a line in a log. */
bool breaker_failed(struct breaker *breaker, double now_s);
bool breaker_succeeded(struct breaker *breaker);

#endif
