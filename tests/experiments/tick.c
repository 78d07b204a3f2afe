/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tick.c - have the kernel look more often at who has used up a CPU quota
 *
 * usage: tick CORE INTERVAL_US
 *
 * Without high-resolution ticks the kernel charges CPU time to a quota where it
 * switches processes or its clock ticks, every 4 ms where HZ is 250: a quota of
 * 1.5 ms is overdrawn then, and who overdrew it has to sit out some periods.
 * This process wakes up at each interval and goes before all others, so a
 * switch is never further away than that.  It ends with the process that
 * began it.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define SECOND_NS 1000000000L

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Go before all others on that core.  Exits where it may not. */
static void go_first(int core)
{
	struct sched_param priority = { .sched_priority = 1 };
	cpu_set_t cores;

	CPU_ZERO(&cores);
	CPU_SET(core, &cores);
	if (sched_setaffinity(0, sizeof(cores), &cores))
		fail("core");
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		fail("priority");
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		fail("prctl");
}

int main(int argc, char **argv)
{
	int core = argc == 3 ? atoi(argv[1]) : -1;
	long interval_ns = argc == 3 ? atol(argv[2]) * 1000 : 0;

	if (core < 0 || interval_ns <= 0 || interval_ns > SECOND_NS) {
		fprintf(stderr, "usage: tick CORE INTERVAL_US\n");
		return 2;
	}

	go_first(core);
	puts("ticking");
	fflush(stdout);

	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (;;) {
		next.tv_nsec += interval_ns;
		if (next.tv_nsec >= SECOND_NS) {
			next.tv_nsec -= SECOND_NS;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
}
