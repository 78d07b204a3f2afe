/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task_times.c - how long a process has run so far, as /proc has it */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/profilers/task_times.h"
#include "predictor/base/small_file.h"

int task_times_ran(int schedstat_fd, double *ret_run_s, double *ret_ready_s)
{
	char text[96], *end;
	ssize_t size = pread(schedstat_fd, text, sizeof(text) - 1, 0);

	if (size <= 0)
		return -1;
	text[size] = '\0';

	uint64_t run_ns = strtoull(text, &end, 10);
	uint64_t wait_ns = strtoull(end, &end, 10);

	if (*end != ' ')
		return -1;
	*ret_run_s = (double)run_ns * 1e-9;
	*ret_ready_s = (double)wait_ns * 1e-9;
	return 0;
}

int task_times_modes(pid_t pid, double *ret_user_s, double *ret_system_s)
{
	char path[64], text[1024];
	unsigned long user, system;
	const char *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	small_file_read(AT_FDCWD, path, text, sizeof(text));
	end = strrchr(text, ')');
	if (!end ||
	    sscanf(end + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
		   &user, &system) != 2)
		return -1;

	double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);

	*ret_user_s = (double)user * tick_s;
	*ret_system_s = (double)system * tick_s;
	return 0;
}
