/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pace.c - how fast a core is, all the time
 *
 * usage: pace CORE INTERVAL_MS
 *
 * Cores of a virtual machine are not equally fast, nor are they so for long: what
 * its neighbours do is counted as CPU time.  Every INTERVAL_MS this process does
 * the same little work on CORE, ahead of all others, and prints the monotonic
 * clock and the CPU time that it took, both in seconds.  It ends with the process
 * that began it.
 */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define SECOND_NS 1000000000L

enum { STEPS = 200000 }; /* about half a millisecond */

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

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

	struct sched_param priority = { .sched_priority = 1 };
	cpu_set_t cores;

	CPU_ZERO(&cores);
	CPU_SET(core, &cores);
	if (sched_setaffinity(0, sizeof(cores), &cores))
		fail("pace: core");
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		fail("pace: priority");
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		fail("pace: prctl");

	uint64_t x = 88172645463325252;
	double sum = 0;
	struct timespec pause = { 0, interval_ns };

	while (printf("%.6f %.9f\n", clock_s(CLOCK_MONOTONIC), work(&x, &sum)) >
		       0 &&
	       !fflush(stdout) && sum >= 0)
		nanosleep(&pause, NULL);
	return 1;
}
