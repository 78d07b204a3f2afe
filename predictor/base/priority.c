/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.c - nice values of threads */
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "predictor/base/priority.h"

int priority_of_process(void)
{
	return getpriority(PRIO_PROCESS, (id_t)getpid());
}

void priority_set(int nice)
{
	/* gettid() needs glibc 2.30. */
	(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
}
