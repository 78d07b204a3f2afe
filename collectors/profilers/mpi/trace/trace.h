/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.h - each call of MPI that one process makes, in a file
 *
 * Only with PREDICT_TRACE_DIR in the environment.  The file is
 * PREDICT_TRACE_DIR/ RUN.RANK in the format of predictor/replay/FORMAT.md; RUN
 * is the same for all ranks of a program, and another one for the next program
 * of the job.
 *
 * Where the file fills up, stretches between collectives of all ranks are left
 * out (trace_events.c).  PREDICT_TRACE_BYTES sets its size.
 *
 * The trace ends early, without its last event, where the file is full, where a
 * second thread calls MPI, and where a call fails: what is there counts.
 *
 * Except for trace_begin() all are called within a call (current_call.h),
 * after MPI has done it.  Calls within calls are not recorded.
 */
#pragma once

#include <mpi.h>

#include "collectors/profilers/mpi/trace/trace_events.h"

/* After MPI_Init, by the thread that will be measured. */
void trace_begin(int rank, int ranks);

/* Before MPI_Finalize, after work_s of CPU time, ran_s since trace_begin(). */
void trace_end(double work_s, double ran_s);

/* A message was sent.  blocks: the call returned when its buffer was free. */
void trace_sent(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
		bool blocks);

/* A message came; the program asked for one from `from`. */
void trace_received(int from, MPI_Comm comm, const MPI_Status *status);

/* All of comm called a collective operation. */
void trace_collective(enum trace_size size, const int counts[],
		      MPI_Datatype type, MPI_Comm comm);

/* What the call began is not recorded: the trace ends. */
void trace_unknown(void);

/* A communicator was made of all of comm. */
void trace_made(MPI_Comm comm, MPI_Comm made);
