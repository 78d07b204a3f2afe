/* SPDX-License-Identifier: GPL-2.0-or-later */
/* syscalls.h - rate of system calls of a process, by perf events
 *
 * Counted by the kernel (perf_event_open() on raw_syscalls:sys_enter).  Costs
 * 0.12 us a call while a counter of the task is open, 0.03 us while one of any
 * other is; half a millisecond for the first one to be opened and the last one
 * to be closed, which waits for some 50 ms without using a CPU.  Needs
 * CAP_PERFMON, or kernel.perf_event_paranoid below 0.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "predictor/base/error.h"

/* Find the id of the event; if tracefs is not mounted, mount it in a mount
 * namespace of our own.  -1: no such event, or no permission. */
int syscalls_prepare(struct sp_error *err);

/* A counter of a task's calls and of its CPU time, read by one call, which
 * interrupts the task for a microsecond if it runs; -1: no
 * counter, as after a failed syscalls_prepare(). */
struct syscall_counter {
	int calls_fd, cpu_fd;
};

int syscalls_open(pid_t pid, struct syscall_counter *ret);
void syscalls_close(struct syscall_counter *counter);
int syscalls_read(const struct syscall_counter *counter, uint64_t *ret_calls,
		  double *ret_cpu_s);

/* Calls per second of CPU time of a loop that only polls; takes a
 * millisecond. */
double syscalls_spin_rate(void);
