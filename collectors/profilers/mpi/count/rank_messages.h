/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_messages.h - messages with each other rank, as the calls show them
 *
 * All threads' messages are counted; replies, tasks and receives from any
 * source are of the thread that is measured.  The functions are called within
 * a call (current_call.h), and do nothing in calls within calls.
 */
#pragma once

#include <mpi.h>

#include "collectors/profilers/mpi/count/monitoring.h"
#include "collectors/profilers/mpi/count/rank_tasks.h"

/* Count from now on, in a program of `size` ranks.  -1: no memory, and nothing
 * is counted. */
int rank_messages_begin(int size);

/* Note a message to the process `to` of `comm`. */
void rank_messages_sent(int count, MPI_Datatype type, int to, MPI_Comm comm);

/* Note that a message is requested from that process, or from any. */
void rank_messages_asked(int from);

/* Note that this message (its handle) of the process `from` of comm, or of
 * any, was found, which a later call receives. */
void rank_messages_matched(uintptr_t message, int from, MPI_Comm comm);

/* What such a message was matched to; it is known once. */
struct rank_match {
	uintptr_t message;
	int from;
	MPI_Comm comm;
};
bool rank_messages_take_match(uintptr_t message, struct rank_match *ret);

/* Note a collective operation of comm, or its beginning. */
void rank_messages_collective(MPI_Comm comm);

/* Note a message that came from the process `from` of `comm`. */
void rank_messages_received(int from, MPI_Comm comm);

/* Note one that an earlier call asked for, from that rank of MPI_COMM_WORLD,
 * -1: not known; and whether it was received from any source.  It counts for
 * tasks, but says nothing of replies. */
void rank_messages_received_later(int rank, bool from_any);

/* Return the rank in MPI_COMM_WORLD; -1: not known. */
int rank_messages_world_rank(int rank, MPI_Comm comm);

/* --- What was counted, if rank_messages_begin() gave 0 -------------------- */

/* Copy the counts by rank, where MPI did not count (monitoring.h). */
void rank_messages_copy(struct monitoring_counts ret[]);

/* Return how many of the messages to that rank were replies. */
uint64_t rank_messages_replies(int rank);

/* Return the tasks that that rank gave to this one. */
struct rank_tasks rank_messages_tasks(int rank);

/* Return the number of receives from any source. */
uint64_t rank_messages_from_any(void);
