/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.h - what is measured of a process between MPI_Init and MPI_Finalize
 *
 * Without PREDICT_MPI_DIR in the environment nothing is measured.
 */
#ifndef COLLECTORS_PROFILERS_MPI_SESSION_H
#define COLLECTORS_PROFILERS_MPI_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#define SESSION_FOLDER     "PREDICT_MPI_DIR"
#define SESSION_LONG_BYTES 65536 /* a power of two; see profile_pair */

/* After MPI_Init: this thread's time is measured from now on.  A second call
 * does nothing. */
void session_begin(void);

/* Before MPI_Finalize, while messages can be sent: the names of the ranks'
 * nodes, for session_report(); NULL: nothing was measured, or not of all. */
char *session_end(void);

/* After MPI_Finalize: writes the file and frees `nodes`. */
void session_report(char *nodes);

/* Around each call; what MPI calls itself in between is not measured again. */
void session_enter(void);
void session_leave(void);

/* What the call is that this thread is in. */
enum session_call {
	SESSION_NONE,  /* nothing is measured */
	SESSION_OUTER, /* the program's, of the thread that is measured */
	SESSION_INNER, /* one of MPI's own, within another */
	SESSION_OTHER_THREAD, /* the program's, of another one */
};
enum session_call session_call(void);

/* Return whether something is measured, and in this thread. */
bool session_is_measured(void);

/* Outside of calls: CPU time of the thread that is measured, without MPI's. */
double session_work_now_s(void);

/* Return, within a call, the CPU time so far that was not spent in MPI. */
double session_work_s(void);

/* Note, within a call, that it sends a message to the process `to`
 * of `comm`. */
void session_sent(int count, MPI_Datatype type, int to, MPI_Comm comm);

/* Note, within a call, that it requests a message from that process, or
 * from any. */
void session_asked(int from);

/* Note, within a call, that it found this message (its handle) of the process
 * `from` of comm, or of any, which a later call receives. */
void session_matched(uintptr_t message, int from, MPI_Comm comm);

/* What such a message was matched to; it is known once. */
struct session_match {
	uintptr_t message;
	int from;
	MPI_Comm comm;
};
bool session_match_take(uintptr_t message, struct session_match *ret);

/* Note, within a call, that it is a collective operation of comm, or
 * begins one. */
void session_collective(MPI_Comm comm);

/* Note, within a call, that it received a message from the process `from`
 * of `comm`. */
void session_received(int from, MPI_Comm comm);

/* The same of one that an earlier call asked for, from that rank of
 * MPI_COMM_WORLD, -1: not known; and whether it was received from any source.
 * It counts for tasks, but says nothing of replies. */
void session_received_later(int rank, bool from_any);

/* The rank in MPI_COMM_WORLD; -1: not known. */
int session_rank_in_world(int rank, MPI_Comm comm);

#endif
