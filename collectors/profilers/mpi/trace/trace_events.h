/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_events.h - how events come into the trace; within a call, while it
 * is on
 *
 * Private to trace.c, and trace_requests.c, which has what is under way.
 */
#ifndef COLLECTORS_PROFILERS_MPI_TRACE_TRACE_EVENTS_H
#define COLLECTORS_PROFILERS_MPI_TRACE_TRACE_EVENTS_H

#include "collectors/profilers/mpi/count/communicator.h"
#include "collectors/profilers/mpi/trace/trace.h"
#include "predictor/trace/matched_trace.h"

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

/* As in matched_trace.h. */
struct trace_collective {
	uint64_t bytes;
	bool to_each, combined;
};

struct trace_collective trace_collective_of(enum trace_size size,
					    const int counts[],
					    MPI_Datatype type,
					    const struct communicator *comm);

/* One that does not block begins. */
void trace_add_begun(int request, struct trace_collective what,
		     const struct communicator *comm);

/* At the end: what is under way will not be seen. */
void trace_requests_clear(void);

#endif
