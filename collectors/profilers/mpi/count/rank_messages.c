/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_messages.c - messages with each other rank, as the calls show them
 *
 * Which messages are replies is only known of calls that send or receive a
 * message of one process and wait for it.
 */
#include <stdlib.h>

#include "collectors/profilers/mpi/count/rank_messages.h"
#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/weak_symbols.h"

/* Messages to one other process by calls, and what recognises replies; work is
 * this process's CPU time outside of MPI so far. */
struct sent {
	_Atomic uint64_t messages, bytes, long_messages; /* of all threads */
	uint64_t replies;
	double work_s;          /* at the last message to it */
	double work_received_s; /* at the last one from it, if that is later */
	struct rank_tasks tasks;
};

static struct {
	int size;
	uint64_t asked_any; /* receives from any source */
	uint32_t collectives;
	struct sent *to; /* by rank; NULL: there was no memory */
} counts;

int rank_messages_begin(int size)
{
	counts.size = size;
	counts.to = calloc((size_t)size, sizeof(*counts.to));
	return counts.to ? 0 : -1;
}

int rank_messages_world_rank(int rank, MPI_Comm comm)
{
	MPI_Group group, world;
	int inter, ret = -1;

	if (comm == MPI_COMM_WORLD || rank < 0)
		return rank < counts.size ? rank : -1;
	if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
		return -1;
	if (inter)
		PMPI_Comm_remote_group(comm, &group);
	else
		PMPI_Comm_group(comm, &group);
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_translate_ranks(group, 1, &rank, world, &ret);
	PMPI_Group_free(&group);
	PMPI_Group_free(&world);
	return ret < counts.size ? ret : -1;
}

/* A message is a reply if one was received from the same process since the last
 * message to it, and most of the work in between was done before that. */
static bool is_reply(const struct sent *to)
{
	double before_s = to->work_received_s - to->work_s;
	double after_s = current_call_work_s() - to->work_received_s;

	return before_s > 0 && after_s < before_s;
}

void rank_messages_sent(int count, MPI_Datatype type, int to, MPI_Comm comm)
{
	enum current_call call = current_call();
	int size, rank;

	if (call == CURRENT_NONE || call == CURRENT_INNER || !counts.to)
		return;
	rank = rank_messages_world_rank(to, comm);
	if (rank < 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS)
		return;

	struct sent *sent = &counts.to[rank];
	uint64_t bytes = (uint64_t)count * (uint64_t)size;

	sent->messages++;
	sent->bytes += bytes;
	sent->long_messages += bytes >= MONITORING_LONG_BYTES;
	if (call != CURRENT_OUTER)
		return;
	sent->replies += is_reply(sent);
	sent->work_s = current_call_work_s();
	rank_tasks_end(&sent->tasks, sent->work_s, counts.collectives);
}

void rank_messages_asked(int from)
{
	if (current_call() == CURRENT_OUTER)
		counts.asked_any += from == MPI_ANY_SOURCE;
}

/* Most programs receive a message as soon as they have found it. */
#define MATCHES_MAX 64

static struct rank_match matches[MATCHES_MAX];
static int matches_count;

void rank_messages_matched(uintptr_t message, int from, MPI_Comm comm)
{
	if (current_call() == CURRENT_OUTER && matches_count < MATCHES_MAX)
		matches[matches_count++] =
			(struct rank_match){ message, from, comm };
}

bool rank_messages_take_match(uintptr_t message, struct rank_match *ret)
{
	if (current_call() != CURRENT_OUTER)
		return false;
	for (int i = 0; i < matches_count; i++)
		if (matches[i].message == message) {
			*ret = matches[i];
			matches[i] = matches[--matches_count];
			return true;
		}
	return false;
}

void rank_messages_received(int from, MPI_Comm comm)
{
	int rank;

	if (current_call() != CURRENT_OUTER || !counts.to)
		return;
	rank = rank_messages_world_rank(from, comm);
	if (rank < 0)
		return;
	counts.to[rank].work_received_s = current_call_work_s();
	rank_tasks_begin(&counts.to[rank].tasks, current_call_work_s(),
			 counts.collectives);
}

void rank_messages_received_later(int rank, bool from_any)
{
	if (!counts.to)
		return;
	counts.asked_any += from_any;
	if (rank >= 0 && rank < counts.size)
		rank_tasks_begin(&counts.to[rank].tasks, current_call_work_s(),
				 counts.collectives);
}

void rank_messages_collective(MPI_Comm comm)
{
	int size;

	if (current_call() == CURRENT_OUTER &&
	    PMPI_Comm_size(comm, &size) == MPI_SUCCESS && size > 1)
		counts.collectives++;
}

/* --- What was counted ----------------------------------------------------- */

void rank_messages_copy(struct monitoring_counts ret[])
{
	for (int i = 0; i < counts.size; i++) {
		const struct sent *sent = &counts.to[i];

		ret[i] = (struct monitoring_counts){
			.messages = sent->messages,
			.bytes = sent->bytes,
			.long_messages = sent->long_messages,
			.direct_messages = sent->messages,
			.direct_bytes = sent->bytes,
		};
	}
}

uint64_t rank_messages_replies(int rank)
{
	return counts.to[rank].replies;
}

struct rank_tasks rank_messages_tasks(int rank)
{
	return counts.to[rank].tasks;
}

uint64_t rank_messages_from_any(void)
{
	return counts.asked_any;
}
