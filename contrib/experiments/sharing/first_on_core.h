/* SPDX-License-Identifier: GPL-2.0-or-later */
/* first_on_core.h - a process that goes before all others on its core */
#ifndef CONTRIB_EXPERIMENTS_SHARING_FIRST_ON_CORE_H
#define CONTRIB_EXPERIMENTS_SHARING_FIRST_ON_CORE_H

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define SECOND_NS 1000000000L

static inline void first_on_core_fail(const char *what)
{
	perror(what);
	exit(1);
}

/* This process; it ends with the one that began it.  Exits where it may not. */
static inline void first_on_core(int core)
{
	struct sched_param priority = { .sched_priority = 1 };
	cpu_set_t cores;

	CPU_ZERO(&cores);
	CPU_SET(core, &cores);
	if (sched_setaffinity(0, sizeof(cores), &cores))
		first_on_core_fail("core");
	if (sched_setscheduler(0, SCHED_FIFO, &priority))
		first_on_core_fail("priority");
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		first_on_core_fail("prctl");
}

#endif
