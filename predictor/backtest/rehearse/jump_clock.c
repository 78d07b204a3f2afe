/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jump_clock.c - makes slurmctld's clock jump, once it is idle
 *
 * slurmctld is idle when no thread is on a CPU or waits for one or for a disk,
 * and its CPU time stands still, twice, with no condition wait overdue.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "predictor/backtest/rehearse/jump_clock.h"

#define NS 1000000000LL

#define IDLE_LOOK_NS 60000
#define IDLE_MAX_NS  (5 * NS) /* what is not idle by then is counted */

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return t.tv_sec * NS + t.tv_nsec;
}

static int64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* The clock begins at a Thursday's midnight, the same for all rehearsals. */
#define BEGINNING_S 1767225600LL /* 2026-01-01 00:00 UTC */

int jump_clock_make(const char *path, struct sp_error *err)
{
	struct virtual_clock clock = {
		.virtual_ns = BEGINNING_S * NS,
		.monotonic_ns = monotonic_ns(),
	};
	FILE *file = fopen(path, "w");

	if (!file)
		return sp_error_set(err, "%s: %s", path, strerror(errno));

	bool failed = fwrite(&clock, sizeof clock, 1, file) != 1 ||
		      ftruncate(fileno(file), VIRTUAL_CLOCK_SIZE);

	if (fclose(file) || failed)
		return sp_error_set(err, "%s: cannot be written", path);
	return 0;
}

/* --- The clock ------------------------------------------------------------ */

double jump_clock_now_s(const struct jump_clock *c)
{
	int64_t ns =
		c->page->virtual_ns + monotonic_ns() - c->page->monotonic_ns;

	return (double)ns / NS - c->epoch_s;
}

void jump_clock_to(struct jump_clock *c, double to_s)
{
	int64_t real_ns = monotonic_ns();
	int64_t to_ns = (int64_t)((to_s + c->epoch_s) * NS);
	int64_t at_ns = c->page->virtual_ns + real_ns - c->page->monotonic_ns;

	if (to_ns <= at_ns)
		return;
	c->page->version++;
	c->page->virtual_ns = to_ns;
	c->page->monotonic_ns = real_ns;
	c->page->version++;
	syscall(SYS_futex, &c->page->version, FUTEX_WAKE, INT32_MAX, NULL, NULL,
		0);
}

int jump_clock_open(struct jump_clock *c, const char *path, int pid,
		    struct sp_error *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return sp_error_set(err, "%s: %s", path, strerror(errno));

	void *page = mmap(NULL, VIRTUAL_CLOCK_SIZE, PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);

	close(fd);
	if (page == MAP_FAILED)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	c->page = page;
	c->pid = pid;
	if (clock_getcpuclockid(pid, &c->cpu_clock))
		return sp_error_set(err, "no process %d", pid);
	return 0;
}

/* --- Is it idle? ---------------------------------------------------------- */

/* Return the state letter of a thread, which follows its name in
 * parentheses. */
static char thread_state(int pid, const char *thread)
{
	char path[64], text[512];
	char state = 'X';

	snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", pid, thread);

	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return state; /* it has ended */

	ssize_t size = read(fd, text, sizeof text - 1);

	close(fd);
	if (size > 0) {
		text[size] = '\0';

		const char *name_end = strrchr(text, ')');

		if (name_end && name_end[1])
			state = name_end[2];
	}
	return state;
}

/* 1: a thread works; 0: none does; -1: slurmctld is gone. */
static int threads_work(int pid)
{
	char path[64];
	struct dirent *entry;
	int found = 0;

	snprintf(path, sizeof path, "/proc/%d/task", pid);

	DIR *threads = opendir(path);

	if (!threads)
		return -1;
	while (!found && (entry = readdir(threads))) {
		if (entry->d_name[0] == '.')
			continue;

		char state = thread_state(pid, entry->d_name);

		found = state == 'R' || state == 'D';
	}
	closedir(threads);
	return found;
}

int jump_clock_idle(struct jump_clock *c, struct sp_error *err)
{
	int64_t begun_ns = monotonic_ns();
	int calm = 0;

	while (calm < 2) {
		int64_t before_ns = clock_ns(c->cpu_clock);
		struct timespec look = { .tv_nsec = IDLE_LOOK_NS };

		nanosleep(&look, NULL);
		if (clock_ns(c->cpu_clock) != before_ns || c->page->overdue) {
			calm = 0;
		} else {
			int work = threads_work(c->pid);

			if (work < 0)
				return sp_error_set(err, "slurmctld has ended");
			calm = work ? 0 : calm + 1;
		}
		if (monotonic_ns() - begun_ns > IDLE_MAX_NS) {
			c->unsettled++;
			break;
		}
	}
	return 0;
}
