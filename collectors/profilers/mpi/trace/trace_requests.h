/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_requests.h - calls of MPI that are under way, and what they bring
 *
 * As the functions of trace.h, all are called within a call, after MPI has done
 * it but where they say so.
 */
#pragma once

#include <mpi.h>

#include "collectors/profilers/mpi/trace/trace_events.h"

/* Note calls that have a request, for what trace_completed() records; of a
 * collective operation this is recorded, too. */
void trace_asked(int from, MPI_Comm comm, MPI_Request request, bool persistent);
void trace_send_made(int count, MPI_Datatype type, int to, int tag,
		     MPI_Comm comm, MPI_Request request);
void trace_collective_begun(enum trace_size size, const int counts[],
			    MPI_Datatype type, MPI_Comm comm,
			    MPI_Request request);

/* Persistent requests were started. */
void trace_started(int count, const MPI_Request requests[]);

/* A request was freed; before MPI does it. */
void trace_freed(MPI_Request request);

/* Before a call that may complete requests: their handles are kept, as MPI
 * changes them. */
void trace_waits(int count, const MPI_Request requests[]);

/* After it: `count` are complete; indices[count] say which of those kept, or
 * NULL: all in their order.  With the statuses of these; count <= 0: none. */
void trace_completed(int count, const int indices[],
		     const MPI_Status statuses[]);

/* Statuses for such a call: the program's own, or, if these are `ignored` and
 * needed, ours. */
MPI_Status *trace_wanted(MPI_Status *statuses, const MPI_Status *ignored,
			 int count);

/* At the end: what is under way will not be seen. */
void trace_requests_clear(void);
