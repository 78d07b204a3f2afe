/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - wall clock and monotonic clock */

#include "predictor/base/clock.h"

double clock_read_s(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double clock_now_s(void)
{
	return clock_read_s(CLOCK_REALTIME);
}

double clock_monotonic_s(void)
{
	return clock_read_s(CLOCK_MONOTONIC);
}

struct timespec clock_timespec(double seconds)
{
	time_t whole_s = (time_t)seconds;

	return (struct timespec){
		.tv_sec = whole_s,
		.tv_nsec = (long)((seconds - (double)whole_s) * 1e9),
	};
}

void clock_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}
