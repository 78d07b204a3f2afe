/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fortran_calls.c - wrappers of MPI's Fortran procedures
 *
 * Open MPI's Fortran calls PMPI, so the wrappers of the C functions never see
 * it; that of others calls MPI, and the inner call is not counted again
 * (session.c).
 *
 * mpif.h and `use mpi` call mpi_send_, or another spelling of that, which
 * depends on the compiler; `use mpi_f08` calls mpi_send_f08_, or
 * mpi_send_f08ts_ where buffers are array descriptors.  All parameters are
 * pointers in all of these, so a wrapper forwards them to the next procedure of
 * its own name, without knowing more.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include "collectors/profilers/mpi/session.h"

/* Data that may be missing when this library is loaded. */
#pragma weak MPI_F_STATUS_IGNORE

/* The procedure that our wrapper hides, also where MPI was loaded for one
 * library only, which RTLD_NEXT does not search. */
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

static void count_sent(const MPI_Fint *count, const MPI_Fint *type,
		       const MPI_Fint *to, const MPI_Fint *comm)
{
	session_sent((int)*count, PMPI_Type_f2c(*type), (int)*to,
		     PMPI_Comm_f2c(*comm));
}

static void count_received(const MPI_Fint *from, const MPI_Fint *comm,
			   const MPI_Fint *status, const MPI_Fint *error)
{
	MPI_Status s = { .MPI_SOURCE = (int)*from };

	if (error && *error != MPI_SUCCESS)
		return;
	if (*from == MPI_ANY_SOURCE) {
		if (!&MPI_F_STATUS_IGNORE || status == MPI_F_STATUS_IGNORE)
			return;
		PMPI_Status_f2c(status, &s);
	}
	session_asked((int)*from);
	session_received(s.MPI_SOURCE, PMPI_Comm_f2c(*comm));
}

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

#define MEASURED(lower, upper, arguments, sent, received)                \
	PROCEDURES(lower, upper, (POINTERS arguments, MPI_Fint * error), \
		   (UNPACKED arguments, error), (session_enter(), sent), \
		   (received, session_leave()))

#define NOTHING (void)0

#define CALL(name, lower, upper, parameters, arguments) \
	MEASURED(lower, upper, arguments, NOTHING, NOTHING)
#define SEND(name, lower, upper, parameters, arguments, sent) \
	MEASURED(lower, upper, arguments, count_sent sent, NOTHING)
#define RECEIVE(name, lower, upper, parameters, arguments) \
	MEASURED(lower, upper, arguments, NOTHING,         \
		 count_received(r, c, s, error))
#define SEND_RECEIVE(name, lower, upper, parameters, arguments, sent) \
	MEASURED(lower, upper, arguments, count_sent sent,            \
		 count_received(r2, c, s, error))

#include "collectors/profilers/mpi/calls_list.h"

PROCEDURES(init, INIT, (MPI_Fint * error), (error), NOTHING, session_begin())
PROCEDURES(init_thread, INIT_THREAD,
	   (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error),
	   (required, provided, error), NOTHING, session_begin())
PROCEDURES(finalize, FINALIZE, (MPI_Fint * error), (error),
	   char *nodes = session_end(), session_report(nodes))
