/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls_list.h - the MPI calls that are measured, one row each
 *
 * A row has the name of the call as C, Fortran and Fortran compilers that use
 * capitals know it, its parameters in C, and their names.  A Fortran call has
 * the same parameters, all by reference, and one more for the result.  Included
 * once for each language, which defines what becomes of a row:
 *
 * CALL          any other call
 * SEND          sends to one process; besides: count, type, rank, communicator
 * RECEIVE       returns with a message; s is its status, r its source, c its
 *               communicator
 * SEND_RECEIVE  both; r2 is the source
 */

SEND(Send, send, SEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Ssend, ssend, SSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Rsend, rsend, RSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Bsend, bsend, BSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, c))
SEND(Isend, isend, ISEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND(Issend, issend, ISSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND(Irsend, irsend, IRSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND(Ibsend, ibsend, IBSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, c))
SEND_RECEIVE(Sendrecv, sendrecv, SENDRECV,
	     (const void *b, int n, MPI_Datatype t, int r, int g, void *b2,
	      int n2, MPI_Datatype t2, int r2, int g2, MPI_Comm c,
	      MPI_Status *s),
	     (b, n, t, r, g, b2, n2, t2, r2, g2, c, s), (n, t, r, c))
SEND_RECEIVE(Sendrecv_replace, sendrecv_replace, SENDRECV_REPLACE,
	     (void *b, int n, MPI_Datatype t, int r, int g, int r2, int g2,
	      MPI_Comm c, MPI_Status *s),
	     (b, n, t, r, g, r2, g2, c, s), (n, t, r, c))
RECEIVE(Recv, recv, RECV,
	(void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
	 MPI_Status *s),
	(b, n, t, r, g, c, s))
CALL(Irecv, irecv, IRECV,
     (void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request *q),
     (b, n, t, r, g, c, q))
CALL(Probe, probe, PROBE, (int r, int g, MPI_Comm c, MPI_Status *s),
     (r, g, c, s))
CALL(Iprobe, iprobe, IPROBE, (int r, int g, MPI_Comm c, int *f, MPI_Status *s),
     (r, g, c, f, s))
CALL(Mprobe, mprobe, MPROBE,
     (int r, int g, MPI_Comm c, MPI_Message *m, MPI_Status *s), (r, g, c, m, s))
CALL(Wait, wait, WAIT, (MPI_Request * q, MPI_Status *s), (q, s))
CALL(Waitall, waitall, WAITALL, (int n, MPI_Request q[], MPI_Status s[]),
     (n, q, s))
CALL(Waitany, waitany, WAITANY, (int n, MPI_Request q[], int *i, MPI_Status *s),
     (n, q, i, s))
CALL(Waitsome, waitsome, WAITSOME,
     (int n, MPI_Request q[], int *m, int i[], MPI_Status s[]), (n, q, m, i, s))
CALL(Test, test, TEST, (MPI_Request * q, int *f, MPI_Status *s), (q, f, s))
CALL(Testall, testall, TESTALL,
     (int n, MPI_Request q[], int *f, MPI_Status s[]), (n, q, f, s))
CALL(Testany, testany, TESTANY,
     (int n, MPI_Request q[], int *i, int *f, MPI_Status *s), (n, q, i, f, s))
CALL(Testsome, testsome, TESTSOME,
     (int n, MPI_Request q[], int *m, int i[], MPI_Status s[]), (n, q, m, i, s))
CALL(Start, start, START, (MPI_Request * q), (q))
CALL(Startall, startall, STARTALL, (int n, MPI_Request q[]), (n, q))
CALL(Barrier, barrier, BARRIER, (MPI_Comm c), (c))
CALL(Ibarrier, ibarrier, IBARRIER, (MPI_Comm c, MPI_Request *q), (c, q))
CALL(Bcast, bcast, BCAST, (void *b, int n, MPI_Datatype t, int r, MPI_Comm c),
     (b, n, t, r, c))
CALL(Ibcast, ibcast, IBCAST,
     (void *b, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, r, c, q))
CALL(Gather, gather, GATHER,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c),
     (b, n, t, b2, n2, t2, r, c))
CALL(Igather, igather, IGATHER,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, r, c, q))
CALL(Gatherv, gatherv, GATHERV,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, int r, MPI_Comm c),
     (b, n, t, b2, n2, d2, t2, r, c))
CALL(Igatherv, igatherv, IGATHERV,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, d2, t2, r, c, q))
CALL(Scatter, scatter, SCATTER,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c),
     (b, n, t, b2, n2, t2, r, c))
CALL(Iscatter, iscatter, ISCATTER,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      int r, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, r, c, q))
CALL(Scatterv, scatterv, SCATTERV,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      int n2, MPI_Datatype t2, int r, MPI_Comm c),
     (b, n, d, t, b2, n2, t2, r, c))
CALL(Iscatterv, iscatterv, ISCATTERV,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      int n2, MPI_Datatype t2, int r, MPI_Comm c, MPI_Request *q),
     (b, n, d, t, b2, n2, t2, r, c, q))
CALL(Allgather, allgather, ALLGATHER,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c),
     (b, n, t, b2, n2, t2, c))
CALL(Iallgather, iallgather, IALLGATHER,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, c, q))
CALL(Allgatherv, allgatherv, ALLGATHERV,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, MPI_Comm c),
     (b, n, t, b2, n2, d2, t2, c))
CALL(Iallgatherv, iallgatherv, IALLGATHERV,
     (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
      const int d2[], MPI_Datatype t2, MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, d2, t2, c, q))
CALL(Alltoall, alltoall, ALLTOALL,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c),
     (b, n, t, b2, n2, t2, c))
CALL(Ialltoall, ialltoall, IALLTOALL,
     (const void *b, int n, MPI_Datatype t, void *b2, int n2, MPI_Datatype t2,
      MPI_Comm c, MPI_Request *q),
     (b, n, t, b2, n2, t2, c, q))
CALL(Alltoallv, alltoallv, ALLTOALLV,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      const int n2[], const int d2[], MPI_Datatype t2, MPI_Comm c),
     (b, n, d, t, b2, n2, d2, t2, c))
CALL(Ialltoallv, ialltoallv, IALLTOALLV,
     (const void *b, const int n[], const int d[], MPI_Datatype t, void *b2,
      const int n2[], const int d2[], MPI_Datatype t2, MPI_Comm c,
      MPI_Request *q),
     (b, n, d, t, b2, n2, d2, t2, c, q))
CALL(Reduce, reduce, REDUCE,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, int r,
      MPI_Comm c),
     (b, b2, n, t, o, r, c))
CALL(Ireduce, ireduce, IREDUCE,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, int r,
      MPI_Comm c, MPI_Request *q),
     (b, b2, n, t, o, r, c, q))
CALL(Allreduce, allreduce, ALLREDUCE,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Iallreduce, iallreduce, IALLREDUCE,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Reduce_scatter, reduce_scatter, REDUCE_SCATTER,
     (const void *b, void *b2, const int n[], MPI_Datatype t, MPI_Op o,
      MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Ireduce_scatter, ireduce_scatter, IREDUCE_SCATTER,
     (const void *b, void *b2, const int n[], MPI_Datatype t, MPI_Op o,
      MPI_Comm c, MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Ireduce_scatter_block, ireduce_scatter_block, IREDUCE_SCATTER_BLOCK,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Scan, scan, SCAN,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Iscan, iscan, ISCAN,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Exscan, exscan, EXSCAN,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (b, b2, n, t, o, c))
CALL(Iexscan, iexscan, IEXSCAN,
     (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,
      MPI_Request *q),
     (b, b2, n, t, o, c, q))
CALL(Comm_dup, comm_dup, COMM_DUP, (MPI_Comm c, MPI_Comm *m), (c, m))
CALL(Comm_split, comm_split, COMM_SPLIT,
     (MPI_Comm c, int k, int i, MPI_Comm *m), (c, k, i, m))
CALL(Comm_create, comm_create, COMM_CREATE,
     (MPI_Comm c, MPI_Group g, MPI_Comm *m), (c, g, m))
CALL(Comm_free, comm_free, COMM_FREE, (MPI_Comm * m), (m))
