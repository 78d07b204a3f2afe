/* SPDX-License-Identifier: GPL-2.0-or-later */
/* current_call.c - the call of MPI that a thread is in, and the time in calls
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/trace/samples.h"

struct clocks {
	double wall_s, cpu_s;
};

static struct {
	atomic_bool started;
	pthread_t thread;
	struct clocks begin, entered, in_mpi;
} measured;

/* The depth of calls within calls. */
static _Thread_local int depth;

static double clock_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct clocks clocks_read(void)
{
	return (struct clocks){ clock_s(CLOCK_MONOTONIC),
				clock_s(CLOCK_THREAD_CPUTIME_ID) };
}

void current_call_begin(void)
{
	measured.thread = pthread_self();
	measured.begin = clocks_read();
	measured.started = true;
}

void current_call_end(void)
{
	measured.started = false;
}

bool current_call_is_measured(void)
{
	return measured.started &&
	       pthread_equal(measured.thread, pthread_self());
}

void current_call_enter(void)
{
	if (depth++ == 0 && current_call_is_measured()) {
		measured.entered = clocks_read();
		samples_enter();
	}
}

void current_call_leave(void)
{
	if (--depth > 0 || !current_call_is_measured())
		return;

	struct clocks left = clocks_read();

	measured.in_mpi.wall_s += left.wall_s - measured.entered.wall_s;
	measured.in_mpi.cpu_s += left.cpu_s - measured.entered.cpu_s;
	samples_leave();
}

enum current_call current_call(void)
{
	if (!measured.started)
		return CURRENT_NONE;
	if (depth > 1)
		return CURRENT_INNER;
	return current_call_is_measured() ? CURRENT_OUTER
					  : CURRENT_OTHER_THREAD;
}

double current_call_work_now_s(void)
{
	return clock_s(CLOCK_THREAD_CPUTIME_ID) - measured.begin.cpu_s -
	       measured.in_mpi.cpu_s;
}

double current_call_work_s(void)
{
	return measured.entered.cpu_s - measured.begin.cpu_s -
	       measured.in_mpi.cpu_s;
}

struct call_times current_call_times(void)
{
	struct clocks now = clocks_read();

	return (struct call_times){
		.wall_s = now.wall_s - measured.begin.wall_s,
		.cpu_s = now.cpu_s - measured.begin.cpu_s,
		.mpi_wall_s = measured.in_mpi.wall_s,
		.mpi_cpu_s = measured.in_mpi.cpu_s,
	};
}
