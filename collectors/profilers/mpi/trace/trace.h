/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.h - each call of MPI that one process makes, in a file
 *
 * Only with PREDICT_TRACE_DIR in the environment.  The file is
 * PREDICT_TRACE_DIR/ RUN.RANK in the format of predictor/replay/FORMAT.md; RUN
 * is the same for all ranks of a program, and another one for the next program
 * of the job.
 *
 * Where the file fills up, stretches between collectives of all ranks are left
 * out (stretches.h).  PREDICT_TRACE_BYTES sets its size.
 *
 * The trace ends early, without its last event, where the file is full, where a
 * second thread calls MPI, and where a call fails: what is there counts.
 *
 * Except for trace_begin() all are called within a call (session_enter()),
 * after MPI has done it.  Calls within calls are not recorded.
 */
#ifndef COLLECTORS_PROFILERS_MPI_TRACE_TRACE_H
#define COLLECTORS_PROFILERS_MPI_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

/* After MPI_Init, by the thread that will be measured. */
void trace_begin(int rank, int ranks);

/* Before MPI_Finalize, after work_s of CPU time, ran_s since trace_begin(). */
void trace_end(double work_s, double ran_s);

/* Return whether this call is recorded. */
bool trace_is_on(void);

/* A message was sent.  blocks: the call returned when its buffer was free. */
void trace_sent(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
		bool blocks);

/* A message came; the program asked for one from `from`. */
void trace_received(int from, MPI_Comm comm, const MPI_Status *status);

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

/* All of comm called a collective operation. */
void trace_collective(enum trace_size size, const int counts[],
		      MPI_Datatype type, MPI_Comm comm);

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

/* What the call began is not recorded: the trace ends. */
void trace_unknown(void);

/* A communicator was made of all of comm. */
void trace_made(MPI_Comm comm, MPI_Comm made);

#endif
