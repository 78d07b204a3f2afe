/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_events.h - how events come into the trace; within a call, while it
 * is on
 *
 * For trace.c, and for trace_requests.c, which has what is under way.
 */
#pragma once

#include <mpi.h>

#include "collectors/profilers/mpi/count/communicator.h"
#include "predictor/trace/matched_trace.h"

/* Begin the file of this rank.  -1: there can be none. */
int trace_events_begin(int rank, int ranks);

/* The last event, after work_s of CPU time and ran_s of the program's, and what
 * is behind it (trace_tail_make()). */
void trace_events_end(double work_s, double ran_s);

/* Return whether this call is recorded. */
bool trace_is_on(void);

/* End the trace here, without its last event. */
void trace_stop(void);

/* Add an event with the work since the one before. */
void trace_add(struct trace_event event);

/* A message to or from a rank of that communicator, or NULL: it is
 * not known. */
void trace_add_sent(uint64_t bytes, int to, int tag,
		    const struct communicator *comm, bool blocks);
void trace_add_received(bool any, bool asked, const struct communicator *comm,
			const MPI_Status *status);

uint64_t trace_bytes(int count, MPI_Datatype type);

/* What the counts of a collective operation say of its bytes
 * (matched_trace.h). */
enum trace_size {
	TRACE_UNSIZED,  /* nothing */
	TRACE_ONE,      /* a count: all have the same data in the end */
	TRACE_COMBINED, /* the same, combined of data of all */
	TRACE_ALL,      /* a count: so much of each */
	TRACE_SUM,      /* one of each */
	TRACE_EACH,     /* a count: so much from each for each */
	TRACE_EACH_SUM, /* what comes from each */
};

/* As in matched_trace.h. */
struct trace_collective {
	uint64_t bytes;
	bool to_each, combined;
};

struct trace_collective trace_collective_of(enum trace_size size,
					    const int counts[],
					    MPI_Datatype type,
					    const struct communicator *comm);

/* One of all of comm; NULL: it is not known. */
void trace_add_collective(struct trace_collective what,
			  const struct communicator *comm);

/* One that does not block begins. */
void trace_add_begun(int request, struct trace_collective what,
		     const struct communicator *comm);
