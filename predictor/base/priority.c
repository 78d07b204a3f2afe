/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.c - which threads go first */
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "predictor/base/priority.h"

/* The least that the kernel allows. */
#define SLICE_NS 100000

/* As in sched_setattr(2), for which glibc had no declaration before 2.41. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime; /* of the usual policy: the slice; 0: the usual one */
	uint64_t deadline, period;
};

int priority_of_process(void)
{
	return getpriority(PRIO_PROCESS, (id_t)getpid());
}

/* gettid() needs glibc 2.30. */
static id_t thread_id(void)
{
	return (id_t)syscall(SYS_gettid);
}

int priority_of_thread(void)
{
	return getpriority(PRIO_PROCESS, thread_id());
}

bool priority_may_be(int nice)
{
	struct rlimit limit;

	return !geteuid() || (!getrlimit(RLIMIT_NICE, &limit) &&
			      (long)limit.rlim_cur >= 20 - nice);
}

static void thread_set(int nice, uint64_t slice_ns)
{
	id_t thread = thread_id();

	(void)setpriority(PRIO_PROCESS, thread, nice);

	/* The nice value that it really has: else nothing would be set. */
	struct attributes attributes = {
		.size = sizeof(attributes),
		.policy = SCHED_OTHER,
		.nice = getpriority(PRIO_PROCESS, thread),
		.runtime = slice_ns,
	};

	/* Older kernels ignore the slice. */
	if (sched_getscheduler(0) == SCHED_OTHER)
		(void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void priority_set(int nice)
{
	thread_set(nice, 0);
}

void priority_set_urgent(int nice)
{
	thread_set(nice, SLICE_NS);
}
