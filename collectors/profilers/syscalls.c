/* SPDX-License-Identifier: GPL-2.0-or-later */
/* syscalls.c - rate of system calls of a process, by perf events
 *
 * A counter is a group of two perf events of one task: the tracepoint
 * raw_syscalls:sys_enter, and the task clock.  The tracepoint's id is read from
 * tracefs, which is mounted in a mount namespace of our own if it is not there.
 * event_id is set once, before any counter is opened.
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collectors/profilers/syscalls.h"
#include "predictor/base/clock.h"
#include "predictor/base/small_file.h"

#define EVENT "events/raw_syscalls/sys_enter/id"

#define TRACING       "/sys/kernel/tracing"
#define SPIN_FDS      4
#define SPIN_S        0.0002
#define SPIN_TRIES    4 /* the fastest counts */
#define SPIN_CALLS    50
#define SPIN_RATE_MIN 2e5 /* on a busy machine the measured rate is too low */

static int event_id = -1;

static int event_id_read(const char *folder)
{
	char text[32];

	small_file_line(folder, EVENT, text, sizeof(text));

	long id = strtol(text, NULL, 10);

	return id > 0 && id <= INT_MAX ? (int)id : -1;
}

/* In a mount namespace of our own. */
static int tracefs_mount(void)
{
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tracefs", TRACING, "tracefs",
		  MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return -1;
	return 0;
}

int syscalls_prepare(struct sp_error *err)
{
	event_id = event_id_read(TRACING);
	if (event_id < 0)
		event_id = event_id_read("/sys/kernel/debug/tracing");
	if (event_id < 0 && tracefs_mount() == 0)
		event_id = event_id_read(TRACING);
	if (event_id < 0)
		return sp_error_set(err, "no " TRACING "/" EVENT ": %s",
				    strerror(errno));

	struct syscall_counter self;

	if (syscalls_open(0, &self)) {
		event_id = -1;
		return sp_error_set(err, "system calls can't be counted: %s",
				    strerror(errno));
	}
	syscalls_close(&self);
	return 0;
}

static int event_open(uint32_t type, uint64_t config, pid_t pid, int leader_fd)
{
	struct perf_event_attr event = {
		.type = type,
		.size = sizeof(event),
		.config = config,
		.read_format = PERF_FORMAT_GROUP,
	};

	return (int)syscall(SYS_perf_event_open, &event, pid, -1, leader_fd,
			    PERF_FLAG_FD_CLOEXEC);
}

int syscalls_open(pid_t pid, struct syscall_counter *ret)
{
	struct syscall_counter counter = { -1, -1 };

	*ret = counter;
	if (event_id < 0)
		return -1;
	counter.calls_fd =
		event_open(PERF_TYPE_TRACEPOINT, (uint64_t)event_id, pid, -1);
	if (counter.calls_fd < 0)
		return -1;
	counter.cpu_fd =
		event_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, pid,
			   counter.calls_fd);
	if (counter.cpu_fd < 0) {
		syscalls_close(&counter);
		return -1;
	}
	*ret = counter;
	return 0;
}

void syscalls_close(struct syscall_counter *counter)
{
	if (counter->calls_fd >= 0)
		close(counter->calls_fd);
	if (counter->cpu_fd >= 0)
		close(counter->cpu_fd);
	*counter = (struct syscall_counter){ -1, -1 };
}

int syscalls_read(const struct syscall_counter *counter, uint64_t *ret_calls,
		  double *ret_cpu_s)
{
	enum { COUNT, CALLS, NS, WORDS };
	uint64_t both[WORDS];

	if (counter->calls_fd < 0 ||
	    read(counter->calls_fd, both, sizeof(both)) != sizeof(both))
		return -1;
	*ret_calls = both[CALLS];
	*ret_cpu_s = (double)both[NS] * 1e-9;
	return 0;
}

static double spin_measure(struct pollfd fds[SPIN_FDS])
{
	double begin_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID), now_s = begin_s;
	uint64_t calls = 0;

	while (now_s < begin_s + SPIN_S) {
		for (int i = 0; i < SPIN_CALLS / 2; i++) {
			(void)poll(fds, SPIN_FDS, 0);
			(void)sched_yield();
		}
		calls += SPIN_CALLS;
		now_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID);
	}
	return (double)calls / (now_s - begin_s);
}

double syscalls_spin_rate(void)
{
	struct pollfd fds[SPIN_FDS];
	struct syscall_counter counted;
	double rate = SPIN_RATE_MIN;

	for (int i = 0; i < SPIN_FDS; i++)
		fds[i] = (struct pollfd){ .fd = 0, .events = 0 };
	if (syscalls_open(0, &counted)) /* counted, as the tasks' calls are */
		return rate;
	for (int i = 0; i < SPIN_TRIES; i++)
		rate = fmax(rate, spin_measure(fds));
	syscalls_close(&counted);
	return rate;
}
