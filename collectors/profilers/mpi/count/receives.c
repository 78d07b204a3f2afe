/* SPDX-License-Identifier: GPL-2.0-or-later */
/* receives.c - messages that are asked for, and received by a later call
 *
 * A farm's master may ask each of its workers for a result, and wait for any of
 * these: that is as if it took a message of any process.  One that is waited
 * for alone, or with all others, was asked for by name.
 *
 * Ranks are translated when a message is asked for, as its communicator may be
 * gone when it comes; that of any process is known in MPI_COMM_WORLD only.
 */
#include <stdlib.h>

#include "collectors/profilers/mpi/count/rank_messages.h"
#include "collectors/profilers/mpi/count/receives.h"
#include "collectors/profilers/mpi/count/request_table.h"
#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/weak_symbols.h"

/* Handles are pointers or numbers, as MPI likes. */
#define HANDLE(of) ((uintptr_t)(of))

/* The peer of a message whose source is not known when it is requested. */
#define PEER_NOT_KNOWN (-1)
#define PEER_OF_STATUS (-2)

static struct request_table table;
static uintptr_t *kept; /* of receives_waits() */
static int kept_count, kept_size;

bool receives_are_pending(void)
{
	return table.count > 0 && current_call() == CURRENT_OUTER;
}

void receives_asked(int from, MPI_Comm comm, MPI_Request request,
		    bool persistent)
{
	if (current_call() != CURRENT_OUTER || from == MPI_PROC_NULL ||
	    request == MPI_REQUEST_NULL)
		return;

	bool any = from == MPI_ANY_SOURCE;
	int peer = comm == MPI_COMM_WORLD ? PEER_OF_STATUS : PEER_NOT_KNOWN;

	if (!any)
		peer = rank_messages_world_rank(from, comm);

	struct pending entry = { .request = HANDLE(request),
				 .call = PENDING_RECEIVE,
				 .peer = peer,
				 .any = any,
				 .persistent = persistent,
				 .active = !persistent };

	(void)request_table_add(&table, &entry);
}

void receives_started(int count, const MPI_Request requests[])
{
	if (!receives_are_pending())
		return;
	for (int i = 0; i < count; i++) {
		struct pending *entry =
			request_table_find(&table, HANDLE(requests[i]));

		if (entry)
			entry->active = true;
	}
}

void receives_freed(MPI_Request request)
{
	if (receives_are_pending())
		request_table_remove(&table, HANDLE(request));
}

void receives_waits(int count, const MPI_Request requests[])
{
	kept_count = 0;
	if (!receives_are_pending() || count <= 0)
		return;
	if (count > kept_size) {
		uintptr_t *room = realloc(kept, (size_t)count * sizeof(*room));

		if (!room)
			return;
		kept = room;
		kept_size = count;
	}
	for (int i = 0; i < count; i++)
		kept[i] = HANDLE(requests[i]);
	kept_count = count;
}

/* Return whether one of several receives was waited for. */
static bool were_several(void)
{
	int active = 0;

	for (int i = 0; i < kept_count && active < 2; i++) {
		const struct pending *entry =
			request_table_find(&table, kept[i]);

		active += entry && entry->active;
	}
	return active > 1;
}

static void complete(uintptr_t request, bool first_of_several, int source)
{
	struct pending *entry = request_table_find(&table, request);

	if (!entry || !entry->active)
		return;

	rank_messages_received_later(
		entry->peer == PEER_OF_STATUS ? source : entry->peer,
		entry->any || first_of_several);
	entry->active = false;
	if (!entry->persistent)
		request_table_remove(&table, request);
}

void receives_completed(int count, const int indices[], int base, int source)
{
	bool first =
		indices && count > 0 && count < kept_count && were_several();

	for (int i = 0; i < count; i++) {
		int index = indices ? indices[i] - base : i;

		if (index >= 0 && index < kept_count)
			complete(kept[index], first,
				 i ? MPI_ANY_SOURCE : source);
	}
	kept_count = 0;
}

void receives_clear(void)
{
	request_table_clear(&table);
	free(kept);
	kept = NULL;
	kept_count = kept_size = 0;
}
