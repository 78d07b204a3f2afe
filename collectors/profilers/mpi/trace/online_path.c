/* SPDX-License-Identifier: GPL-2.0-or-later */
/* online_path.c - the critical path with the procedure moved, while a
 * program runs
 *
 * A message's companion has a tag made of its communicator and its own tag, so
 * that those of one source and tag come in the order of the messages.
 * Companions are small: they are under way when the call returns, and their
 * buffers, of which there are many, are used again in turn.
 */
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

#include "collectors/profilers/mpi/trace/online_path.h"
#include "collectors/profilers/mpi/weak_symbols.h"
#include "predictor/base/hash_mix.h"
#include "predictor/trace/procedure_path.h"

#define VARIABLE  "PREDICT_TRACE_ONLINE"
#define SLOTS     1024
#define TAG_STOP  0 /* others are above */
#define TAG_LEAST 32767
#define END_S     1.0 /* for buffers that are still in use */

struct slot {
	struct procedure_message message;
	MPI_Request request;
	bool used;
};

static struct {
	bool on;
	int rank, ranks;
	MPI_Comm comm;
	int tags; /* the greatest */
	struct slot *slots;
	unsigned next;
	uint64_t *sent; /* [ranks] */
	struct procedure_path path;
	double clock; /* work */
} online;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- Begin and end -------------------------------------------------------- */

/* As a communicator is made by all ranks, and one may be without
 * this library. */
static int comm_make(void)
{
	double until_s = now_s() + ONLINE_WAIT_S;
	MPI_Request request;
	int done = 0;

	if (PMPI_Comm_idup(MPI_COMM_WORLD, &online.comm, &request) !=
	    MPI_SUCCESS)
		return -1;
	while (!done && now_s() < until_s) {
		if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) !=
		    MPI_SUCCESS)
			return -1;
		if (!done)
			sched_yield();
	}
	return done ? 0 : -1;
}

static int tags_find(void)
{
	int *most, flag = 0;

	if (PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag) !=
		    MPI_SUCCESS ||
	    !flag)
		return TAG_LEAST;
	return *most;
}

void online_begin(int rank, int ranks)
{
	const char *wanted = getenv(VARIABLE);

	if (!wanted || !*wanted || !strcmp(wanted, "0") || comm_make())
		return;
	PMPI_Comm_set_errhandler(online.comm, MPI_ERRORS_RETURN);
	online.rank = rank;
	online.ranks = ranks;
	online.tags = tags_find();
	online.slots = calloc(SLOTS, sizeof(*online.slots));
	online.sent = calloc((size_t)ranks, sizeof(*online.sent));
	online.on = true;
	if (!online.slots || !online.sent)
		online_stop();
}

/* Some MPI complain of messages that nobody received. */
static void receive_rest(void)
{
	struct procedure_message message;
	int flag = 1;

	while (PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, online.comm, &flag,
			   MPI_STATUS_IGNORE) == MPI_SUCCESS &&
	       flag &&
	       PMPI_Recv(&message, ONLINE_BYTES, MPI_BYTE, MPI_ANY_SOURCE,
			 MPI_ANY_TAG, online.comm,
			 MPI_STATUS_IGNORE) == MPI_SUCCESS)
		;
}

void online_end(void)
{
	double until_s = now_s() + END_S;

	if (!online.slots)
		return;
	receive_rest();
	for (int i = 0; i < SLOTS; i++) {
		struct slot *slot = &online.slots[i];
		int done = !slot->used;

		while (!done && now_s() < until_s &&
		       PMPI_Test(&slot->request, &done, MPI_STATUS_IGNORE) ==
			       MPI_SUCCESS)
			;
		if (!done) /* its buffer is left to MPI */
			return;
	}
	free(online.slots);
	online.slots = NULL;
	online.on = false;
}

bool online_result(double ret_s[2])
{
	ret_s[0] = online.path.original;
	ret_s[1] = online.path.longest;
	return online.on;
}

uint64_t online_sent(int rank)
{
	return online.sent ? online.sent[rank] : 0;
}

/* --- Messages ------------------------------------------------------------- */

static int tag_of(uint64_t a, uint64_t b)
{
	uint64_t hash = hash_mix(hash_mix(a + 1) + b);

	return 1 + (int)(hash % (uint64_t)online.tags);
}

/* False: all buffers are in use. */
static bool message_put(int to, int tag,
			const struct procedure_message *message)
{
	struct slot *slot = &online.slots[online.next++ % SLOTS];
	int done = !slot->used;

	if (!done &&
	    PMPI_Test(&slot->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
		return false;
	if (!done)
		return false;
	slot->message = *message;
	slot->used = PMPI_Isend(&slot->message, ONLINE_BYTES, MPI_BYTE, to, tag,
				online.comm, &slot->request) == MPI_SUCCESS;
	online.sent[to] += slot->used;
	return slot->used;
}

void online_stop(void)
{
	const struct procedure_message none = { 0 };

	if (!online.on)
		return;
	online.on = false;
	if (!online.slots || !online.sent)
		return;
	for (int r = 0; r < online.ranks; r++)
		if (r != online.rank)
			(void)message_put(r, TAG_STOP, &none);
}

static void message_send(int to, int tag,
			 const struct procedure_message *message)
{
	if (!message_put(to, tag, message))
		online_stop();
}

static bool is_there(int from, int tag)
{
	int flag = 0;

	return PMPI_Iprobe(from, tag, online.comm, &flag, MPI_STATUS_IGNORE) ==
		       MPI_SUCCESS &&
	       flag;
}

/* Return false if it does not come; we have stopped. */
static bool message_receive(int from, int tag, struct procedure_message *ret)
{
	double until_s = now_s() + ONLINE_WAIT_S;

	while (!is_there(from, tag)) {
		if (is_there(MPI_ANY_SOURCE, TAG_STOP)) {
			online.on = false; /* all others know, too */
			return false;
		}
		if (now_s() > until_s) {
			online_stop();
			return false;
		}
		sched_yield();
	}
	if (PMPI_Recv(ret, ONLINE_BYTES, MPI_BYTE, from, tag, online.comm,
		      MPI_STATUS_IGNORE) == MPI_SUCCESS)
		return true;
	online_stop();
	return false;
}

/* --- Events --------------------------------------------------------------- */

static int event_tag(const struct trace_event *e)
{
	return tag_of((uint32_t)e->comm, (uint32_t)e->tag);
}

void online_event(const struct trace_event *e)
{
	struct procedure_path *path = &online.path;
	struct procedure_message message;

	if (!online.on)
		return;
	procedure_enter(path, online.clock);
	procedure_exit(path, online.clock + e->procedure_s);
	online.clock += e->work_s;
	procedure_update(path, online.clock);
	if (e->call <= CALL_ISEND) {
		message = procedure_send(path, online.clock);
		message_send(e->peer, event_tag(e), &message);
	} else if (e->call == CALL_RECEIVE &&
		   message_receive(e->peer, event_tag(e), &message)) {
		procedure_receive(path, online.clock, &message);
	}
}

/* The most of all, in log2(size) rounds: in each, what a rank knows goes twice
 * as far. */
static void exchange_most(const struct communicator *comm, int self)
{
	struct procedure_path *path = &online.path;
	int size = comm->size;

	for (int step = 1; step < size && online.on; step *= 2) {
		int tag = tag_of((uint32_t)comm->id, UINT64_MAX - step);
		struct procedure_message message = { path->original,
						     path->longest, 0 };

		message_send(comm->world[(self + step) % size], tag, &message);
		if (!online.on ||
		    !message_receive(comm->world[(self + size - step) % size],
				     tag, &message))
			return;
		path->original = fmax(path->original, message.original);
		path->longest = fmax(path->longest, message.Cs);
	}
}

void online_collective(const struct communicator *comm, bool blocks)
{
	int self = 0;

	if (!online.on)
		return;
	if (!blocks || comm->inter) {
		online_stop();
		return;
	}
	while (self < comm->size && comm->world[self] != online.rank)
		self++;
	online.path.F = 0;
	if (self < comm->size)
		exchange_most(comm, self);
}
