/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task_times.h - how long a process has run so far, as /proc has it
 *
 * Of its first thread.  -1: it has ended, or the kernel does not say.
 */
#pragma once

#include <sys/types.h>

/* From its open schedstat: how long it ran, and was ready without a CPU. */
int task_times_ran(int schedstat_fd, double *ret_run_s, double *ret_ready_s);

/* Find how long it ran in user and in system mode, in clock ticks. */
int task_times_modes(pid_t pid, double *ret_user_s, double *ret_system_s);
