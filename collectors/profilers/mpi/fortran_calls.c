/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fortran_calls.c - wrappers of MPI's Fortran procedures
 *
 * Open MPI's Fortran calls PMPI, so the wrappers of the C functions never see
 * it; that of others calls MPI, and the inner call is not counted again
 * (current_call.c).
 *
 * mpif.h and `use mpi` call mpi_send_, or another spelling of that, which
 * depends on the compiler; `use mpi_f08` calls mpi_send_f08_, or
 * mpi_send_f08ts_ where buffers are array descriptors.  All parameters are
 * pointers in all of these, so a wrapper forwards them to the next procedure of
 * its own name, without knowing more.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include "collectors/profilers/mpi/count/rank_messages.h"
#include "collectors/profilers/mpi/count/receives.h"
#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/session.h"
#include "collectors/profilers/mpi/trace/trace.h"
#include "collectors/profilers/mpi/trace/trace_requests.h"
#include "collectors/profilers/mpi/weak_symbols.h"

/* Words of a status in Fortran, and of type(MPI_Status). */
#ifdef MPI_F_STATUS_SIZE
#define STATUS_WORDS MPI_F_STATUS_SIZE
#else
#define STATUS_WORDS ((int)(sizeof(MPI_Status) / sizeof(MPI_Fint)))
#endif

/* Return the procedure that our wrapper hides, also where MPI was loaded for
 * one library only, which RTLD_NEXT does not search. */
static void *find_next(const char *name, const void *wrapper)
{
	void *next = dlsym(RTLD_NEXT, name), *program;
	struct link_map *map = NULL;

	program = next ? NULL : dlopen(NULL, RTLD_LAZY);
	if (program)
		dlinfo(program, RTLD_DI_LINKMAP, &map);
	for (; map && !next; map = map->l_next) {
		void *object = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);

		next = object ? dlsym(object, name) : NULL;
		next = next == wrapper ? NULL : next;
	}
	if (!next) {
		fprintf(stderr, "libpredict_mpi.so: no %s to call\n", name);
		abort();
	}
	return next;
}

/* --- Values of parameters, which are all references ----------------------- */

#define IN(parameter)  ((int)*(const MPI_Fint *)(parameter))
#define OUT(parameter) IN(parameter)

static MPI_Comm comm_of(const void *comm)
{
	return PMPI_Comm_f2c(*(const MPI_Fint *)comm);
}

static MPI_Datatype type_of(const void *type)
{
	return PMPI_Type_f2c(*(const MPI_Fint *)type);
}

static MPI_Request request_of(const void *request)
{
	return PMPI_Request_f2c(*(const MPI_Fint *)request);
}

/* No result is wanted where there was no error. */
static bool succeeded(const MPI_Fint *error)
{
	return !error || *error == MPI_SUCCESS;
}

static void check_success(const MPI_Fint *error)
{
	if (!succeeded(error))
		trace_unknown();
}

/* --- Messages ------------------------------------------------------------- */

static void record_sent(bool blocks, const void *count, const void *type,
			const void *to, const void *tag, const void *comm,
			const MPI_Fint *error)
{
	if (!succeeded(error))
		return;
	rank_messages_sent(IN(count), type_of(type), IN(to), comm_of(comm));
	trace_sent(IN(count), type_of(type), IN(to), IN(tag), comm_of(comm),
		   blocks);
}

static bool is_status(const void *status)
{
	return &MPI_F_STATUS_IGNORE && status != MPI_F_STATUS_IGNORE;
}

/* A status for a message from any source, which the caller may not want. */
static void *wanted_status(void *status)
{
	static _Thread_local MPI_Fint own[STATUS_WORDS];

	return is_status(status) || !&MPI_F_STATUS_IGNORE ? status : own;
}

static void count_received(const void *from, const void *comm,
			   const void *status, const MPI_Fint *error)
{
	MPI_Status s = { .MPI_SOURCE = IN(from) };

	if (!succeeded(error))
		return;
	if (is_status(status))
		PMPI_Status_f2c(status, &s);
	else if (IN(from) == MPI_ANY_SOURCE)
		return;
	rank_messages_asked(IN(from));
	rank_messages_received(s.MPI_SOURCE, comm_of(comm));
	if (is_status(status))
		trace_received(IN(from), comm_of(comm), &s);
}

/* --- Requests ------------------------------------------------------------- */

static void record_asked(const void *from, const void *comm,
			 const void *request, bool persistent,
			 const MPI_Fint *error)
{
	if (!current_call_is_measured() || !succeeded(error))
		return;
	receives_asked(IN(from), comm_of(comm), request_of(request),
		       persistent);
	if (trace_is_on())
		trace_asked(IN(from), comm_of(comm), request_of(request),
			    persistent);
}

static void record_send_made(const void *count, const void *type,
			     const void *to, const void *tag, const void *comm,
			     const void *request, const MPI_Fint *error)
{
	if (trace_is_on() && succeeded(error))
		trace_send_made(IN(count), type_of(type), IN(to), IN(tag),
				comm_of(comm), request_of(request));
}

static bool requests_matter(void)
{
	return receives_are_pending() || trace_is_on();
}

static void begin_waiting(int count, const MPI_Request requests[])
{
	receives_waits(count, requests);
	trace_waits(count, requests);
}

static void begin_again(int count, const MPI_Request requests[])
{
	receives_started(count, requests);
	trace_started(count, requests);
}

/* What `use` gets of requests; does nothing without memory. */
static void with_requests(int count, const void *requests,
			  void (*use)(int count, const MPI_Request requests[]))
{
	const MPI_Fint *handle = requests;
	MPI_Request *list;

	if (count <= 0 || !requests_matter())
		return;
	list = malloc((size_t)count * sizeof(*list));
	if (!list) {
		trace_unknown();
		return;
	}
	for (int i = 0; i < count; i++)
		list[i] = PMPI_Request_f2c(handle[i]);
	use(count, list);
	free(list);
}

static void record_started(int count, const void *requests,
			   const MPI_Fint *error)
{
	if (succeeded(error))
		with_requests(count, requests, begin_again);
}

static void record_freed(const void *request)
{
	if (!requests_matter())
		return;
	receives_freed(request_of(request));
	trace_freed(request_of(request));
}

/* Statuses for such a call: the program's own, or ours. */
static void *wanted_statuses(void *statuses, int count)
{
	static _Thread_local MPI_Fint *own;
	static _Thread_local int own_count;

	if (!&MPI_F_STATUSES_IGNORE || statuses != MPI_F_STATUSES_IGNORE ||
	    count <= 0 || !trace_is_on())
		return statuses;
	if (count > own_count) {
		MPI_Fint *room = realloc(own, (size_t)count * STATUS_WORDS *
						      sizeof(*room));

		if (!room) {
			trace_unknown();
			return statuses;
		}
		own = room;
		own_count = count;
	}
	return own;
}

/* The source of the first of `count` statuses, if these are wanted. */
static int source_of(const void *statuses, int count)
{
	MPI_Status first;

	if (count <= 0 || !is_status(statuses) || !&MPI_F_STATUSES_IGNORE ||
	    statuses == MPI_F_STATUSES_IGNORE)
		return MPI_ANY_SOURCE;
	PMPI_Status_f2c(statuses, &first);
	return first.MPI_SOURCE;
}

/* Positions are read as those of C; of a Fortran with other integers
 * none are. */
static void count_completed(int count, const void *which, const void *statuses)
{
	const int *indices = _Generic((MPI_Fint)0, int : which, default : NULL);

	if (receives_are_pending() && (indices || !which))
		receives_completed(count, indices, 1,
				   source_of(statuses, count));
}

/* Positions in Fortran begin with 1. */
static void record_completed(int count, const void *which, const void *statuses,
			     const MPI_Fint *error)
{
	const MPI_Fint *words = statuses;

	if (!succeeded(error))
		return;
	count_completed(count, which, statuses);
	if (!trace_is_on())
		return;
	for (int i = 0; i < count; i++) {
		int index = which ? (int)((const MPI_Fint *)which)[i] - 1 : i;
		MPI_Status status;

		PMPI_Status_f2c(words + (size_t)i * STATUS_WORDS, &status);
		trace_completed(1, &index, &status);
	}
}

/* --- Collectives ---------------------------------------------------------- */

/* Counts are read as those of C; of a Fortran with other integers none are. */
static enum trace_size readable(enum trace_size size)
{
	return _Generic((MPI_Fint)0, int : size, default : TRACE_UNSIZED);
}

/* No type: nothing is known of sizes. */
static void record_collective(enum trace_size size, const void *counts,
			      const void *type, const void *comm,
			      const MPI_Fint *error)
{
	if (succeeded(error))
		rank_messages_collective(comm_of(comm));
	if (trace_is_on() && succeeded(error))
		trace_collective(readable(size), counts,
				 type ? type_of(type) : MPI_DATATYPE_NULL,
				 comm_of(comm));
}

static void record_begun(enum trace_size size, const void *counts,
			 const void *type, const void *comm,
			 const void *request, const MPI_Fint *error)
{
	if (succeeded(error))
		rank_messages_collective(comm_of(comm));
	if (trace_is_on() && succeeded(error))
		trace_collective_begun(readable(size), counts,
				       type ? type_of(type) : MPI_DATATYPE_NULL,
				       comm_of(comm), request_of(request));
}

static void record_made(const void *comm, const void *made,
			const MPI_Fint *error)
{
	if (trace_is_on() && succeeded(error))
		trace_made(comm_of(comm), comm_of(made));
}

/* --- Wrappers ------------------------------------------------------------- */

/* (a, b) to "void *a, void *b" */
#define POINTERS_1(a)       void *a
#define POINTERS_2(a, ...)  void *a, POINTERS_1(__VA_ARGS__)
#define POINTERS_3(a, ...)  void *a, POINTERS_2(__VA_ARGS__)
#define POINTERS_4(a, ...)  void *a, POINTERS_3(__VA_ARGS__)
#define POINTERS_5(a, ...)  void *a, POINTERS_4(__VA_ARGS__)
#define POINTERS_6(a, ...)  void *a, POINTERS_5(__VA_ARGS__)
#define POINTERS_7(a, ...)  void *a, POINTERS_6(__VA_ARGS__)
#define POINTERS_8(a, ...)  void *a, POINTERS_7(__VA_ARGS__)
#define POINTERS_9(a, ...)  void *a, POINTERS_8(__VA_ARGS__)
#define POINTERS_10(a, ...) void *a, POINTERS_9(__VA_ARGS__)
#define POINTERS_11(a, ...) void *a, POINTERS_10(__VA_ARGS__)
#define POINTERS_12(a, ...) void *a, POINTERS_11(__VA_ARGS__)

#define TWELFTH_AFTER(a, b, c, d, e, f, g, h, i, j, k, l, m, ...) m
#define POINTERS(...)                                                     \
	TWELFTH_AFTER(__VA_ARGS__, POINTERS_12, POINTERS_11, POINTERS_10, \
		      POINTERS_9, POINTERS_8, POINTERS_7, POINTERS_6,     \
		      POINTERS_5, POINTERS_4, POINTERS_3, POINTERS_2,     \
		      POINTERS_1, )                                       \
	(__VA_ARGS__)
#define UNPACKED(...) __VA_ARGS__

/* The procedure `symbol`, with `begin` and `end` around the one that it hides.
 * A Fortran subroutine returns nothing; a C function of that name, in a program
 * that does not use MPI, may. */
#define PROCEDURE(symbol, parameters, arguments, begin, end)                \
	__attribute__((visibility("default"))) uintptr_t symbol parameters; \
	uintptr_t symbol parameters                                         \
	{                                                                   \
		static uintptr_t(*next) parameters;                         \
                                                                            \
		if (!next)                                                  \
			next = (uintptr_t(*) parameters)find_next(          \
				#symbol, (const void *)symbol);             \
		begin;                                                      \
		uintptr_t result = next arguments;                          \
		end;                                                        \
		return result;                                              \
	}

/* In each spelling that a compiler uses. */
#define PROCEDURES(lower, upper, ...)              \
	PROCEDURE(mpi_##lower, __VA_ARGS__)        \
	PROCEDURE(mpi_##lower##_, __VA_ARGS__)     \
	PROCEDURE(mpi_##lower##__, __VA_ARGS__)    \
	PROCEDURE(MPI_##upper, __VA_ARGS__)        \
	PROCEDURE(mpi_##lower##_f08_, __VA_ARGS__) \
	PROCEDURE(mpi_##lower##_f08ts_, __VA_ARGS__)

#define MEASURED(lower, upper, arguments, sent, received)                     \
	PROCEDURES(lower, upper, (POINTERS arguments, MPI_Fint * error),      \
		   (UNPACKED arguments, error), (current_call_enter(), sent), \
		   (received, check_success(error), current_call_leave()))

#define NOTHING (void)0

#define CALL(name, lower, upper, parameters, arguments) \
	MEASURED(lower, upper, arguments, NOTHING, NOTHING)
#define UNKNOWN(name, lower, upper, parameters, arguments) \
	MEASURED(lower, upper, arguments, NOTHING, trace_unknown())
#define MATCH(name, lower, upper, parameters, arguments, found) \
	MEASURED(lower, upper, arguments, NOTHING, trace_unknown())
#define MATCHED UNKNOWN
#define SEND(name, lower, upper, parameters, arguments, sent, blocks) \
	MEASURED(lower, upper, arguments, NOTHING,                    \
		 record_sent(blocks, UNPACKED sent, error))
#define RECEIVE(name, lower, upper, parameters, arguments)      \
	MEASURED(lower, upper, arguments, s = wanted_status(s), \
		 count_received(r, c, s, error))
#define SEND_RECEIVE(name, lower, upper, parameters, arguments, sent) \
	MEASURED(lower, upper, arguments, s = wanted_status(s),       \
		 (record_sent(false, UNPACKED sent, error),           \
		  count_received(r2, c, s, error)))
#define ASK(name, lower, upper, parameters, arguments, persistent) \
	MEASURED(lower, upper, arguments, NOTHING,                 \
		 record_asked(r, c, q, persistent, error))
#define SEND_MADE(name, lower, upper, parameters, arguments) \
	MEASURED(lower, upper, arguments, NOTHING,           \
		 record_send_made(n, t, r, g, c, q, error))
#define START(name, lower, upper, parameters, arguments, count) \
	MEASURED(lower, upper, arguments, NOTHING,              \
		 record_started(count, q, error))
#define FREE(name, lower, upper, parameters, arguments) \
	MEASURED(lower, upper, arguments, record_freed(q), NOTHING)
#define WAIT(name, lower, upper, parameters, arguments, count, done, which) \
	MEASURED(lower, upper, arguments,                                   \
		 (with_requests(count, q, begin_waiting),                   \
		  s = wanted_status(s)),                                    \
		 record_completed((done) ? 1 : 0, which, s, error))
#define WAITS(name, lower, upper, parameters, arguments, count, done, which) \
	MEASURED(lower, upper, arguments,                                    \
		 (with_requests(count, q, begin_waiting),                    \
		  s = wanted_statuses(s, count)),                            \
		 record_completed(done, which, s, error))
#define COUNT(parameter) parameter
#define NO_SIZE          TRACE_UNSIZED, NULL, NULL
#define COLLECTIVE(name, lower, upper, parameters, arguments, of) \
	MEASURED(lower, upper, arguments, NOTHING,                \
		 record_collective(UNPACKED of, error))
#define COLLECTIVE_BEGIN(name, lower, upper, parameters, arguments, of) \
	MEASURED(lower, upper, arguments, NOTHING,                      \
		 record_begun(UNPACKED of, q, error))
#define COMM(name, lower, upper, parameters, arguments) \
	MEASURED(lower, upper, arguments, NOTHING, record_made(c, m, error))

#include "collectors/profilers/mpi/calls_list.h"

PROCEDURES(init, INIT, (MPI_Fint * error), (error), NOTHING, session_begin())
PROCEDURES(init_thread, INIT_THREAD,
	   (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error),
	   (required, provided, error), NOTHING, session_begin())
PROCEDURES(finalize, FINALIZE, (MPI_Fint * error), (error),
	   char *nodes = session_end(), session_report(nodes))
