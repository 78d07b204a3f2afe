/* SPDX-License-Identifier: GPL-2.0-or-later */
/* samples.c - where a thread is, every few milliseconds of its CPU time
 *
 * Where MPI is not called for long the ring gets full: then the kernel counts
 * what it does not write, and the samples before it count for these, too.
 */
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collectors/profilers/mpi/symbols.h"
#include "collectors/profilers/mpi/trace/samples.h"

#define RING_PAGES 8    /* a power of two */
#define PLACES     4096 /* addresses, a power of two; more are not counted */

struct place {
	uintptr_t address; /* 0: free */
	double samples;
};

static struct {
	volatile struct perf_event_mmap_page *ring; /* NULL: off */
	const uint64_t *words;
	size_t count; /* of words, a power of two */
	double period_s;
	uint64_t entered;
	struct place *places;
	size_t used;
} samples;

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* The ring is not in a child. */
static void forked(void)
{
	samples.ring = NULL;
}

static int event_open(double period_s)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = (uint64_t)(period_s * 1e9),
		.sample_type = PERF_SAMPLE_IP,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

int samples_begin(double period_s)
{
	static bool once;
	size_t bytes = (1 + RING_PAGES) * page_bytes();
	int fd;
	void *ring;

	if (once)
		return -1;
	once = true;
	fd = event_open(period_s);
	if (fd < 0)
		return -1;
	ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd); /* the mapping keeps it */
	if (ring == MAP_FAILED)
		return -1;
	samples.places = calloc(PLACES, sizeof(*samples.places));
	if (!samples.places || pthread_atfork(NULL, NULL, forked)) {
		free(samples.places);
		munmap(ring, bytes);
		return -1;
	}
	samples.words = (const uint64_t *)((char *)ring + page_bytes());
	samples.count = RING_PAGES * page_bytes() / sizeof(uint64_t);
	samples.period_s = period_s;
	samples.ring = ring;
	return 0;
}

/* --- The ring ------------------------------------------------------------- */

static uint64_t ring_head(void)
{
	return __atomic_load_n(&samples.ring->data_head, __ATOMIC_ACQUIRE);
}

static uint64_t ring_word(uint64_t at)
{
	return samples.words[at / sizeof(uint64_t) & (samples.count - 1)];
}

static void place_add(uintptr_t address, double weight)
{
	size_t i = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (;; i++) {
		struct place *p = &samples.places[i & (PLACES - 1)];

		if (p->address == address) {
			p->samples += weight;
			return;
		}
		if (p->address)
			continue;
		if (samples.used == PLACES / 2)
			return;
		samples.used++;
		*p = (struct place){ address, weight };
		return;
	}
}

struct taken {
	double samples, lost;
};

/* Go through the records from `at` to `end`: count them, or, with a weight, add
 * their addresses. */
static struct taken records_read(uint64_t at, uint64_t end, double weight)
{
	struct taken taken = { 0 };

	while (at < end) {
		struct perf_event_header header;
		uint64_t word = ring_word(at);

		memcpy(&header, &word, sizeof(header));
		if (header.size < sizeof(header))
			break;
		if (header.type == PERF_RECORD_SAMPLE) {
			taken.samples++;
			if (weight > 0)
				place_add(ring_word(at + 8), weight);
		} else if (header.type == PERF_RECORD_LOST) {
			taken.lost += (double)ring_word(at + 16);
		}
		at += header.size;
	}
	return taken;
}

void samples_enter(void)
{
	if (samples.ring)
		samples.entered = ring_head();
}

/* Take the samples of the ring: those before `entered` are work, those since
 * are not. */
static void ring_take(uint64_t head)
{
	uint64_t tail = samples.ring->data_tail;

	if (samples.entered > tail) {
		struct taken t = records_read(tail, samples.entered, 0);

		if (t.samples > 0)
			records_read(tail, samples.entered,
				     1 + t.lost / t.samples);
	}
	__atomic_store_n(&samples.ring->data_tail, head, __ATOMIC_RELEASE);
}

void samples_leave(void)
{
	if (!samples.ring)
		return;

	uint64_t head = ring_head();

	if (head != samples.ring->data_tail)
		ring_take(head);
}

/* --- The end -------------------------------------------------------------- */

static int procedures_rank(struct procedure_work ret[], int most)
{
	size_t count = samples.used, n = 0;
	uintptr_t *addresses = calloc(count + 1, sizeof(*addresses));
	struct procedure_work *all = calloc(count + 1, sizeof(*all));

	if (addresses && all) {
		for (size_t i = 0; i < PLACES; i++) {
			const struct place *p = &samples.places[i];

			if (!p->address)
				continue;
			addresses[n] = p->address;
			all[n++].work_s = p->samples * samples.period_s;
		}
		symbols_name(addresses, n, all->name, sizeof(*all),
			     sizeof(all->name));
		n = (size_t)procedure_work_merge(all, (int)n);
		n = n < (size_t)most ? n : (size_t)most;
		memcpy(ret, all, n * sizeof(*all));
	}
	free(addresses);
	free(all);
	return (int)n;
}

int samples_end(struct procedure_work ret[], int most)
{
	int count;

	if (!samples.ring)
		return 0;
	samples.entered = ring_head();
	ring_take(samples.entered);
	munmap((void *)samples.ring, (1 + RING_PAGES) * page_bytes());
	samples.ring = NULL;
	count = procedures_rank(ret, most);
	free(samples.places);
	samples.places = NULL;
	return count;
}
