/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pace.c - how fast a core is, all the time
 *
 * usage: pace CORE INTERVAL_MS
 *
 * Cores of a virtual machine are not equally fast, nor are they so for long:
 * what its neighbours do is counted as CPU time.  Every INTERVAL_MS this
 * process does the same little work on CORE, ahead of all others, and prints
 * the monotonic clock and the CPU time that it took, both in seconds.  It ends
 * with the process that began it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contrib/experiments/sharing/first_on_core.h"

enum { STEPS = 200000 }; /* about half a millisecond */

static double clock_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / SECOND_NS;
}

/* Seconds of CPU time; what it computes is kept in *sum. */
static double work(uint64_t *x, double *sum)
{
	double begun_s = clock_s(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < STEPS; i++) {
		*x ^= *x << 13;
		*x ^= *x >> 7;
		*x ^= *x << 17;
		*sum += (double)(*x >> 11) * 0x1p-53;
	}
	return clock_s(CLOCK_THREAD_CPUTIME_ID) - begun_s;
}

int main(int argc, char **argv)
{
	int core = argc == 3 ? atoi(argv[1]) : -1;
	long interval_ns = argc == 3 ? atol(argv[2]) * 1000000 : 0;

	if (core < 0 || interval_ns <= 0 || interval_ns > SECOND_NS) {
		fprintf(stderr, "usage: pace CORE INTERVAL_MS\n");
		return 2;
	}

	first_on_core(core);

	uint64_t x = 88172645463325252;
	double sum = 0;
	struct timespec pause = { 0, interval_ns };

	while (printf("%.6f %.9f\n", clock_s(CLOCK_MONOTONIC), work(&x, &sum)) >
		       0 &&
	       !fflush(stdout) && sum >= 0)
		nanosleep(&pause, NULL);
	return 1;
}
