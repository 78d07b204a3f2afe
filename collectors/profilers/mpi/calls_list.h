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
 * COLLECTIVES       both, from the row of the first
 * COMM              makes communicator m of all or some of c
 * MATCH             may find a message m of r; whether it did
 * MATCHED           receives message m
 * UNKNOWN           what it begins is not recorded in a trace
 *
 * IN() and OUT() are the values of parameters, COUNT() is where a count is.
 */

/* Parameters that many calls have: a buffer that is sent or filled, also with a
 * count and a displacement for each process; buffers that are combined. */
#ifndef COLLECTORS_PROFILERS_MPI_CALLS_LIST_H
#define COLLECTORS_PROFILERS_MPI_CALLS_LIST_H
#define SENT      const void *b, int n, MPI_Datatype t
#define SENTV     const void *b, const int n[], const int d[], MPI_Datatype t
#define GOT       void *b, int n, MPI_Datatype t
#define GOT2      void *b2, int n2, MPI_Datatype t2
#define GOT2V     void *b2, const int n2[], const int d2[], MPI_Datatype t2
#define COMBINED  const void *b, void *b2
#define OPERATION int n, MPI_Datatype t, MPI_Op o
#define PEER      int r, int g, MPI_Comm c
#endif

#define COLLECTIVES(name, lower, upper, parameters, arguments, of) \
	COLLECTIVE(name, lower, upper, parameters, arguments, of)  \
	COLLECTIVE_BEGIN(I##lower, i##lower, I##upper,             \
			 (UNPACKED parameters, MPI_Request * q),   \
			 (UNPACKED arguments, q), of)

SEND(Send, send, SEND, (SENT, PEER), (b, n, t, r, g, c), (n, t, r, g, c), true)
SEND(Ssend, ssend, SSEND, (SENT, PEER), (b, n, t, r, g, c), (n, t, r, g, c),
     true)
SEND(Rsend, rsend, RSEND, (SENT, PEER), (b, n, t, r, g, c), (n, t, r, g, c),
     true)
SEND(Bsend, bsend, BSEND, (SENT, PEER), (b, n, t, r, g, c), (n, t, r, g, c),
     false)
SEND(Isend, isend, ISEND, (SENT, PEER, MPI_Request *q), (b, n, t, r, g, c, q),
     (n, t, r, g, c), false)
SEND(Issend, issend, ISSEND, (SENT, PEER, MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, g, c), false)
SEND(Irsend, irsend, IRSEND, (SENT, PEER, MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, g, c), false)
SEND(Ibsend, ibsend, IBSEND, (SENT, PEER, MPI_Request *q),
     (b, n, t, r, g, c, q), (n, t, r, g, c), false)
SEND_RECEIVE(Sendrecv, sendrecv, SENDRECV,
	     (SENT, int r, int g, GOT2, int r2, int g2, MPI_Comm c,
	      MPI_Status *s),
	     (b, n, t, r, g, b2, n2, t2, r2, g2, c, s), (n, t, r, g, c))
SEND_RECEIVE(Sendrecv_replace, sendrecv_replace, SENDRECV_REPLACE,
	     (GOT, int r, int g, int r2, int g2, MPI_Comm c, MPI_Status *s),
	     (b, n, t, r, g, r2, g2, c, s), (n, t, r, g, c))
RECEIVE(Recv, recv, RECV, (GOT, PEER, MPI_Status *s), (b, n, t, r, g, c, s))
ASK(Irecv, irecv, IRECV, (GOT, PEER, MPI_Request *q), (b, n, t, r, g, c, q),
    false)
CALL(Probe, probe, PROBE, (PEER, MPI_Status *s), (r, g, c, s))
CALL(Iprobe, iprobe, IPROBE, (PEER, int *f, MPI_Status *s), (r, g, c, f, s))
MATCH(Mprobe, mprobe, MPROBE, (PEER, MPI_Message *m, MPI_Status *s),
      (r, g, c, m, s), true)
MATCH(Improbe, improbe, IMPROBE, (PEER, int *f, MPI_Message *m, MPI_Status *s),
      (r, g, c, f, m, s), OUT(f))
MATCHED(Mrecv, mrecv, MRECV, (GOT, MPI_Message *m, MPI_Status *s),
	(b, n, t, m, s))
UNKNOWN(Imrecv, imrecv, IMRECV, (GOT, MPI_Message *m, MPI_Request *q),
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
ASK(Recv_init, recv_init, RECV_INIT, (GOT, PEER, MPI_Request *q),
    (b, n, t, r, g, c, q), true)
SEND_MADE(Send_init, send_init, SEND_INIT, (SENT, PEER, MPI_Request *q),
	  (b, n, t, r, g, c, q))
SEND_MADE(Ssend_init, ssend_init, SSEND_INIT, (SENT, PEER, MPI_Request *q),
	  (b, n, t, r, g, c, q))
SEND_MADE(Rsend_init, rsend_init, RSEND_INIT, (SENT, PEER, MPI_Request *q),
	  (b, n, t, r, g, c, q))
SEND_MADE(Bsend_init, bsend_init, BSEND_INIT, (SENT, PEER, MPI_Request *q),
	  (b, n, t, r, g, c, q))
START(Start, start, START, (MPI_Request * q), (q), 1)
START(Startall, startall, STARTALL, (int n, MPI_Request q[]), (n, q), IN(n))
FREE(Request_free, request_free, REQUEST_FREE, (MPI_Request * q), (q))
COLLECTIVES(Barrier, barrier, BARRIER, (MPI_Comm c), (c), (NO_SIZE, c))
COLLECTIVES(Bcast, bcast, BCAST, (GOT, int r, MPI_Comm c), (b, n, t, r, c),
	    (TRACE_ONE, COUNT(n), t, c))
COLLECTIVES(Gather, gather, GATHER, (SENT, GOT2, int r, MPI_Comm c),
	    (b, n, t, b2, n2, t2, r, c), (NO_SIZE, c))
COLLECTIVES(Gatherv, gatherv, GATHERV, (SENT, GOT2V, int r, MPI_Comm c),
	    (b, n, t, b2, n2, d2, t2, r, c), (NO_SIZE, c))
COLLECTIVES(Scatter, scatter, SCATTER, (SENT, GOT2, int r, MPI_Comm c),
	    (b, n, t, b2, n2, t2, r, c), (NO_SIZE, c))
COLLECTIVES(Scatterv, scatterv, SCATTERV, (SENTV, GOT2, int r, MPI_Comm c),
	    (b, n, d, t, b2, n2, t2, r, c), (NO_SIZE, c))
COLLECTIVES(Allgather, allgather, ALLGATHER, (SENT, GOT2, MPI_Comm c),
	    (b, n, t, b2, n2, t2, c), (TRACE_ALL, COUNT(n2), t2, c))
COLLECTIVES(Allgatherv, allgatherv, ALLGATHERV, (SENT, GOT2V, MPI_Comm c),
	    (b, n, t, b2, n2, d2, t2, c), (TRACE_SUM, n2, t2, c))
COLLECTIVES(Alltoall, alltoall, ALLTOALL, (SENT, GOT2, MPI_Comm c),
	    (b, n, t, b2, n2, t2, c), (TRACE_EACH, COUNT(n2), t2, c))
COLLECTIVES(Alltoallv, alltoallv, ALLTOALLV, (SENTV, GOT2V, MPI_Comm c),
	    (b, n, d, t, b2, n2, d2, t2, c), (TRACE_EACH_SUM, n2, t2, c))
COLLECTIVES(Reduce, reduce, REDUCE, (COMBINED, OPERATION, int r, MPI_Comm c),
	    (b, b2, n, t, o, r, c), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVES(Allreduce, allreduce, ALLREDUCE, (COMBINED, OPERATION, MPI_Comm c),
	    (b, b2, n, t, o, c), (TRACE_COMBINED, COUNT(n), t, c))
COLLECTIVES(Reduce_scatter, reduce_scatter, REDUCE_SCATTER,
	    (COMBINED, const int n[], MPI_Datatype t, MPI_Op o, MPI_Comm c),
	    (b, b2, n, t, o, c), (TRACE_SUM, n, t, c))
COLLECTIVES(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK,
	    (COMBINED, OPERATION, MPI_Comm c), (b, b2, n, t, o, c),
	    (TRACE_ALL, COUNT(n), t, c))
COLLECTIVES(Scan, scan, SCAN, (COMBINED, OPERATION, MPI_Comm c),
	    (b, b2, n, t, o, c), (TRACE_ONE, COUNT(n), t, c))
COLLECTIVES(Exscan, exscan, EXSCAN, (COMBINED, OPERATION, MPI_Comm c),
	    (b, b2, n, t, o, c), (TRACE_ONE, COUNT(n), t, c))
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

#undef COLLECTIVES
