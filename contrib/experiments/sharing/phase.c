/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phase.c - have the periods of a CPU quota begin at a given time
 *
 * usage: phase PERIOD_FILE PERIOD_US BEGIN_US
 *
 * PERIOD_FILE is the cpu.cfs_period_us of the group that this process is in.
 * From then on its periods are PERIOD_US long and begin BEGIN_US after the
 * multiples of that, by CLOCK_MONOTONIC.  The kernel begins each where the last
 * one ended, so one that is longer puts off all that follow.  Where they begin
 * is seen by who computes without end: it has used up the quota some time after
 * a begin, and goes on at the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS 2000000 /* without CPU: the quota was used up */
#define CLOSE_NS 150000  /* to where the periods should begin */
#define PERIODS  5       /* observed: some are seen late */
#define ATTEMPTS 20
#define LIMIT_S  20 /* where there is no quota, no period ever ends */

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Waits for a period to begin; when that was. */
static long long next_begin(void)
{
	long long before, now = now_ns();

	do {
		before = now;
		now = now_ns();
	} while (now - before < PAUSE_NS);
	return now;
}

/* How much later than begin_ns the periods begin; below zero if it
 * is earlier. */
static long long too_late(long long begin_ns, long long period_ns)
{
	long long least = period_ns;

	for (int i = 0; i < PERIODS; i++) {
		long long late = (next_begin() - begin_ns) % period_ns;

		if (late > period_ns / 2)
			late -= period_ns;
		if (late < least)
			least = late;
	}
	return least;
}

static void set_period(const char *path, long long us)
{
	FILE *file = fopen(path, "w");

	if (!file || fprintf(file, "%lld\n", us) < 0 || fclose(file)) {
		perror(path);
		exit(1);
	}
}

/* One period is this much longer. */
static void put_off(const char *path, long long us, long long by_us)
{
	/* The kernel has the length of the period in which this is; the next
	 * takes what is set when it begins. */
	long long next_ns = next_begin() + us * 1000;

	set_period(path, us + by_us);
	while (now_ns() < next_ns + us * 1000 / 8)
		;
	set_period(path, us);
}

int main(int argc, char **argv)
{
	long long us = argc == 4 ? atoll(argv[2]) : 0;
	long long begin_ns = argc == 4 ? atoll(argv[3]) * 1000 : -1;

	if (us <= 0 || begin_ns < 0) {
		fprintf(stderr,
			"usage: phase PERIOD_FILE PERIOD_US BEGIN_US\n");
		return 2;
	}
	/* Before competing processes in the group, which have the
	 * same quota. */
	if (setpriority(PRIO_PROCESS, 0, -20)) {
		perror("phase: priority");
		return 1;
	}
	alarm(LIMIT_S);
	set_period(argv[1], us);
	for (int i = 0; i < ATTEMPTS; i++) {
		long long late_us = too_late(begin_ns, us * 1000) / 1000;

		if (llabs(late_us) < CLOSE_NS / 1000)
			return 0;
		put_off(argv[1], us, late_us < 0 ? -late_us : us - late_us);
	}
	fprintf(stderr, "phase: the periods do not stay where they are put\n");
	return 1;
}
