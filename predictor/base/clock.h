/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - wall clock and monotonic clock */
#pragma once

#include <pthread.h>
#include <time.h>

/* Return the seconds since 1970-01-01 UTC, as times of jobs and measurements
 * are given everywhere in this project. */
double clock_now_s(void);

/* Return the seconds of another clock of clock_gettime(2). */
double clock_read_s(clockid_t clock);

/* Return the seconds of CLOCK_MONOTONIC, which never steps: for durations
 * and deadlines. */
double clock_monotonic_s(void);

/* Return seconds, >= 0, as the kernel takes them; a monotonic time also for
 * pthread_cond_timedwait() with a variable of clock_condition_init(). */
struct timespec clock_timespec(double seconds);

/* Waits on it use the monotonic clock.  (pthread_cond_clockwait()
 * needs glibc 2.30.) */
void clock_condition_init(pthread_cond_t *condition);
