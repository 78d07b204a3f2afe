/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu_probe.c - a short thread that measures what a new process gets
 *
 * The work is a chain of dependent integer and floating-point operations, in
 * registers: it shows the speed of the core, not of its memory.  Speed 1 is
 * REFERENCE_STEPS_PER_S of them, a good x86 server core of about 2022.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "collectors/sensors/cpu_probe.h"
#include "predictor/base/clock.h"
#include "predictor/base/thread_start.h"

#define PROBE_CPU_S           0.02
#define PROBE_TIME_MAX_S      1.0 /* should it get next to nothing */
#define PROBE_STACK_BYTES     131072
#define STEPS_AT_ONCE         300000 /* half a millisecond */
#define REFERENCE_STEPS_PER_S 600e6

struct cpu_probe {
	bool out;
	atomic_bool back;
	pthread_t thread;
	struct cpu_probe_result result;
};

struct cpu_probe *cpu_probe_create(void)
{
	return calloc(1, sizeof(struct cpu_probe));
}

/* xorshift64 (Marsaglia 2003) beside a rotation in the plane. */
static void steps_compute(uint64_t *x, double *y)
{
	for (int i = 0; i < STEPS_AT_ONCE; i++) {
		*x ^= *x << 13;
		*x ^= *x >> 7;
		*x ^= *x << 17;
		*y = *y * 0.999 + (double)(*x >> 40) * 0x1p-24;
	}
}

static void *probe_main(void *context)
{
	struct cpu_probe *probe = context;
	double real_s = clock_read_s(CLOCK_MONOTONIC), took_s;
	uint64_t x = 88172645463325252;
	double y = 0, steps = 0, cpu_s, work_s = 0, begun_s;
	volatile double keep;

	/* For this thread alone.  If it is refused, the result has the
	 * old one. */
	setpriority(PRIO_PROCESS, 0, 0);
	probe->result.nice = getpriority(PRIO_PROCESS, 0);
	/* Read the CPU time seldom: that makes the kernel count it, and so
	 * notice sooner than for others that a quota is used up. */
	do {
		begun_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID);
		steps_compute(&x, &y);
		steps += STEPS_AT_ONCE;
		cpu_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID);
		work_s += cpu_s - begun_s;
		took_s = clock_read_s(CLOCK_MONOTONIC) - real_s;
	} while (cpu_s < PROBE_CPU_S && took_s < PROBE_TIME_MAX_S);
	keep = y;
	(void)keep;
	probe->result.cost_s = cpu_s;
	probe->result.took_s = took_s;
	probe->result.share = cpu_s < took_s ? cpu_s / took_s : 1;
	probe->result.speed = steps / work_s / REFERENCE_STEPS_PER_S;
	atomic_store(&probe->back, true);
	return NULL;
}

int cpu_probe_start(struct cpu_probe *probe, struct sp_error *err)
{
	atomic_store(&probe->back, false);
	if (thread_start(&probe->thread, PROBE_STACK_BYTES, probe_main, probe,
			 err))
		return -1;
	probe->out = true;
	return 0;
}

int cpu_probe_is_out(const struct cpu_probe *probe)
{
	return probe->out;
}

int cpu_probe_take(struct cpu_probe *probe, struct cpu_probe_result *ret)
{
	if (!probe->out || !atomic_load(&probe->back))
		return 0;
	pthread_join(probe->thread, NULL);
	probe->out = false;
	*ret = probe->result;
	return 1;
}

void cpu_probe_destroy(struct cpu_probe *probe)
{
	if (!probe)
		return;
	if (probe->out)
		pthread_join(probe->thread, NULL);
	free(probe);
}
