/* SPDX-License-Identifier: GPL-2.0-or-later */
/* virtual_clock.c - preloaded into slurmctld: a clock that jumps, nodes
 * that answer
 *
 * Plan: all clocks read virtual_clock.h's page.  Sleeps are futex waits on the
 * page's version, which every jump changes.  A timed condition wait is kept
 * in a list while it waits in real time; a thread of ours sleeps on the
 * version, and broadcasts the conditions whose time a jump has passed.  It
 * repeats that until they have left the list: a wait may be listed and not yet
 * begun.  Timers at absolute times become relative ones.  A broadcast wakes
 * waiters of other times, too, as POSIX allows.
 *
 * Locks: list_lock guards the list; nothing is called under it but
 * pthread_cond_broadcast().  The clock needs no lock.
 *
 * There are no slurmds: start_msg_tree(), by which slurmctld's agent speaks to
 * nodes, is answered here.  What depends on Slurm's release is in one table.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "predictor/backtest/rehearse/virtual_clock.h"
#include "predictor/base/unused.h"

#define EXPORT      __attribute__((visibility("default")))
#define NS          1000000000LL
#define REPEAT_NS   200000  /* until a listed wait has begun */
#define SHORTEST_NS 1000000 /* of a timer; 0 would disarm it */
#define ROUND_NS    NS      /* of slurmctld's background loop */

static struct virtual_clock *page;
static int (*next_gettime)(clockid_t, struct timespec *);
static int (*next_timedwait)(pthread_cond_t *, pthread_mutex_t *,
			     const struct timespec *);
static int (*next_clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t,
			     const struct timespec *);
static int (*next_timer_settime)(timer_t, int, const struct itimerspec *,
				 struct itimerspec *);

static int64_t ns_of(const struct timespec *t)
{
	return t->tv_sec * NS + t->tv_nsec;
}

static struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS, .tv_nsec = ns % NS };
}

static int64_t monotonic_ns(void)
{
	struct timespec t;

	next_gettime(CLOCK_MONOTONIC, &t);
	return ns_of(&t);
}

/* libc's own initialisers may read a clock before this runs as a constructor,
 * so each function that is replaced calls it, too. */
__attribute__((constructor)) static void page_map(void)
{
	if (next_gettime)
		return;
	/* glibc 2.3.2 changed what a condition is; the default is the
	 * old one. */
	next_timedwait = (int (*)(pthread_cond_t *, pthread_mutex_t *,
				  const struct timespec *))
		dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
	if (!next_timedwait)
		next_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
	next_clockwait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
	next_timer_settime = dlsym(RTLD_NEXT, "timer_settime");
	next_gettime = dlsym(RTLD_NEXT, "clock_gettime");

	const char *path = getenv(VIRTUAL_CLOCK_FILE);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (fd < 0)
		return;

	void *map = mmap(NULL, VIRTUAL_CLOCK_SIZE, PROT_READ | PROT_WRITE,
			 MAP_SHARED, fd, 0);

	close(fd);
	if (map != MAP_FAILED)
		page = map;
}

static int64_t now_ns(void)
{
	for (;;) {
		uint32_t version = page->version;
		int64_t ns = page->virtual_ns - page->monotonic_ns;

		if (!(version & 1) && version == page->version)
			return ns + monotonic_ns();
	}
}

static bool is_virtual(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		return true;
	default: /* CPU time of processes and threads */
		return false;
	}
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *ret)
{
	page_map();
	if (!page || !is_virtual(clock))
		return next_gettime(clock, ret);
	*ret = timespec_of(now_ns());
	return 0;
}

EXPORT time_t time(time_t *ret)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (ret)
		*ret = now.tv_sec;
	return now.tv_sec;
}

EXPORT int gettimeofday(struct timeval *ret, void *zone UNUSED)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*ret = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}

/* --- Sleeping ------------------------------------------------------------- */

/* Until the version is another one, or for timeout_ns. */
static void version_wait(uint32_t version, int64_t timeout_ns)
{
	struct timespec timeout = timespec_of(timeout_ns);

	syscall(SYS_futex, &page->version, FUTEX_WAIT, version,
		timeout_ns < 0 ? NULL : &timeout, NULL, 0);
}

/* By how much a jump went past the end of this thread's last sleep. */
static _Thread_local int64_t overslept_ns;

static void sleep_until(int64_t end_ns)
{
	for (;;) {
		uint32_t version = page->version;
		int64_t left_ns = end_ns - now_ns();

		if (left_ns <= 0) {
			overslept_ns = -left_ns;
			return;
		}
		version_wait(version, left_ns);
	}
}

EXPORT int clock_nanosleep(clockid_t clock, int flags,
			   const struct timespec *wanted, struct timespec *left)
{
	page_map();
	if (!page)
		return syscall(SYS_clock_nanosleep, clock, flags, wanted, left)
			       ? errno
			       : 0;
	sleep_until(flags & TIMER_ABSTIME ? ns_of(wanted)
					  : now_ns() + ns_of(wanted));
	return 0;
}

EXPORT int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left);
	return errno ? -1 : 0;
}

/* The background loop, which calls the main scheduler after ends of jobs,
 * sleeps its second in ten parts.  A jump is longer: it passes all of them, or
 * the loop would need ten jumps. */
EXPORT int usleep(useconds_t us)
{
	struct timespec wanted = timespec_of(us * 1000LL);

	if (overslept_ns > ROUND_NS)
		overslept_ns = ROUND_NS;
	overslept_ns -= us * 1000LL;
	if (overslept_ns >= 0)
		return 0;
	return nanosleep(&wanted, NULL);
}

EXPORT unsigned sleep(unsigned seconds)
{
	struct timespec wanted = { .tv_sec = seconds };

	nanosleep(&wanted, NULL);
	return 0;
}

/* --- Timed waits ---------------------------------------------------------- */

struct waiter {
	pthread_cond_t *condition;
	int64_t end_ns;
	struct waiter *next, *previous;
};

static struct waiter waiters = { .next = &waiters, .previous = &waiters };
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t waker_of; /* the process whose waker runs; a fork has none */

/* Returns how many of them are due. */
static int due_broadcast(void)
{
	int due = 0;
	int64_t now = now_ns();

	pthread_mutex_lock(&list_lock);
	for (struct waiter *w = waiters.next; w != &waiters; w = w->next)
		if (w->end_ns <= now) {
			pthread_cond_broadcast(w->condition);
			due++;
		}
	pthread_mutex_unlock(&list_lock);
	return due;
}

static void *waker(void *unused UNUSED)
{
	int32_t counted = 0;

	for (;;) {
		uint32_t version = page->version;
		int due = due_broadcast();

		atomic_fetch_add(&page->overdue, due - counted);
		counted = due;
		version_wait(version, due ? REPEAT_NS : -1);
	}
	return NULL;
}

/* The caller holds list_lock. */
static void waker_start(void)
{
	pthread_t thread;
	sigset_t all, before;

	if (waker_of == getpid())
		return;
	waker_of = getpid();
	waiters.next = waiters.previous = &waiters;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, waker, NULL) == 0)
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition,
				  pthread_mutex_t *mutex,
				  const struct timespec *until)
{
	page_map();
	if (!page)
		return next_timedwait(condition, mutex, until);

	struct waiter w = { .condition = condition, .end_ns = ns_of(until) };

	pthread_mutex_lock(&list_lock);
	waker_start();
	w.next = waiters.next;
	w.previous = &waiters;
	waiters.next->previous = &w;
	waiters.next = &w;
	pthread_mutex_unlock(&list_lock);

	/* A jump from here on finds the wait in the list. */
	int64_t left_ns = w.end_ns - now_ns();
	int rc = ETIMEDOUT;

	if (left_ns > 0) {
		struct timespec real = timespec_of(monotonic_ns() + left_ns);

		rc = next_clockwait(condition, mutex, CLOCK_MONOTONIC, &real);
	}
	pthread_mutex_lock(&list_lock);
	w.next->previous = w.previous;
	w.previous->next = w.next;
	pthread_mutex_unlock(&list_lock);
	return now_ns() >= w.end_ns ? ETIMEDOUT : rc;
}

EXPORT int timer_settime(timer_t timer, int flags,
			 const struct itimerspec *wanted,
			 struct itimerspec *before)
{
	struct itimerspec relative = *wanted;
	int64_t at_ns = ns_of(&wanted->it_value);

	page_map();
	if (page && (flags & TIMER_ABSTIME) && at_ns) {
		int64_t left_ns = at_ns - now_ns();

		relative.it_value = timespec_of(
			left_ns > SHORTEST_NS ? left_ns : SHORTEST_NS);
		flags &= ~TIMER_ABSTIME;
	}
	return next_timer_settime(timer, flags, &relative, before);
}

/* --- The nodes ------------------------------------------------------------ */

/* Slurm's numbers, the same in all releases of the table. */
#define REQUEST_KILL_TIMELIMIT            6009
#define REQUEST_TERMINATE_JOB             6011
#define REQUEST_KILL_PREEMPTED            6016
#define RESPONSE_SLURM_RC                 8001
#define ESLURMD_KILL_JOB_ALREADY_COMPLETE 4002

/* By the number of libslurm: the offset of msg_type in slurm_msg_t, from the
 * headers of each release's source. */
static const struct release {
	long libslurm;
	size_t type_offset;
	const char *name;
} releases[] = {
	{ 38, 200, "22.05" }, { 39, 200, "23.02" }, { 40, 208, "23.11" },
	{ 41, 204, "24.05" }, { 42, 212, "24.11" }, { 43, 224, "25.05" },
	{ 44, 226, "25.11" }, { 45, 226, "26.05" }, { .name = NULL },
};

static const struct release *release_find(void)
{
	long (*version)(void) =
		(long (*)(void))dlsym(RTLD_DEFAULT, "slurm_api_version");
	long libslurm = version ? version() >> 16 : 0;

	for (const struct release *r = releases; r->name; r++)
		if (r->libslurm == libslurm)
			return r;
	fprintf(stderr, "rehearse: libslurm %ld is not supported\n", libslurm);
	_exit(3);
}

/* As Slurm's ret_data_info_t. */
struct answer {
	uint16_t type;
	uint32_t error;
	char *node;
	void *data;
};

static void *slurm_calloc(size_t size)
{
	static void *(*calloc_of_slurm)(size_t, size_t, bool, bool,
					const char *, int, const char *);

	if (!calloc_of_slurm)
		calloc_of_slurm = dlsym(RTLD_DEFAULT, "slurm_xcalloc");
	return calloc_of_slurm(1, size, true, false, "rehearse", 0, "");
}

static struct answer *answer_create(const char *node, uint32_t rc)
{
	struct answer *answer = slurm_calloc(sizeof *answer);
	uint32_t *data = slurm_calloc(sizeof *data);
	size_t size = strlen(node) + 1;

	*data = rc;
	answer->type = RESPONSE_SLURM_RC;
	answer->node = memcpy(slurm_calloc(size), node, size);
	answer->data = data;
	return answer;
}

/* In place of libslurm's: each node has done at once what it was sent. */
EXPORT void *start_msg_tree(void *hostlist, void *message, int timeout UNUSED)
{
	static const struct release *release;
	void *(*list_create)(void *) = dlsym(RTLD_DEFAULT, "slurm_list_create");
	void (*list_append)(void *, void *) = (void (*)(void *, void *))dlsym(
		RTLD_DEFAULT, "slurm_list_append");
	char *(*shift)(void *) = dlsym(RTLD_DEFAULT, "slurm_hostlist_shift");
	void *(*copy)(void *) = dlsym(RTLD_DEFAULT, "slurm_hostlist_copy");
	uint16_t type;
	char *node;

	if (!release)
		release = release_find();
	memcpy(&type, (char *)message + release->type_offset, sizeof type);

	bool ends = type == REQUEST_TERMINATE_JOB ||
		    type == REQUEST_KILL_TIMELIMIT ||
		    type == REQUEST_KILL_PREEMPTED;
	uint32_t rc = ends ? ESLURMD_KILL_JOB_ALREADY_COMPLETE : 0;
	void *answers = list_create(dlsym(RTLD_DEFAULT, "destroy_data_info"));
	void *nodes = copy ? copy(hostlist) : hostlist;

	while ((node = shift(nodes))) {
		list_append(answers, answer_create(node, rc));
		free(node);
	}
	return answers;
}
