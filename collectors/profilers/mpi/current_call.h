/* SPDX-License-Identifier: GPL-2.0-or-later */
/* current_call.h - the call of MPI that a thread is in, and the time in calls
 *
 * The thread that begins MPI is measured; of others only the depth of calls
 * is known.
 */
#pragma once

#include <stdbool.h>

/* Measure this thread from now on. */
void current_call_begin(void);

/* Measure no longer. */
void current_call_end(void);

/* Around each call; what MPI calls itself in between is not measured again. */
void current_call_enter(void);
void current_call_leave(void);

/* What the call is that this thread is in. */
enum current_call {
	CURRENT_NONE,  /* nothing is measured */
	CURRENT_OUTER, /* the program's, of the thread that is measured */
	CURRENT_INNER, /* one of MPI's own, within another */
	CURRENT_OTHER_THREAD, /* the program's, of another one */
};
enum current_call current_call(void);

/* Return whether something is measured, and in this thread. */
bool current_call_is_measured(void);

/* Return, outside of calls, the measured thread's CPU time without MPI's. */
double current_call_work_now_s(void);

/* Return, within a call, the CPU time so far that was not spent in MPI. */
double current_call_work_s(void);

/* Times of the measured thread since current_call_begin(); cpu_s is its CPU
 * time, and those with mpi are what calls took of both. */
struct call_times {
	double wall_s, cpu_s, mpi_wall_s, mpi_cpu_s;
};

/* Return them, outside of calls. */
struct call_times current_call_times(void);
