/* SPDX-License-Identifier: GPL-2.0-or-later */
/* misses.h - jobs submitted without a prediction, counted for the log
 *
 * The first is logged at once, later ones every MISSES_LOG_S, so that a
 * predictd that is down does not fill the log.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#define MISSES_LOG_S 60.0

/* All zeros: none yet.  Any thread may use it. */
struct misses {
	atomic_uint_fast64_t count;   /* not logged yet */
	atomic_int_fast64_t log_at_s; /* by the monotonic clock */
};

/* One more.  Returns how many to log now, with this one; 0: later. */
uint64_t misses_note(struct misses *m, double now_s);
