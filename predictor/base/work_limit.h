/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work_limit.h - what a thread may still do for one request
 *
 * CPU time counts, so that a request gets as much done on a busy machine as on
 * a quiet one; and the clock, so that it ends there, too.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"

/* Loops check once in this many steps: a look at the clock of a thread is a
 * system call. */
#define WORK_LIMIT_STEPS 4096

struct work_limit {
	double cpu_s; /* of the thread, when it is reached */
	double at_s;  /* of the monotonic clock, likewise */
};

/* Let the calling thread work for `cpu_s`, and wait for CPUs up to `wall_s`. */
struct work_limit work_limit_begin(double cpu_s, double wall_s);

/* Return whether it is reached; NULL never is.  In the same thread only. */
bool work_limit_over(const struct work_limit *limit);

/* Fail if it is reached. */
int work_limit_check(const struct work_limit *limit, struct sp_error *err);
