/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c - wrappers of MPI's C functions, which C++ programs use as well */
#include <mpi.h>

#include "collectors/profilers/mpi/session.h"

#define WRAPPER(name, parameters) \
	__attribute__((visibility("default"))) int MPI_##name parameters

#define CALL(name, lower, upper, parameters, arguments) \
	WRAPPER(name, parameters)                       \
	{                                               \
		session_enter();                        \
		int rc = PMPI_##name arguments;         \
		session_leave();                        \
		return rc;                              \
	}

#define SEND(name, lower, upper, parameters, arguments, sent) \
	WRAPPER(name, parameters)                             \
	{                                                     \
		session_enter();                              \
		session_sent sent;                            \
		int rc = PMPI_##name arguments;               \
		session_leave();                              \
		return rc;                                    \
	}

/* The caller may pass no status. */
#define RECEIVE_WITH(name, parameters, arguments, before)         \
	WRAPPER(name, parameters)                                 \
	{                                                         \
		MPI_Status own = { .MPI_SOURCE = MPI_PROC_NULL }; \
                                                                  \
		s = s == MPI_STATUS_IGNORE ? &own : s;            \
		session_enter();                                  \
		before;                                           \
		int rc = PMPI_##name arguments;                   \
		if (rc == MPI_SUCCESS)                            \
			session_received(s->MPI_SOURCE, c);       \
		session_leave();                                  \
		return rc;                                        \
	}

#define RECEIVE(name, lower, upper, parameters, arguments) \
	RECEIVE_WITH(name, parameters, arguments, session_asked(r))

#define SEND_RECEIVE(name, lower, upper, parameters, arguments, sent) \
	RECEIVE_WITH(name, parameters, arguments, session_sent sent)

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
