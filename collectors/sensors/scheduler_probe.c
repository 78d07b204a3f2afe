/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scheduler_probe.c - what the kernel does with a process that wakes up
 *
 * The sleeper's thread begins the competitor's, which keeps the same CPU busy
 * until the sleeper has ended.  Beside one competitor a cycle of b CPU seconds
 * after a sleep of i lasts b / a + i, with a half of what a process gets alone,
 * if the kernel neither makes it wait nor gives back its sleep.  What it lasts
 * longer is the wait for a turn; what it lasts less has been given back.
 *
 * At low priority from Linux 6.6 on, where two threads of equal weight share a
 * CPU equally whatever that weight is.  Before, the credit depends on it.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include "collectors/sensors/scheduler_probe.h"
#include "predictor/base/clock.h"
#include "predictor/base/compare.h"
#include "predictor/base/thread_start.h"

#define STACK_BYTES  131072
#define TIME_MAX_S   20.0 /* should it get next to nothing */
#define LOW_PRIORITY 19
#define SHARE_NEAR   0.1 /* of a half, else others were there */
#define PHASES       3

/* Means of sleeps and of CPU time in a cycle, and how many cycles. */
static const struct {
	double length_s;
	int cycles;
} phases[PHASES] = { { 0.005, 40 }, { 0.01, 20 }, { 0.02, 10 } };

struct scheduler_probe {
	bool started;
	double alone;
	pthread_t sleeper;
	atomic_bool stop, ended, compete;
	struct scheduler_cycle cycles[PHASES];
	double busy_s[PHASES]; /* of each cycle, by the wall clock */
};

/* --- What follows --------------------------------------------------------- */

COMPARE_NUMBERS(compare, double)

void scheduler_values_find(const struct scheduler_cycle cycles[], int count,
			   double alone, struct scheduler_values *ret)
{
	double share = alone / 2;
	double late_s[8] = { 0 };

	if (count > 8)
		count = 8;
	for (int i = 0; i < count; i++)
		late_s[i] = cycles[i].cycle_s - cycles[i].sleep_s -
			    cycles[i].work_s / share;
	qsort(late_s, (size_t)count, sizeof(late_s[0]), compare);

	double median_s = late_s[count / 2];

	/* A CPU second run alone saves 1 / share - 1 / alone. */
	ret->turn_s = fmax(median_s, 0);
	ret->credit_s = fmax(-median_s, 0) / (1 / share - 1 / alone);
}

static bool is_before_6_6(const char *release)
{
	int major = 0, minor = 0;

	if (sscanf(release, "%d.%d", &major, &minor) != 2)
		return false;
	return major < 6 || (major == 6 && minor < 6);
}

/* How the kernel scales its times: 1 + log2(cpus), of eight CPUs at most. */
static double cpus_factor(double cpus)
{
	return 1 + floor(log2(fmin(fmax(cpus, 1), 8)));
}

/* From 6.6 on nothing is given back, and without a quota the wait is 0.1 to 0.3
 * ms as measured here.  Before, a process that wakes up runs at once, and gets
 * back half of the scheduler's latency of 6 ms, scaled
 * (GENTLE_FAIR_SLEEPERS). */
void scheduler_values_default(const char *release, double cpus,
			      struct scheduler_values *ret)
{
	*ret = (struct scheduler_values){ 0, 0 };
	if (is_before_6_6(release))
		ret->credit_s = 0.006 / 2 * cpus_factor(cpus);
}

/* --- The two threads ------------------------------------------------------ */

static void sleep_for(double s)
{
	struct timespec t = { (time_t)s,
			      (long)((s - (double)(time_t)s) * 1e9) };

	nanosleep(&t, NULL);
}

/* For this thread alone; it matters little if it is refused. */
static void set_priority(void)
{
	struct utsname name;

	setpriority(PRIO_PROCESS, 0,
		    uname(&name) == 0 && is_before_6_6(name.release)
			    ? 0
			    : LOW_PRIORITY);
}

/* Keep both threads on the CPU where the sleeper is. */
static int keep_to_one_cpu(void)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return -1;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static void *compete(void *context)
{
	struct scheduler_probe *probe = context;
	double until_s = clock_read_s(CLOCK_MONOTONIC) + TIME_MAX_S;

	set_priority();
	while (atomic_load(&probe->compete) &&
	       clock_read_s(CLOCK_MONOTONIC) < until_s)
		;
	return NULL;
}

/* One phase after a sleep; -1: stopped, or out of time. */
static int run_cycle(struct scheduler_probe *probe, int phase, double sleep_s,
		     double work_s, double until_s)
{
	struct scheduler_cycle *sum = &probe->cycles[phase];
	double begun_s = clock_read_s(CLOCK_MONOTONIC), woke_s, cpu_s, used_s;

	sleep_for(sleep_s);
	woke_s = clock_read_s(CLOCK_MONOTONIC);
	cpu_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID);
	do {
		used_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID) - cpu_s;
		if (atomic_load(&probe->stop) ||
		    clock_read_s(CLOCK_MONOTONIC) > until_s)
			return -1;
	} while (used_s < work_s);

	double ended_s = clock_read_s(CLOCK_MONOTONIC);

	sum->sleep_s += sleep_s / phases[phase].cycles;
	sum->work_s += used_s / phases[phase].cycles;
	sum->cycle_s += (ended_s - begun_s) / phases[phase].cycles;
	probe->busy_s[phase] += (ended_s - woke_s) / phases[phase].cycles;
	return 0;
}

/* Phases of different lengths: equal ones could begin at the same time of a
 * quota's period.  0: all of them were run. */
static int run_cycles(struct scheduler_probe *probe)
{
	double until_s = clock_read_s(CLOCK_MONOTONIC) + TIME_MAX_S;
	unsigned short seed[3] = { 0x330e, 0, 0 };

	for (int i = 0; i < PHASES; i++)
		for (int k = 0; k < phases[i].cycles; k++) {
			double sleep = 0.5 + erand48(seed);
			double work = 0.5 + erand48(seed);

			if (run_cycle(probe, i, phases[i].length_s * sleep,
				      phases[i].length_s * work, until_s))
				return -1;
		}
	return 0;
}

static void *sleeper_main(void *context)
{
	struct scheduler_probe *probe = context;
	pthread_t competitor;

	set_priority();
	if (keep_to_one_cpu()) /* which the competitor inherits */
		goto out;
	atomic_store(&probe->compete, true);
	if (thread_start(&competitor, STACK_BYTES, compete, probe, NULL))
		goto out;
	if (run_cycles(probe))
		atomic_store(&probe->stop, true);
	atomic_store(&probe->compete, false);
	pthread_join(competitor, NULL);
	atomic_store(&probe->ended, true);
	return NULL;
out:
	atomic_store(&probe->stop, true);
	atomic_store(&probe->ended, true);
	return NULL;
}

/* --- Start and end -------------------------------------------------------- */

struct scheduler_probe *scheduler_probe_create(void)
{
	return calloc(1, sizeof(struct scheduler_probe));
}

void scheduler_probe_destroy(struct scheduler_probe *probe)
{
	if (!probe)
		return;
	scheduler_probe_stop(probe);
	if (probe->started)
		pthread_join(probe->sleeper, NULL);
	free(probe);
}

int scheduler_probe_start(struct scheduler_probe *probe, double alone,
			  struct sp_error *err)
{
	memset(probe->cycles, 0, sizeof(probe->cycles));
	memset(probe->busy_s, 0, sizeof(probe->busy_s));
	probe->alone = alone;
	atomic_store(&probe->stop, false);
	atomic_store(&probe->ended, false);

	if (thread_start(&probe->sleeper, STACK_BYTES, sleeper_main, probe,
			 err))
		return -1;
	probe->started = true;
	return 0;
}

bool scheduler_probe_is_running(const struct scheduler_probe *probe)
{
	return probe->started;
}

void scheduler_probe_stop(struct scheduler_probe *probe)
{
	atomic_store(&probe->stop, true);
}

/* Return whether the sleeper got about half of what a process gets alone: else
 * others were on the CPU. */
static bool is_plausible(const struct scheduler_probe *probe)
{
	double work_s = 0, busy_s = 0, half = probe->alone / 2;

	for (int i = 0; i < PHASES; i++) {
		work_s += probe->cycles[i].work_s;
		busy_s += probe->busy_s[i];
	}
	return work_s >= (1 - SHARE_NEAR) * half * busy_s;
}

int scheduler_probe_result(struct scheduler_probe *probe,
			   struct scheduler_values *ret, struct sp_error *err)
{
	if (!probe->started || !atomic_load(&probe->ended))
		return 0;
	pthread_join(probe->sleeper, NULL);
	probe->started = false;
	if (atomic_load(&probe->stop)) {
		sp_error_set(err, "stopped before its end");
		return -1;
	}
	if (!is_plausible(probe)) {
		sp_error_set(err, "other processes were on its CPU");
		return -1;
	}
	scheduler_values_find(probe->cycles, PHASES, probe->alone, ret);
	return 1;
}
