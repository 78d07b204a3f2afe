/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_requests.c - calls of MPI that are under way, and what they bring
 *
 * A receive is an event where its request is complete.  A collective is one
 * where it begins, with a number that tells it from others that this process
 * has begun, and another one with that number where it is complete.
 *
 * MPI may give several requests that need nothing one handle: then the one
 * before is complete.
 */
#include <stdlib.h>

#include "collectors/profilers/mpi/count/communicator.h"
#include "collectors/profilers/mpi/count/request_table.h"
#include "collectors/profilers/mpi/trace/trace_requests.h"
#include "collectors/profilers/mpi/weak_symbols.h"

#define WORD_BITS 64

static struct {
	struct request_table requests;
	uint64_t numbers[TRACE_REQUESTS_MAX / WORD_BITS]; /* bits: in use */
	uintptr_t *kept; /* requests of trace_waits() */
	int kept_count, kept_size;
	MPI_Status *statuses;
	int statuses_size;
} under_way;

void trace_requests_clear(void)
{
	request_table_clear(&under_way.requests);
	free(under_way.kept);
	free(under_way.statuses);
	under_way.kept = NULL;
	under_way.statuses = NULL;
	under_way.kept_count = under_way.kept_size = under_way.statuses_size =
		0;
}

/* --- Numbers of collectives ----------------------------------------------- */

/* The least one that is free, so that it takes one byte; -1: there is none. */
static int number_take(void)
{
	int words = TRACE_REQUESTS_MAX / WORD_BITS;

	for (int w = 0; w < words; w++) {
		uint64_t unused = ~under_way.numbers[w];

		if (!unused)
			continue;
		under_way.numbers[w] |= unused & -unused;
		return w * WORD_BITS + __builtin_ctzll(unused);
	}
	return -1;
}

static void number_give(int number)
{
	under_way.numbers[number / WORD_BITS] &=
		~(UINT64_C(1) << number % WORD_BITS);
}

static void collective_completed(const struct pending *entry)
{
	trace_add(
		(struct trace_event){ .call = CALL_WAIT, .peer = entry->peer });
	number_give(entry->peer);
}

/* --- Requests ------------------------------------------------------------- */

/* Handles are pointers or numbers, as MPI likes. */
#define HANDLE(of) ((uintptr_t)(of))

static void request_forget(uintptr_t request)
{
	struct pending *found =
		request_table_find(&under_way.requests, request);

	if (!found)
		return;
	communicator_release(found->comm);
	request_table_remove(&under_way.requests, request);
}

static void begun_add(struct pending entry, MPI_Comm comm, MPI_Request request)
{
	const struct pending *shared;

	if (request == MPI_REQUEST_NULL)
		return;
	entry.request = HANDLE(request);
	entry.comm = communicator_hold(comm);
	shared = request_table_find(&under_way.requests, entry.request);
	if (shared && shared->call == PENDING_ALL)
		collective_completed(shared);
	request_forget(entry.request);
	if (entry.comm && request_table_add(&under_way.requests, &entry) == 0)
		return;
	communicator_release(entry.comm);
	trace_stop();
}

void trace_asked(int from, MPI_Comm comm, MPI_Request request, bool persistent)
{
	if (from != MPI_PROC_NULL && trace_is_on())
		begun_add((struct pending){ .call = PENDING_RECEIVE,
					    .any = from == MPI_ANY_SOURCE,
					    .persistent = persistent,
					    .active = !persistent },
			  comm, request);
}

void trace_send_made(int count, MPI_Datatype type, int to, int tag,
		     MPI_Comm comm, MPI_Request request)
{
	if (trace_is_on())
		begun_add((struct pending){ .call = PENDING_SEND,
					    .bytes = trace_bytes(count, type),
					    .peer = to,
					    .tag = tag,
					    .persistent = true },
			  comm, request);
}

void trace_collective_begun(enum trace_size size, const int counts[],
			    MPI_Datatype type, MPI_Comm comm,
			    MPI_Request request)
{
	if (request == MPI_REQUEST_NULL || !trace_is_on())
		return;

	const struct communicator *found = communicator_find(comm);
	int number = number_take();

	if (!found || number < 0) {
		trace_stop();
		return;
	}
	trace_add_begun(number, trace_collective_of(size, counts, type, found),
			found);
	begun_add((struct pending){ .call = PENDING_ALL,
				    .peer = number,
				    .active = true },
		  comm, request);
}

void trace_started(int count, const MPI_Request requests[])
{
	if (!trace_is_on())
		return;
	for (int i = 0; i < count && trace_is_on(); i++) {
		struct pending *entry = request_table_find(&under_way.requests,
							   HANDLE(requests[i]));

		if (!entry)
			continue;
		if (entry->call == PENDING_SEND)
			trace_add_sent(entry->bytes, entry->peer, entry->tag,
				       entry->comm, false);
		else
			entry->active = true;
	}
}

void trace_freed(MPI_Request request)
{
	if (!trace_is_on())
		return;

	const struct pending *found =
		request_table_find(&under_way.requests, HANDLE(request));

	/* What it brings will not be seen. */
	if (found && found->active)
		trace_stop();
	request_forget(HANDLE(request));
}

void trace_waits(int count, const MPI_Request requests[])
{
	under_way.kept_count = 0;
	if (!trace_is_on() || count <= 0)
		return;
	if (count > under_way.kept_size) {
		uintptr_t *kept =
			realloc(under_way.kept, (size_t)count * sizeof(*kept));

		if (!kept) {
			trace_stop();
			return;
		}
		under_way.kept = kept;
		under_way.kept_size = count;
	}
	for (int i = 0; i < count; i++)
		under_way.kept[i] = HANDLE(requests[i]);
	under_way.kept_count = count;
}

static void request_complete(uintptr_t request, const MPI_Status *status)
{
	struct pending *found =
		request_table_find(&under_way.requests, request);
	int cancelled = 0;

	if (!found || !found->active)
		return;

	found->active = false;
	if (found->call == PENDING_ALL)
		collective_completed(found);
	else if (PMPI_Test_cancelled(status, &cancelled) == MPI_SUCCESS &&
		 !cancelled)
		trace_add_received(found->any, true, found->comm, status);
	if (!found->persistent)
		request_forget(request);
}

void trace_completed(int count, const int indices[],
		     const MPI_Status statuses[])
{
	if (!trace_is_on())
		return;
	for (int i = 0; i < count && trace_is_on(); i++) {
		int index = indices ? indices[i] : i;

		if (index >= 0 && index < under_way.kept_count)
			request_complete(under_way.kept[index], &statuses[i]);
	}
}

MPI_Status *trace_wanted(MPI_Status *statuses, const MPI_Status *ignored,
			 int count)
{
	if (statuses != ignored || count <= 0 || !trace_is_on())
		return statuses;
	if (count > under_way.statuses_size) {
		MPI_Status *room = realloc(under_way.statuses,
					   (size_t)count * sizeof(*room));

		if (!room) {
			trace_stop();
			return statuses;
		}
		under_way.statuses = room;
		under_way.statuses_size = count;
	}
	return under_way.statuses;
}
