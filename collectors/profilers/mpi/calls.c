/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c - MPI's calls that take time, each measured and passed on
 *
 * One row a call: its name, its parameters, their names.  Of those that send
 * from one process to one other it is said besides what is sent where, of those
 * that return with a message from whom it is.
 */
#include <mpi.h>

#include "collectors/profilers/mpi/calls.h"

#define CALL(name, parameters, arguments)                                \
	__attribute__((visibility("default"))) int MPI_##name parameters \
	{                                                                \
		calls_enter();                                           \
		int rc = PMPI_##name arguments;                          \
		calls_leave();                                           \
		return rc;                                               \
	}

#define SEND(name, parameters, arguments, sent)                          \
	__attribute__((visibility("default"))) int MPI_##name parameters \
	{                                                                \
		calls_enter();                                           \
		calls_sent sent;                                         \
		int rc = PMPI_##name arguments;                          \
		calls_leave();                                           \
		return rc;                                               \
	}

/* `s` is the status, which the caller need not want. */
#define RECEIVE(name, parameters, arguments)                             \
	__attribute__((visibility("default"))) int MPI_##name parameters \
	{                                                                \
		MPI_Status own = { .MPI_SOURCE = MPI_PROC_NULL };        \
                                                                         \
		s = s == MPI_STATUS_IGNORE ? &own : s;                   \
		calls_enter();                                           \
		int rc = PMPI_##name arguments;                          \
		if (rc == MPI_SUCCESS)                                   \
			calls_received(s->MPI_SOURCE, c);                \
		calls_leave();                                           \
		return rc;                                               \
	}

#define SEND_RECEIVE(name, parameters, arguments, sent)                  \
	__attribute__((visibility("default"))) int MPI_##name parameters \
	{                                                                \
		MPI_Status own = { .MPI_SOURCE = MPI_PROC_NULL };        \
                                                                         \
		s = s == MPI_STATUS_IGNORE ? &own : s;                   \
		calls_enter();                                           \
		calls_sent sent;                                         \
		int rc = PMPI_##name arguments;                          \
		if (rc == MPI_SUCCESS)                                   \
			calls_received(s->MPI_SOURCE, c);                \
		calls_leave();                                           \
		return rc;                                               \
	}

SEND(Send, (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Ssend, (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Rsend, (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Bsend, (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Isend,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND(Issend,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND(Irsend,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND(Ibsend,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND_RECEIVE(Sendrecv,
	     (const void *b, int n, MPI_Datatype t, int r, int g, void *b2,
	      int n2, MPI_Datatype t2, int r2, int g2, MPI_Comm c,
	      MPI_Status *s),
	     (b, n, t, r, g, b2, n2, t2, r2, g2, c, s), (n, t, r, c))
SEND_RECEIVE(Sendrecv_replace,
	     (void *b, int n, MPI_Datatype t, int r, int g, int r2, int g2,
	      MPI_Comm c, MPI_Status *s),
	     (b, n, t, r, g, r2, g2, c, s), (n, t, r, c))
RECEIVE(Recv,
	(void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
	 MPI_Status *s),
	(b, n, t, r, g, c, s))
CALL(Irecv,
     (void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request *q),
     (b, n, t, r, g, c, q))
CALL(Probe, (int r, int g, MPI_Comm c, MPI_Status *s), (r, g, c, s))
CALL(Iprobe, (int r, int g, MPI_Comm c, int *f, MPI_Status *s), (r, g, c, f, s))
CALL(Mprobe, (int r, int g, MPI_Comm c, MPI_Message *m, MPI_Status *s),
     (r, g, c, m, s))
CALL(Wait, (MPI_Request * q, MPI_Status *s), (q, s))
CALL(Waitall, (int n, MPI_Request q[], MPI_Status s[]), (n, q, s))
CALL(Waitany, (int n, MPI_Request q[], int *i, MPI_Status *s), (n, q, i, s))
CALL(Waitsome, (int n, MPI_Request q[], int *m, int i[], MPI_Status s[]),
     (n, q, m, i, s))
CALL(Test, (MPI_Request * q, int *f, MPI_Status *s), (q, f, s))
CALL(Testall, (int n, MPI_Request q[], int *f, MPI_Status s[]), (n, q, f, s))
CALL(Testany, (int n, MPI_Request q[], int *i, int *f, MPI_Status *s),
     (n, q, i, f, s))
CALL(Testsome, (int n, MPI_Request q[], int *m, int i[], MPI_Status s[]),
     (n, q, m, i, s))
CALL(Start, (MPI_Request * q), (q))
CALL(Startall, (int n, MPI_Request q[]), (n, q))
CALL(Barrier, (MPI_Comm c), (c))
CALL(Ibarrier, (MPI_Comm c, MPI_Request *q), (c, q))
CALL(Bcast, (void *b, int n, MPI_Datatype t, int r, MPI_Comm c),
     (b, n, t, r, c))
CALL(Ibcast,
     (void *b, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, r, c, q))
CALL(Gather,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c),
     (b, n, t, b2, n2, t2, r, c))
CALL(Igather,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, r, c, q))
CALL(Gatherv,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, int r, MPI_Comm c),
     (b, n, t, b2, n2, d2, t2, r, c))
CALL(Igatherv,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, d2, t2, r, c, q))
CALL(Scatter,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c),
     (b, n, t, b2, n2, t2, r, c))
CALL(Iscatter,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, r, c, q))
CALL(Scatterv,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      int n2, MPI_Datatype t2, int r, MPI_Comm c),
     (b, n, d, t, b2, n2, t2, r, c))
CALL(Iscatterv,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      int n2, MPI_Datatype t2, int r, MPI_Comm c, MPI_Request *q),
     (b, n, d, t, b2, n2, t2, r, c, q))
CALL(Allgather,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c),
     (b, n, t, b2, n2, t2, c))
CALL(Iallgather,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, c, q))
CALL(Allgatherv,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, MPI_Comm c),
     (b, n, t, b2, n2, d2, t2, c))
CALL(Iallgatherv,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, d2, t2, c, q))
CALL(Alltoall,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c),
     (b, n, t, b2, n2, t2, c))
CALL(Ialltoall,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, c, q))
CALL(Alltoallv,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      const int n2[], const int d2[], MPI_Datatype t2, MPI_Comm c),
     (b, n, d, t, b2, n2, d2, t2, c))
CALL(Ialltoallv,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      const int n2[], const int d2[], MPI_Datatype t2, MPI_Comm c,
      MPI_Request *q),
     (b, n, d, t, b2, n2, d2, t2, c, q))
CALL(Reduce,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, int r,
      MPI_Comm c),
     (b, b2, n, t, o, r, c))
CALL(Ireduce,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, int r,
      MPI_Comm c, MPI_Request *q),
     (b, b2, n, t, o, r, c, q))
CALL(Allreduce,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Iallreduce,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Reduce_scatter,
     (const void *b, void *b2, const int n[], MPI_Datatype t, MPI_Op o,
      MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Ireduce_scatter,
     (const void *b, void *b2, const int n[], MPI_Datatype t, MPI_Op o,
      MPI_Comm c, MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Reduce_scatter_block,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Ireduce_scatter_block,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Scan,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Iscan,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Exscan,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Iexscan,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Comm_dup, (MPI_Comm c, MPI_Comm *m), (c, m))
CALL(Comm_split, (MPI_Comm c, int k, int i, MPI_Comm *m), (c, k, i, m))
CALL(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm *m), (c, g, m))
CALL(Comm_free, (MPI_Comm * m), (m))
