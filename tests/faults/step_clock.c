/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step_clock.c - preloaded into a daemon: a wall clock that steps
 *
 * CLOCK_REALTIME goes wrong by the seconds in the file STEP_CLOCK, which a test
 * changes while the daemon runs.  Other clocks go on, as when an administrator
 * or ntpd sets the clock of a host.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Eight bytes of the file are mapped. */
static const volatile long *step_s;

static int real_clock(clockid_t clock, struct timespec *ret)
{
	static int (*next)(clockid_t, struct timespec *);

	if (!next)
		next = (int (*)(clockid_t, struct timespec *))dlsym(
			RTLD_NEXT, "clock_gettime");
	return next(clock, ret);
}

__attribute__((constructor)) static void step_map(void)
{
	const char *path = getenv("STEP_CLOCK");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;

	void *map = mmap(NULL, sizeof(long), PROT_READ, MAP_SHARED, fd, 0);

	close(fd);
	if (map != MAP_FAILED)
		step_s = map;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *ret)
{
	int rc = real_clock(clock, ret);

	if (step_s &&
	    (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		ret->tv_sec += *step_s;
	return rc;
}

EXPORT time_t time(time_t *ret)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (ret)
		*ret = now.tv_sec;
	return now.tv_sec;
}

EXPORT int gettimeofday(struct timeval *ret, void *zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*ret = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}
