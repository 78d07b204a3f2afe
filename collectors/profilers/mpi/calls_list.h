/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls_list.h - the MPI calls that are measured, one row each
 *
 * A row has the name of the call as C, Fortran and Fortran compilers that use
 * capitals know it, its parameters in C, and their names.  A Fortran call has
 * the same parameters, all by reference, and one more for the result.  Included
 * once for each language, which defines what becomes of a row:
 *
 * CALL              any other call
 * SEND              sends to one process; besides: count, type, rank, tag,
 *                   communicator; whether it returns when its buffer is free
 * RECEIVE           returns with a message; s is its status, r its source, c
 *                   its communicator
 * SEND_RECEIVE      both; r2 is the source
 * ASK               for a message, with request q; whether that is persistent
 * SEND_MADE         a persistent request q to send
 * START             starts count persistent requests q
 * FREE              frees request q
 * WAIT              may complete one of count requests q, with status s;
 *                   whether it did, and which (NULL: the first)
 * WAITS             the same of some, with statuses s; how many it did
 * COLLECTIVE        of all of a communicator; what counts say (trace.h), count
 *                   or counts, type where they are valid in all processes,
 *                   communicator
 * COLLECTIVE_BEGIN  the same with request q
 * COMM              makes communicator m of all or some of c
 * MATCH             may find a message m of r; whether it did
 * MATCHED           receives message m
 * UNKNOWN           what it begins is not recorded in a trace
 *
 * IN() and OUT() are the values of parameters, COUNT() is where a count is.
 */

SEND(Send, send, SEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, g, c), true)
SEND(Ssend, ssend, SSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, g, c), true)
SEND(Rsend, rsend, RSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, g, c), true)
SEND(Bsend, bsend, BSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c),
     (b, n, t, r, g, c), (n, t, r, g, c), false)
SEND(Isend, isend, ISEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, g, c), false)
SEND(Issend, issend, ISSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, g, c), false)
SEND(Irsend, irsend, IRSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, g, c), false)
SEND(Ibsend, ibsend, IBSEND,
     (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
      MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, g, c), false)
SEND_RECEIVE(Sendrecv, sendrecv, SENDRECV,
	     (const void *b, int n, MPI_Datatype t, int r, int g, void *b2,
	      int n2, MPI_Datatype t2, int r2, int g2, MPI_Comm c,
	      MPI_Status *s),
	     (b, n, t, r, g, b2, n2, t2, r2, g2, c, s), (n, t, r, g, c))
SEND_RECEIVE(Sendrecv_replace, sendrecv_replace, SENDRECV_REPLACE,
	     (void *b, int n, MPI_Datatype t, int r, int g, int r2, int g2,
	      MPI_Comm c, MPI_Status *s),
	     (b, n, t, r, g, r2, g2, c, s), (n, t, r, g, c))
RECEIVE(Recv, recv, RECV,
	(void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
	 MPI_Status *s),
	(b, n, t, r, g, c, s))
ASK(Irecv, irecv, IRECV,
    (void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request *q),
    (b, n, t, r, g, c, q), false)
CALL(Probe, probe, PROBE, (int r, int g, MPI_Comm c, MPI_Status *s),
     (r, g, c, s))
CALL(Iprobe, iprobe, IPROBE, (int r, int g, MPI_Comm c, int *f, MPI_Status *s),
     (r, g, c, f, s))
MATCH(Mprobe, mprobe, MPROBE,
      (int r, int g, MPI_Comm c, MPI_Message *m, MPI_Status *s),
      (r, g, c, m, s), true)
MATCH(Improbe, improbe, IMPROBE,
      (int r, int g, MPI_Comm c, int *f, MPI_Message *m, MPI_Status *s),
      (r, g, c, f, m, s), OUT(f))
MATCHED(Mrecv, mrecv, MRECV,
	(void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Status *s),
	(b, n, t, m, s))
UNKNOWN(Imrecv, imrecv, IMRECV,
	(void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Request *q),
	(b, n, t, m, q))
WAIT(Wait, wait, WAIT, (MPI_Request * q, MPI_Status *s), (q, s), 1, true, NULL)
WAIT(Waitany, waitany, WAITANY, (int n, MPI_Request q[], int *i, MPI_Status *s),
     (n, q, i, s), IN(n), OUT(i) != MPI_UNDEFINED, i)
WAIT(Test, test, TEST, (MPI_Request * q, int *f, MPI_Status *s), (q, f, s), 1,
     OUT(f), NULL)
WAIT(Testany, testany, TESTANY,
     (int n, MPI_Request q[], int *i, int *f, MPI_Status *s), (n, q, i, f, s),
     IN(n), OUT(f) && OUT(i) != MPI_UNDEFINED, i)
WAITS(Waitall, waitall, WAITALL, (int n, MPI_Request q[], MPI_Status s[]),
      (n, q, s), IN(n), IN(n), NULL)
WAITS(Waitsome, waitsome, WAITSOME,
      (int n, MPI_Request q[], int *m, int i[], MPI_Status s[]),
      (n, q, m, i, s), IN(n), OUT(m), i)
WAITS(Testall, testall, TESTALL,
      (int n, MPI_Request q[], int *f, MPI_Status s[]), (n, q, f, s), IN(n),
      OUT(f) ? IN(n) : 0, NULL)
WAITS(Testsome, testsome, TESTSOME,
      (int n, MPI_Request q[], int *m, int i[], MPI_Status s[]),
      (n, q, m, i, s), IN(n), OUT(m), i)
ASK(Recv_init, recv_init, RECV_INIT,
    (void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request *q),
    (b, n, t, r, g, c, q), true)
SEND_MADE(Send_init, send_init, SEND_INIT,
	  (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
	   MPI_Request *q),
	  (b, n, t, r, g, c, q))
SEND_MADE(Ssend_init, ssend_init, SSEND_INIT,
	  (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
	   MPI_Request *q),
	  (b, n, t, r, g, c, q))
SEND_MADE(Rsend_init, rsend_init, RSEND_INIT,
	  (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
	   MPI_Request *q),
	  (b, n, t, r, g, c, q))
SEND_MADE(Bsend_init, bsend_init, BSEND_INIT,
	  (const void *b, int n, MPI_Datatype t, int r, int g, MPI_Comm c,
	   MPI_Request *q),
	  (b, n, t, r, g, c, q))
START(Start, start, START, (MPI_Request * q), (q), 1)
START(Startall, startall, STARTALL, (int n, MPI_Request q[]), (n, q), IN(n))
FREE(Request_free, request_free, REQUEST_FREE, (MPI_Request * q), (q))
COLLECTIVE(Barrier, barrier, BARRIER, (MPI_Comm c), (c), (NO_SIZE, c))
COLLECTIVE_BEGIN(Ibarrier, ibarrier, IBARRIER, (MPI_Comm c, MPI_Request *q),
		 (c, q), (NO_SIZE, c))
COLLECTIVE(Bcast, bcast, BCAST,
	   (void *b, int n, MPI_Datatype t, int r, MPI_Comm c), (b, n, t, r, c),
	   (TRACE_ONE, COUNT(n), t, c))
COLLECTIVE_BEGIN(Ibcast, ibcast, IBCAST,
		 (void *b, int n, MPI_Datatype t, int r, MPI_Comm c,
		  MPI_Request *q),
		 (b, n, t, r, c, q), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVE(Gather, gather, GATHER,
	   (const void *b, int n, MPI_Datatype t, void *b2, int n2,
	    MPI_Datatype t2, int r, MPI_Comm c),
	   (b, n, t, b2, n2, t2, r, c), (NO_SIZE, c))
COLLECTIVE_BEGIN(Igather, igather, IGATHER,
		 (const void *b, int n, MPI_Datatype t, void *b2, int n2,
		  MPI_Datatype t2, int r, MPI_Comm c, MPI_Request *q),
		 (b, n, t, b2, n2, t2, r, c, q), (NO_SIZE, c))
COLLECTIVE(Gatherv, gatherv, GATHERV,
	   (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
	    const int d2[], MPI_Datatype t2, int r, MPI_Comm c),
	   (b, n, t, b2, n2, d2, t2, r, c), (NO_SIZE, c))
COLLECTIVE_BEGIN(Igatherv, igatherv, IGATHERV,
		 (const void *b, int n, MPI_Datatype t, void *b2,
		  const int n2[], const int d2[], MPI_Datatype t2, int r,
		  MPI_Comm c, MPI_Request *q),
		 (b, n, t, b2, n2, d2, t2, r, c, q), (NO_SIZE, c))
COLLECTIVE(Scatter, scatter, SCATTER,
	   (const void *b, int n, MPI_Datatype t, void *b2, int n2,
	    MPI_Datatype t2, int r, MPI_Comm c),
	   (b, n, t, b2, n2, t2, r, c), (NO_SIZE, c))
COLLECTIVE_BEGIN(Iscatter, iscatter, ISCATTER,
		 (const void *b, int n, MPI_Datatype t, void *b2, int n2,
		  MPI_Datatype t2, int r, MPI_Comm c, MPI_Request *q),
		 (b, n, t, b2, n2, t2, r, c, q), (NO_SIZE, c))
COLLECTIVE(Scatterv, scatterv, SCATTERV,
	   (const void *b, const int n[], const int d[], MPI_Datatype t,
	    void *b2, int n2, MPI_Datatype t2, int r, MPI_Comm c),
	   (b, n, d, t, b2, n2, t2, r, c), (NO_SIZE, c))
COLLECTIVE_BEGIN(Iscatterv, iscatterv, ISCATTERV,
		 (const void *b, const int n[], const int d[], MPI_Datatype t,
		  void *b2, int n2, MPI_Datatype t2, int r, MPI_Comm c,
		  MPI_Request *q),
		 (b, n, d, t, b2, n2, t2, r, c, q), (NO_SIZE, c))
COLLECTIVE(Allgather, allgather, ALLGATHER,
	   (const void *b, int n, MPI_Datatype t, void *b2, int n2,
	    MPI_Datatype t2, MPI_Comm c),
	   (b, n, t, b2, n2, t2, c), (TRACE_ALL, COUNT(n2), t2, c))
COLLECTIVE_BEGIN(Iallgather, iallgather, IALLGATHER,
		 (const void *b, int n, MPI_Datatype t, void *b2, int n2,
		  MPI_Datatype t2, MPI_Comm c, MPI_Request *q),
		 (b, n, t, b2, n2, t2, c, q), (TRACE_ALL, COUNT(n2), t2, c))
COLLECTIVE(Allgatherv, allgatherv, ALLGATHERV,
	   (const void *b, int n, MPI_Datatype t, void *b2, const int n2[],
	    const int d2[], MPI_Datatype t2, MPI_Comm c),
	   (b, n, t, b2, n2, d2, t2, c), (TRACE_SUM, n2, t2, c))
COLLECTIVE_BEGIN(Iallgatherv, iallgatherv, IALLGATHERV,
		 (const void *b, int n, MPI_Datatype t, void *b2,
		  const int n2[], const int d2[], MPI_Datatype t2, MPI_Comm c,
		  MPI_Request *q),
		 (b, n, t, b2, n2, d2, t2, c, q), (TRACE_SUM, n2, t2, c))
COLLECTIVE(Alltoall, alltoall, ALLTOALL,
	   (const void *b, int n, MPI_Datatype t, void *b2, int n2,
	    MPI_Datatype t2, MPI_Comm c),
	   (b, n, t, b2, n2, t2, c), (TRACE_EACH, COUNT(n2), t2, c))
COLLECTIVE_BEGIN(Ialltoall, ialltoall, IALLTOALL,
		 (const void *b, int n, MPI_Datatype t, void *b2, int n2,
		  MPI_Datatype t2, MPI_Comm c, MPI_Request *q),
		 (b, n, t, b2, n2, t2, c, q), (TRACE_EACH, COUNT(n2), t2, c))
COLLECTIVE(Alltoallv, alltoallv, ALLTOALLV,
	   (const void *b, const int n[], const int d[], MPI_Datatype t,
	    void *b2, const int n2[], const int d2[], MPI_Datatype t2,
	    MPI_Comm c),
	   (b, n, d, t, b2, n2, d2, t2, c), (TRACE_EACH_SUM, n2, t2, c))
COLLECTIVE_BEGIN(Ialltoallv, ialltoallv, IALLTOALLV,
		 (const void *b, const int n[], const int d[], MPI_Datatype t,
		  void *b2, const int n2[], const int d2[], MPI_Datatype t2,
		  MPI_Comm c, MPI_Request *q),
		 (b, n, d, t, b2, n2, d2, t2, c, q),
		 (TRACE_EACH_SUM, n2, t2, c))
COLLECTIVE(Reduce, reduce, REDUCE,
	   (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o, int r,
	    MPI_Comm c),
	   (b, b2, n, t, o, r, c), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVE_BEGIN(Ireduce, ireduce, IREDUCE,
		 (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
		  int r, MPI_Comm c, MPI_Request *q),
		 (b, b2, n, t, o, r, c, q), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVE(Allreduce, allreduce, ALLREDUCE,
	   (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
	    MPI_Comm c),
	   (b, b2, n, t, o, c), (TRACE_COMBINED, COUNT(n), t, c))
COLLECTIVE_BEGIN(Iallreduce, iallreduce, IALLREDUCE,
		 (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
		  MPI_Comm c, MPI_Request *q),
		 (b, b2, n, t, o, c, q), (TRACE_COMBINED, COUNT(n), t, c))
COLLECTIVE(Reduce_scatter, reduce_scatter, REDUCE_SCATTER,
	   (const void *b, void *b2, const int n[], MPI_Datatype t, MPI_Op o,
	    MPI_Comm c),
	   (b, b2, n, t, o, c), (TRACE_SUM, n, t, c))
COLLECTIVE_BEGIN(Ireduce_scatter, ireduce_scatter, IREDUCE_SCATTER,
		 (const void *b, void *b2, const int n[], MPI_Datatype t,
		  MPI_Op o, MPI_Comm c, MPI_Request *q),
		 (b, b2, n, t, o, c, q), (TRACE_SUM, n, t, c))
COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK,
	   (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
	    MPI_Comm c),
	   (b, b2, n, t, o, c), (TRACE_ALL, COUNT(n), t, c))
COLLECTIVE_BEGIN(Ireduce_scatter_block, ireduce_scatter_block,
		 IREDUCE_SCATTER_BLOCK,
		 (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
		  MPI_Comm c, MPI_Request *q),
		 (b, b2, n, t, o, c, q), (TRACE_ALL, COUNT(n), t, c))
COLLECTIVE(Scan, scan, SCAN,
	   (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
	    MPI_Comm c),
	   (b, b2, n, t, o, c), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVE_BEGIN(Iscan, iscan, ISCAN,
		 (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
		  MPI_Comm c, MPI_Request *q),
		 (b, b2, n, t, o, c, q), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVE(Exscan, exscan, EXSCAN,
	   (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
	    MPI_Comm c),
	   (b, b2, n, t, o, c), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVE_BEGIN(Iexscan, iexscan, IEXSCAN,
		 (const void *b, void *b2, int n, MPI_Datatype t, MPI_Op o,
		  MPI_Comm c, MPI_Request *q),
		 (b, b2, n, t, o, c, q), (TRACE_ONE, COUNT(n), t, c))
COMM(Comm_dup, comm_dup, COMM_DUP, (MPI_Comm c, MPI_Comm *m), (c, m))
COMM(Comm_split, comm_split, COMM_SPLIT,
     (MPI_Comm c, int k, int i, MPI_Comm *m), (c, k, i, m))
COMM(Comm_create, comm_create, COMM_CREATE,
     (MPI_Comm c, MPI_Group g, MPI_Comm *m), (c, g, m))
COMM(Comm_split_type, comm_split_type, COMM_SPLIT_TYPE,
     (MPI_Comm c, int k, int i, MPI_Info f, MPI_Comm *m), (c, k, i, f, m))
COMM(Cart_create, cart_create, CART_CREATE,
     (MPI_Comm c, int n, const int d[], const int p[], int i, MPI_Comm *m),
     (c, n, d, p, i, m))
COMM(Cart_sub, cart_sub, CART_SUB, (MPI_Comm c, const int d[], MPI_Comm *m),
     (c, d, m))
CALL(Comm_free, comm_free, COMM_FREE, (MPI_Comm * m), (m))
