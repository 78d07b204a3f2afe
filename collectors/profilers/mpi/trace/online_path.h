/* SPDX-License-Identifier: GPL-2.0-or-later */
/* online_path.h - the critical path with the procedure moved, while a
 * program runs
 *
 * Figure 2 of [1] (predictor/trace/procedure_path.h) as it is there: beside
 * each message of the program goes one of 24 bytes, on a communicator of its
 * own.  With collective operations the ranks exchange their paths, so that each
 * of these waits for all.  Only with PREDICT_TRACE_ONLINE in the environment; a
 * replay of the trace computes the same.
 *
 * A rank stops where its trace does, for collective operations that do not
 * block or go between two groups, and where a message does not come in time; it
 * tells all others, which then stop, too.  Until then no rank waits longer than
 * ONLINE_WAIT_S for what is not there.
 *
 * Called by the thread that is measured, within a call, after MPI has done it.
 */
#pragma once

#include "collectors/profilers/mpi/count/communicator.h"
#include "predictor/trace/matched_trace.h"

#define ONLINE_WAIT_S 30.0

/* In MPI_Init, by all ranks. */
void online_begin(int rank, int ranks);

/* An event's work, and its message.  Collective operations: the work alone. */
void online_event(const struct trace_event *event);

/* Note a collective operation of all of comm.  blocks: all make it in the
 * same order. */
void online_collective(const struct communicator *comm, bool blocks);

/* No more: there will be no result. */
void online_stop(void);

/* Find the path of the rank, and with the procedure moved, in seconds;
 * false: none. */
bool online_result(double ret_s[2]);

/* Before MPI_Finalize. */
void online_end(void);

/* Messages that were sent to that rank, of ONLINE_BYTES each. */
uint64_t online_sent(int rank);
#define ONLINE_BYTES 24
