/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_ring.c - calls and returns of a function, from records of the kernel
 *
 * The stack grows downwards, and a return finds the pointer one word above where the
 * call had left it (x86-64).  So what longjmp(), a coroutine or a second stack do is
 * seen at the next call or return.
 */
#include <linux/perf_event.h>
#include <math.h>
#include <string.h>

#include "collectors/profilers/mpi/uprobe_ring.h"

#define WHY_LOST \
	"it is called so often between calls of MPI that records are lost"

enum { CALL, RETURN };

struct record {
	int what;
	uint64_t hit; /* the how manieth of its kind */
	double time_s;
	uint64_t stack;
};

static uint64_t word_at(const struct uprobe_ring *ring, uint64_t at)
{
	return ring->words[(at & (ring->bytes - 1)) / sizeof(uint64_t)];
}

/* What is wrong with it; NULL: nothing. */
static const char *record_parse(const struct uprobe_ring *ring, uint64_t at,
				struct record *ret)
{
	uint64_t id = word_at(ring, at + 8);

	if (id != ring->ids[CALL] && id != ring->ids[RETURN])
		return "a record of the kernel is damaged";
	*ret = (struct record){
		.what = id == ring->ids[RETURN],
		.hit = word_at(ring, at + 16),
		.time_s = (double)word_at(ring, at + 24) * 1e-9,
		.stack = word_at(ring, at + 40),
	};
	return word_at(ring, at + 32) == PERF_SAMPLE_REGS_ABI_64
		       ? NULL
		       : "the kernel gave no stack pointer";
}

static bool is_too_often(const struct uprobe_calls *calls, double now_s)
{
	double work_s = calls->work_s + fmax(now_s - calls->left_s, 0);

	return calls->calls > UPROBE_CALLS_FIRST &&
	       (double)calls->calls > UPROBE_CALLS_SECOND * work_s;
}

static const char *call_add(struct uprobe_calls *calls, uint64_t stack,
			    double now_s)
{
	if (calls->depth == UPROBE_DEPTH_MAX)
		return "it calls itself more than 64 times deep";
	if (calls->depth && stack >= calls->stack[calls->depth - 1])
		return "it was left without a return, as by longjmp()";
	if (calls->depth == 0)
		calls->since_s = now_s;
	calls->stack[calls->depth++] = stack;
	calls->calls++;
	return is_too_often(calls, now_s)
		       ? "it is called more than 10,000 times a second"
		       : NULL;
}

static const char *return_add(struct uprobe_calls *calls, uint64_t stack,
			      double now_s, bool in_mpi)
{
	if (!calls->depth ||
	    stack != calls->stack[calls->depth - 1] + sizeof(uint64_t))
		return "a return does not fit its call";
	if (--calls->depth == 0 && !in_mpi)
		calls->sum_s += fmax(now_s - calls->since_s, 0);
	return NULL;
}

/* Time cannot be before the last that was seen, nor after until_s. */
static double clock_of(struct uprobe_calls *calls, double time_s,
		       double until_s)
{
	double now_s = time_s + calls->offset_s;
	double right_s = fmin(fmax(now_s, calls->floor_s), until_s);

	calls->offset_s += right_s - now_s;
	calls->floor_s = right_s;
	return right_s;
}

static const char *record_add(const struct record *r, bool in_mpi,
			      double until_s, struct uprobe_calls *calls)
{
	double now_s =
		in_mpi ? calls->floor_s : clock_of(calls, r->time_s, until_s);

	if (r->hit != calls->hits[r->what] + 1)
		return WHY_LOST;
	calls->hits[r->what] = r->hit;
	return r->what == CALL ? call_add(calls, r->stack, now_s)
			       : return_add(calls, r->stack, now_s, in_mpi);
}

/* One record, of `left` bytes at most; how many it has, 0: none can be read. */
static size_t record_read(const struct uprobe_ring *ring, uint64_t at,
			  uint64_t left, bool in_mpi, double until_s,
			  struct uprobe_calls *calls)
{
	struct perf_event_header header;
	struct record record;
	uint64_t word = word_at(ring, at);

	memcpy(&header, &word, sizeof(header));
	if (header.size < sizeof(header) || header.size % sizeof(uint64_t) ||
	    header.size > left)
		return 0;
	if (header.type == PERF_RECORD_LOST)
		calls->why = WHY_LOST;
	if (header.type != PERF_RECORD_SAMPLE)
		return header.size;
	if (header.size != UPROBE_RECORD_BYTES)
		return 0;
	calls->why = record_parse(ring, at, &record);
	if (!calls->why)
		calls->why = record_add(&record, in_mpi, until_s, calls);
	return header.size;
}

void uprobe_ring_read(const struct uprobe_ring *ring, uint64_t from,
		      uint64_t to, bool in_mpi, double until_s,
		      struct uprobe_calls *calls)
{
	if (to - from > ring->bytes || from % sizeof(uint64_t))
		calls->why = "a record of the kernel is damaged";
	while (!calls->why && from != to) {
		size_t size = record_read(ring, from, to - from, in_mpi,
					  until_s, calls);

		if (!size)
			calls->why = "a record of the kernel is damaged";
		from += size;
	}
}

double uprobe_calls_enter(struct uprobe_calls *calls, double cpu_s)
{
	double taken_s;

	calls->work_s += fmax(cpu_s - calls->left_s, 0);
	calls->left_s = cpu_s;
	if (calls->depth) {
		calls->sum_s += fmax(cpu_s - calls->since_s, 0);
		calls->since_s = cpu_s;
	}
	taken_s = calls->sum_s;
	calls->sum_s = 0;
	return taken_s;
}

void uprobe_calls_leave(struct uprobe_calls *calls, double cpu_s)
{
	calls->left_s = calls->floor_s = cpu_s;
	if (calls->depth)
		calls->since_s = cpu_s;
}
