/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobes.c - calls and returns of a function of this process, by the kernel's uprobes
 *
 * `lock` covers what the thread and the measured one share.  In a child of fork()
 * nothing is mapped, and there is no such thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "collectors/profilers/mpi/uprobe_client.h"
#include "collectors/profilers/mpi/uprobe_ring.h"
#include "collectors/profilers/mpi/uprobes.h"

#define RING_PAGES     64 /* a power of two; fewer where a user has no more */
#define RING_PAGES_MIN 4
#define WAKEUP_BYTES   (64 << 10) /* a quarter, unless there are fewer */
#define WATCH_MS       1000
#define IDLE_WAKES_MAX 100 /* without a record, one after the other */
#define STACK_BYTES    (64 << 10)
#define WHY_CLOSED     "the program closed the descriptors of its uprobe"
#define WHY_LEFT       "it was left without a return, as by longjmp()"
#define WHY_STACK      "it runs on a stack of its own"

static struct {
	pthread_mutex_t lock;
	_Atomic(struct perf_event_mmap_page *) page; /* NULL: off */
	size_t bytes;                                /* that are mapped */
	int fds[UPROBE_EVENTS];
	struct uprobe_ring ring;
	struct uprobe_calls calls;
	bool in_mpi, ends;
	uintptr_t stack_end;  /* of the measured thread */
	uintptr_t trampoline; /* what a call returns to; 0: not known */
} uprobes = { .lock = PTHREAD_MUTEX_INITIALIZER, .fds = { -1, -1 } };

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* --- The end -------------------------------------------------------------- */

/* The program may have closed it, and opened a file with that number. */
static void event_close(int fd, uint64_t id)
{
	uint64_t found;

	if (fd >= 0 && !ioctl(fd, PERF_EVENT_IOC_ID, &found) && found == id)
		close(fd);
}

static void events_close(void)
{
	for (int i = 0; i < UPROBE_EVENTS; i++) {
		event_close(uprobes.fds[i], uprobes.ring.ids[i]);
		uprobes.fds[i] = -1;
	}
}

static void forked(void)
{
	if (uprobes.page)
		events_close();
	uprobes.page = NULL;
}

/* Takes a tenth of a second, since the kernel waits for all CPUs. */
static void ring_close(void)
{
	struct perf_event_mmap_page *page = uprobes.page;

	pthread_mutex_lock(&uprobes.lock);
	uprobes.page = NULL;
	pthread_mutex_unlock(&uprobes.lock);
	munmap(page, uprobes.bytes);
	events_close();
}

/* --- The ring ------------------------------------------------------------- */

/* With the lock.  Whether there were records. */
static bool ring_take(double until_s)
{
	struct perf_event_mmap_page *page = uprobes.page;
	uint64_t tail = page->data_tail;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

	if (head == tail || uprobes.calls.why)
		return false;
	uprobe_ring_read(&uprobes.ring, tail, head, uprobes.in_mpi, until_s,
			 &uprobes.calls);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	return true;
}

static void *ring_watch(void *unused)
{
	struct pollfd fd = { .fd = uprobes.fds[0], .events = POLLIN };
	int idle = 0;
	bool on = true;

	while (on) {
		bool woken = poll(&fd, 1, WATCH_MS) > 0;

		pthread_mutex_lock(&uprobes.lock);
		idle = ring_take(HUGE_VAL) || !woken ? 0 : idle + 1;
		if (!uprobes.calls.why &&
		    ((woken && fd.revents != POLLIN) || idle > IDLE_WAKES_MAX))
			uprobes.calls.why = WHY_CLOSED;
		on = !uprobes.calls.why && !uprobes.ends;
		pthread_mutex_unlock(&uprobes.lock);
	}
	ring_close();
	return unused;
}

/* 0: it has never been at work. */
static uintptr_t trampoline_find(void)
{
	FILE *file = fopen("/proc/self/maps", "re");
	char line[PATH_MAX + 128];
	unsigned long begin = 0;

	while (file && fgets(line, sizeof(line), file)) {
		if (strstr(line, "[uprobes]"))
			begin = strtoul(line, NULL, 16);
	}
	if (file)
		fclose(file);
	return begin;
}

/* The function seems to run.  Where it does not, the place of its return address was
 * used for something else. */
static const char *inside_check(void)
{
	uintptr_t at = uprobes.calls.stack[uprobes.calls.depth - 1];
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (!uprobes.trampoline)
		uprobes.trampoline = trampoline_find();
	if (at < here || at + sizeof(at) > uprobes.stack_end || at % sizeof(at))
		return at < here ? WHY_LEFT : WHY_STACK;
	return *(const uintptr_t *)at == uprobes.trampoline ? NULL : WHY_LEFT;
}

double uprobes_enter(double cpu_s)
{
	struct uprobe_calls *calls = &uprobes.calls;
	double taken_s = 0;

	if (!uprobes.page)
		return 0;
	pthread_mutex_lock(&uprobes.lock);
	if (uprobes.page && !calls->why) {
		ring_take(cpu_s);
		if (!calls->why && calls->depth)
			calls->why = inside_check();
		taken_s = uprobe_calls_enter(calls, cpu_s);
		uprobes.in_mpi = true;
	}
	pthread_mutex_unlock(&uprobes.lock);
	return taken_s;
}

void uprobes_leave(double cpu_s)
{
	if (!uprobes.page)
		return;
	pthread_mutex_lock(&uprobes.lock);
	if (uprobes.page && !uprobes.calls.why) {
		ring_take(cpu_s);
		uprobe_calls_leave(&uprobes.calls, cpu_s);
		uprobes.in_mpi = false;
	}
	pthread_mutex_unlock(&uprobes.lock);
}

const char *uprobes_why(void)
{
	const char *why;

	pthread_mutex_lock(&uprobes.lock);
	why = uprobes.calls.why;
	pthread_mutex_unlock(&uprobes.lock);
	return why;
}

uint64_t uprobes_calls(void)
{
	return uprobes.calls.calls;
}

void uprobes_end(void)
{
	pthread_mutex_lock(&uprobes.lock);
	uprobes.ends = true;
	pthread_mutex_unlock(&uprobes.lock);
}

/* --- The beginning -------------------------------------------------------- */

static int ring_map(struct sp_error *err)
{
	void *page = MAP_FAILED;
	size_t pages = RING_PAGES;

	for (; pages >= RING_PAGES_MIN && page == MAP_FAILED; pages /= 2) {
		uprobes.bytes = (1 + pages) * page_bytes();
		page = mmap(NULL, uprobes.bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED, uprobes.fds[0], 0);
	}
	if (page == MAP_FAILED)
		return sp_error_set(err, "no room for records: %s",
				    strerror(errno));
	uprobes.ring.words =
		(const uint64_t *)((const char *)page + page_bytes());
	uprobes.ring.bytes = uprobes.bytes - page_bytes();
	for (int i = 0; i < UPROBE_EVENTS; i++)
		if (ioctl(uprobes.fds[i], PERF_EVENT_IOC_ID,
			  &uprobes.ring.ids[i]))
			goto failed;
	if (ioctl(uprobes.fds[1], PERF_EVENT_IOC_SET_OUTPUT, uprobes.fds[0]))
		goto failed;
	uprobes.page = page;
	return 0;
failed:
	sp_error_set(err, "the kernel gives no records of uprobes: %s",
		     strerror(errno));
	munmap(page, uprobes.bytes);
	return -1;
}

static int stack_find(void)
{
	pthread_attr_t attributes;
	void *stack = NULL;
	size_t bytes = 0;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return -1;
	if (!pthread_attr_getstack(&attributes, &stack, &bytes))
		uprobes.stack_end = (uintptr_t)stack + bytes;
	pthread_attr_destroy(&attributes);
	return uprobes.stack_end ? 0 : -1;
}

/* The program's signals are for its own threads. */
static int watch_start(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, own;
	int rc;

	if (pthread_attr_init(&attributes))
		return -1;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES > PTHREAD_STACK_MIN
						       ? STACK_BYTES
						       : PTHREAD_STACK_MIN);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &own);
	rc = pthread_create(&thread, &attributes, ring_watch, NULL);
	pthread_sigmask(SIG_SETMASK, &own, NULL);
	pthread_attr_destroy(&attributes);
	return rc ? -1 : 0;
}

/* The clock, and the kernel's time beside it, which begins now. */
static int clock_start(void)
{
	struct timespec t;
	uint64_t now[2]; /* value, time running */

	if (ioctl(uprobes.fds[0], PERF_EVENT_IOC_ENABLE, 0) ||
	    read(uprobes.fds[0], now, sizeof(now)) != sizeof(now) ||
	    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return -1;

	double cpu_s = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;

	uprobes.calls.offset_s = cpu_s - (double)now[1] * 1e-9;
	uprobe_calls_leave(&uprobes.calls, cpu_s);
	return 0;
}

int uprobes_begin(const struct symbol_place *place, struct sp_error *err)
{
	static bool once;

	if (once)
		return sp_error_set(err, "it was measured before");
	once = true;
	if (stack_find())
		return sp_error_set(err, "the stack cannot be found");
	if (uprobe_client_refuses(place, err) ||
	    uprobe_client_ask(place, UPROBES_WAIT_MS, WAKEUP_BYTES, uprobes.fds,
			      err))
		return -1;
	if (ring_map(err)) {
		events_close();
		return -1;
	}
	if (pthread_atfork(NULL, NULL, forked) || clock_start() ||
	    watch_start()) {
		ring_close();
		return sp_error_set(err, "no clock or no thread for it");
	}
	return 0;
}
