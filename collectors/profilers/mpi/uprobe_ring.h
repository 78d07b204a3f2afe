/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_ring.h - calls and returns of a function, from records of the kernel
 *
 * The kernel writes a record at each call and at each return, with the CPU time of
 * the thread and its stack pointer, into a ring that is read now and then.  What
 * does not fit together - records that are missing or damaged, a function that was
 * left otherwise than by a return - ends the measure with a reason: better none
 * than a wrong one.
 *
 * Times are those of CLOCK_THREAD_CPUTIME_ID.  The kernel's differ from these by an
 * offset that drifts as it counts interrupts otherwise; that a record was written
 * between two readings of the clock corrects it.
 */
#ifndef COLLECTORS_PROFILERS_MPI_UPROBE_RING_H
#define COLLECTORS_PROFILERS_MPI_UPROBE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/profilers/mpi/uprobe_request.h"

#define UPROBE_DEPTH_MAX    64 /* of calls within calls that the kernel follows */
#define UPROBE_CALLS_SECOND 10000 /* of work; more are refused */
#define UPROBE_CALLS_FIRST  20000 /* before that is looked at */
#define UPROBE_RECORD_BYTES 48

struct uprobe_ring {
	const uint64_t *words;
	size_t bytes; /* a power of two */
	uint64_t ids[UPROBE_EVENTS];
};

struct uprobe_calls {
	double offset_s; /* clock less the kernel's time of a record */
	double floor_s; /* clock when the last call of MPI ended, or at a record */
	double left_s; /* clock when the last call of MPI ended */
	double work_s; /* outside of MPI, until then */
	int depth;
	uint64_t stack[UPROBE_DEPTH_MAX]; /* pointers at the calls */
	double since_s; /* clock from which on its time is not in sum_s */
	double sum_s;   /* since it was taken */
	uint64_t calls, hits[UPROBE_EVENTS];
	const char *why; /* the measure has ended; NULL: it goes on */
};

/* Records from byte `from` to `to` of all that were ever written, in work that was
 * done until the clock showed until_s (HUGE_VAL: it goes on), or within MPI, when
 * time is not the function's. */
void uprobe_ring_read(const struct uprobe_ring *ring, uint64_t from,
		      uint64_t to, bool in_mpi, double until_s,
		      struct uprobe_calls *calls);

/* After that: a call of MPI begins.  The function's work since the last one. */
double uprobe_calls_enter(struct uprobe_calls *calls, double cpu_s);

/* It has ended. */
void uprobe_calls_leave(struct uprobe_calls *calls, double cpu_s);

#endif
