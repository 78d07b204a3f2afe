/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c - wrappers of MPI's C functions, which C++ programs use as well */
#include <stddef.h>

#include <mpi.h>

#include "collectors/profilers/mpi/count/rank_messages.h"
#include "collectors/profilers/mpi/count/receives.h"
#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/session.h"
#include "collectors/profilers/mpi/trace/trace.h"
#include "collectors/profilers/mpi/trace/trace_requests.h"
#include "collectors/profilers/mpi/weak_symbols.h"

#define WRAPPER(name, parameters) \
	__attribute__((visibility("default"))) int MPI_##name parameters

/* `after` if the call succeeds. */
#define CALL_WITH(name, parameters, arguments, before, after) \
	WRAPPER(name, parameters)                             \
	{                                                     \
		current_call_enter();                         \
		before;                                       \
		int rc = PMPI_##name arguments;               \
		if (rc == MPI_SUCCESS) {                      \
			after;                                \
		} else {                                      \
			trace_unknown();                      \
		}                                             \
		current_call_leave();                         \
		return rc;                                    \
	}

#define NOTHING (void)0

#define CALL(name, lower, upper, parameters, arguments) \
	CALL_WITH(name, parameters, arguments, NOTHING, NOTHING)

#define UNKNOWN(name, lower, upper, parameters, arguments) \
	CALL_WITH(name, parameters, arguments, NOTHING, trace_unknown())

/* --- Messages ------------------------------------------------------------- */

#define MESSAGE_SENT(n, t, r, g, c)            rank_messages_sent(n, t, r, c)
#define TRACE_SENT_WITH(blocks, n, t, r, g, c) trace_sent(n, t, r, g, c, blocks)
#define UNPACKED(...)                          __VA_ARGS__

#define TRACE_SENT(blocks, ...) TRACE_SENT_WITH(blocks, __VA_ARGS__)

#define SEND(name, lower, upper, parameters, arguments, sent, blocks)      \
	CALL_WITH(name, parameters, arguments, NOTHING, MESSAGE_SENT sent; \
		  TRACE_SENT(blocks, UNPACKED sent))

#define IN(parameter)  parameter
#define OUT(parameter) *parameter

/* The caller may pass no status. */
#define RECEIVE_WITH(name, parameters, arguments, before, from, sent) \
	WRAPPER(name, parameters)                                     \
	{                                                             \
		MPI_Status own = { .MPI_SOURCE = MPI_PROC_NULL };     \
                                                                      \
		s = s == MPI_STATUS_IGNORE ? &own : s;                \
		current_call_enter();                                 \
		before;                                               \
		int rc = PMPI_##name arguments;                       \
		if (rc == MPI_SUCCESS) {                              \
			sent;                                         \
			rank_messages_received(s->MPI_SOURCE, c);     \
			trace_received(from, c, s);                   \
		} else {                                              \
			trace_unknown();                              \
		}                                                     \
		current_call_leave();                                 \
		return rc;                                            \
	}

#define RECEIVE(name, lower, upper, parameters, arguments)                   \
	RECEIVE_WITH(name, parameters, arguments, rank_messages_asked(r), r, \
		     NOTHING)

#define SEND_RECEIVE(name, lower, upper, parameters, arguments, sent) \
	RECEIVE_WITH(name, parameters, arguments, NOTHING, r2,        \
		     MESSAGE_SENT sent;                               \
		     TRACE_SENT(false, UNPACKED sent))

#define MATCH(name, lower, upper, parameters, arguments, found) \
	CALL_WITH(name, parameters, arguments, NOTHING,         \
		  if (found) rank_messages_matched((uintptr_t)*m, r, c))

#define MATCHED(name, lower, upper, parameters, arguments)                    \
	WRAPPER(name, parameters)                                             \
	{                                                                     \
		MPI_Status own = { .MPI_SOURCE = MPI_PROC_NULL };             \
		struct rank_match match;                                      \
                                                                              \
		s = s == MPI_STATUS_IGNORE ? &own : s;                        \
		current_call_enter();                                         \
		bool known = rank_messages_take_match((uintptr_t)*m, &match); \
		int rc = PMPI_##name arguments;                               \
		if (rc == MPI_SUCCESS && known) {                             \
			rank_messages_asked(match.from);                      \
			rank_messages_received(s->MPI_SOURCE, match.comm);    \
			trace_received(match.from, match.comm, s);            \
		} else {                                                      \
			trace_unknown();                                      \
		}                                                             \
		current_call_leave();                                         \
		return rc;                                                    \
	}

/* --- Requests ------------------------------------------------------------- */

/* Return the source in the first of `count` statuses, which the caller
 * may ignore. */
static int source_of(const MPI_Status *s, const MPI_Status *ignored, int count)
{
	return count > 0 && s != ignored ? s->MPI_SOURCE : MPI_ANY_SOURCE;
}

#define ASK(name, lower, upper, parameters, arguments, persistent) \
	CALL_WITH(name, parameters, arguments, NOTHING,            \
		  receives_asked(r, c, *q, persistent);            \
		  trace_asked(r, c, *q, persistent))

#define SEND_MADE(name, lower, upper, parameters, arguments) \
	CALL_WITH(name, parameters, arguments, NOTHING,      \
		  trace_send_made(n, t, r, g, c, *q))

#define START(name, lower, upper, parameters, arguments, count) \
	CALL_WITH(name, parameters, arguments, NOTHING,         \
		  receives_started(count, q);                   \
		  trace_started(count, q))

#define FREE(name, lower, upper, parameters, arguments)            \
	CALL_WITH(name, parameters, arguments, receives_freed(*q); \
		  trace_freed(*q), NOTHING)

#define WAIT_WITH(name, parameters, arguments, count, done, which, wanted,     \
		  ignored)                                                     \
	CALL_WITH(name, parameters, arguments, trace_waits(count, q);          \
		  receives_waits(count, q);                                    \
		  s = wanted, receives_completed(done, which, 0,               \
						 source_of(s, ignored, done)); \
		  trace_completed(done, which, s))

#define WAIT(name, lower, upper, parameters, arguments, count, done, which)  \
	WAIT_WITH(name, parameters, arguments, count, (done) ? 1 : 0, which, \
		  trace_wanted(s, MPI_STATUS_IGNORE, 1), MPI_STATUS_IGNORE)

#define WAITS(name, lower, upper, parameters, arguments, count, done, which) \
	WAIT_WITH(name, parameters, arguments, count, done, which,           \
		  trace_wanted(s, MPI_STATUSES_IGNORE, count),               \
		  MPI_STATUSES_IGNORE)

/* --- Collectives ---------------------------------------------------------- */

#define COUNT(parameter) &parameter
#define NO_SIZE          TRACE_UNSIZED, NULL, MPI_DATATYPE_NULL

#define COLLECTIVE(name, lower, upper, parameters, arguments, of) \
	CALL_WITH(name, parameters, arguments, NOTHING,           \
		  rank_messages_collective(c);                    \
		  trace_collective of)

#define COLLECTIVE_BEGIN(name, lower, upper, parameters, arguments, of) \
	CALL_WITH(name, parameters, arguments, NOTHING,                 \
		  rank_messages_collective(c);                          \
		  trace_collective_begun(UNPACKED of, *q))

#define COMM(name, lower, upper, parameters, arguments) \
	CALL_WITH(name, parameters, arguments, NOTHING, trace_made(c, *m))

#include "collectors/profilers/mpi/calls_list.h"

WRAPPER(Init, (int *argc, char ***argv))
{
	int rc = PMPI_Init(argc, argv);

	session_begin();
	return rc;
}

WRAPPER(Init_thread, (int *argc, char ***argv, int required, int *provided))
{
	int rc = PMPI_Init_thread(argc, argv, required, provided);

	session_begin();
	return rc;
}

WRAPPER(Finalize, (void))
{
	char *nodes = session_end();
	int rc = PMPI_Finalize();

	session_report(nodes);
	return rc;
}
