/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.h - from the wrapped calls to what is measured of them */
#ifndef COLLECTORS_PROFILERS_MPI_CALLS_H
#define COLLECTORS_PROFILERS_MPI_CALLS_H

#include <mpi.h>

void calls_enter(void);
void calls_leave(void);

/* A call sends that to the process `to` of `comm`. */
void calls_sent(int count, MPI_Datatype type, int to, MPI_Comm comm);

/* A call has taken a message of the process `from` of `comm`. */
void calls_received(int from, MPI_Comm comm);

#endif
