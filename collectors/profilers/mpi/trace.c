/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.c - each call of MPI that one process makes, in a file
 *
 * An event has the CPU time since the event before, without what MPI took.  It
 * is written after the call, since only then source, tag and size of a receive
 * are known.  A receive that does not block is an event where it is complete,
 * and so is such a collective; a send is one where it is made or started.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/profilers/mpi/communicator.h"
#include "collectors/profilers/mpi/online_path.h"
#include "collectors/profilers/mpi/procedure.h"
#include "collectors/profilers/mpi/request_table.h"
#include "collectors/profilers/mpi/samples.h"
#include "collectors/profilers/mpi/session.h"
#include "collectors/profilers/mpi/stretches.h"
#include "collectors/profilers/mpi/trace.h"
#include "collectors/profilers/mpi/trace_file.h"
#include "collectors/profilers/mpi/trace_name.h"
#include "collectors/profilers/mpi/weak_symbols.h"
#include "predictor/replay/trace_format.h"

#define SAMPLE_PERIOD_S 0.004

static struct {
	bool on;
	atomic_bool others; /* another thread called MPI */
	struct trace_file file;
	struct stretches stretches;
	int ranks;
	struct trace_address last;
	double work_s; /* at the last event */

	struct request_table requests;
	uintptr_t *kept; /* requests of trace_waits() */
	int kept_count, kept_size;
	MPI_Status *statuses;
	int statuses_size;
} trace = { .file.fd = -1 };

/* Of programs that a step has one after the other each has a file of its own. */
static int file_begin(int rank, int ranks)
{
	uint8_t header[TRACE_HEADER_BYTES];
	char path[TRACE_NAME_SIZE];
	int rc = -1;

	errno = EEXIST;
	for (int i = 0; rc && errno == EEXIST && i < TRACE_PROGRAMS; i++) {
		if (trace_name_make(rank, i, path))
			return -1;
		rc = trace_file_open(&trace.file, path,
				     trace_file_share(ranks));
	}
	return rc ? -1
		  : trace_file_add(&trace.file, header,
				   trace_encode_header(rank, ranks, header));
}

void trace_begin(int rank, int ranks)
{
	if (!trace_name_is_set() || ranks > TRACE_RANKS_MAX)
		return;
	online_begin(rank, ranks); /* by all, whoever can have no file */
	trace.ranks = ranks;
	procedure_begin();
	trace.on = !communicators_begin() && !file_begin(rank, ranks);
	if (trace.on)
		samples_begin(SAMPLE_PERIOD_S);
	else
		online_stop();
}

static void buffers_free(void)
{
	request_table_clear(&trace.requests);
	free(trace.kept);
	free(trace.statuses);
	trace.kept = NULL;
	trace.statuses = NULL;
	trace.kept_count = trace.kept_size = trace.statuses_size = 0;
}

/* What trace_wanted() gave stays: MPI may be about to write there. */
static void trace_stop(void)
{
	trace.on = false;
	trace_file_close(&trace.file);
	online_stop();
}

bool trace_is_on(void)
{
	if (!trace.on)
		return false;
	switch (session_call()) {
	case SESSION_OUTER:
		break;
	case SESSION_OTHER_THREAD:
		trace.others = true;
		return false;
	default:
		return false;
	}
	if (trace.others)
		trace_stop();
	return trace.on;
}

/* --- Events --------------------------------------------------------------- */

static void event_write(const struct trace_event *event)
{
	uint8_t bytes[TRACE_EVENT_BYTES];
	double online_s[2];
	size_t size = event->call == CALL_END && online_result(online_s)
			      ? trace_encode_end(event, online_s, bytes)
			      : trace_encode_event(&trace.last, event, bytes);

	if (trace_file_add(&trace.file, bytes, size))
		trace_stop();
}

static void event_add_at(struct trace_event *event, double work_s)
{
	struct stretches *stretches = &trace.stretches;
	struct trace_event gap;

	event->work_s = work_s > trace.work_s ? work_s - trace.work_s : 0;
	event->procedure_s = fmin(procedure_take(work_s), event->work_s);
	trace.work_s = work_s;
	if (procedure_is_refused()) {
		trace_stop();
		return;
	}
	online_event(event);
	stretches_count(stretches, event);
	if (!stretches->skipped)
		event_write(event);
	if (event->ends_stretch && trace.on &&
	    stretches_next(stretches, &trace.file, &gap))
		event_write(&gap);
}

static void event_add(struct trace_event event)
{
	event_add_at(&event, session_work_s());
}

static void procedures_add(void)
{
	struct procedure_work of[PROCEDURE_WORK_COUNT];
	uint8_t bytes[TRACE_PROCEDURES_BYTES];
	int count = samples_end(of, PROCEDURE_WORK_COUNT);

	trace_file_add(&trace.file, bytes,
		       trace_encode_procedures(of, count, bytes));
}

void trace_end(double work_s)
{
	struct trace_event event = { .call = CALL_END }, gap;
	struct stretches *stretches = &trace.stretches;

	if (trace.on && !trace.others) {
		event_add_at(&event, work_s);
		if (trace.on && stretches_end(stretches, &gap)) {
			event_write(&gap);
			if (trace.on)
				event_write(&(struct trace_event){
					.call = CALL_END });
		}
		if (trace.on)
			procedures_add();
	}
	online_end();
	trace_stop();
	buffers_free();
}

static uint64_t bytes_of(int count, MPI_Datatype type)
{
	int size;

	if (count <= 0 || type == MPI_DATATYPE_NULL ||
	    PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0)
		return 0;
	return (uint64_t)count * (uint64_t)size;
}

/* comm: NULL, if it is not known. */
static void sent_add(uint64_t bytes, int to, int tag,
		     const struct communicator *comm, bool blocks)
{
	int peer = comm ? communicator_world_rank(comm, to) : -1;

	if (peer >= 0)
		event_add((struct trace_event){ .call = blocks ? CALL_SEND
							       : CALL_ISEND,
						.peer = peer,
						.tag = tag,
						.comm = comm->id,
						.bytes = bytes });
	else if (to != MPI_PROC_NULL)
		trace_stop();
}

void trace_sent(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
		bool blocks)
{
	if (trace_is_on())
		sent_add(bytes_of(count, type), to, tag,
			 communicator_find(comm), blocks);
}

static void received_add(bool any, bool asked, const struct communicator *comm,
			 const MPI_Status *status)
{
	int from = status->MPI_SOURCE, bytes;
	int peer = comm ? communicator_world_rank(comm, from) : -1;

	if (from == MPI_PROC_NULL)
		return;
	if (peer < 0 ||
	    PMPI_Get_count(status, MPI_BYTE, &bytes) != MPI_SUCCESS) {
		trace_stop();
		return;
	}
	event_add(
		(struct trace_event){ .call = CALL_RECEIVE,
				      .peer = peer,
				      .tag = status->MPI_TAG,
				      .comm = comm->id,
				      .bytes = bytes > 0 ? (uint64_t)bytes : 0,
				      .wildcard = any,
				      .asked = asked });
}

void trace_received(int from, MPI_Comm comm, const MPI_Status *status)
{
	if (trace_is_on())
		received_add(from == MPI_ANY_SOURCE, false,
			     communicator_find(comm), status);
}

struct collective {
	uint64_t bytes;
	bool to_each;
};

/* blocks: all ranks of comm make it at the same place between their others. */
static void collective_add(struct collective what, bool blocks,
			   const struct communicator *comm)
{
	if (comm) {
		event_add((struct trace_event){
			.call = CALL_ALL,
			.tag = trace.last.tag,
			.comm = comm->id,
			.bytes = what.bytes,
			.to_each = what.to_each,
			.ends_stretch = blocks && !comm->inter &&
					comm->size == trace.ranks });
		online_collective(comm, blocks);
	} else {
		trace_stop();
	}
}

/* Between two groups, some processes need not give count and type. */
static struct collective collective_of(enum trace_size size, const int counts[],
				       MPI_Datatype type,
				       const struct communicator *comm)
{
	struct collective what = { .to_each = size >= TRACE_EACH };
	int times = size == TRACE_ALL || size == TRACE_EACH ? comm->size : 1;

	if (size == TRACE_UNSIZED || comm->inter)
		return (struct collective){ 0 };
	if (size == TRACE_SUM || size == TRACE_EACH_SUM)
		for (int i = 0; i < comm->size; i++)
			what.bytes += bytes_of(counts[i], type);
	else
		what.bytes = (uint64_t)times * bytes_of(counts[0], type);
	return what;
}

void trace_collective(enum trace_size size, const int counts[],
		      MPI_Datatype type, MPI_Comm comm)
{
	if (!trace_is_on())
		return;

	const struct communicator *found = communicator_find(comm);

	if (found)
		collective_add(collective_of(size, counts, type, found), true,
			       found);
	else
		trace_stop();
}

void trace_made(MPI_Comm comm, MPI_Comm made)
{
	if (!trace_is_on())
		return;
	collective_add((struct collective){ 0 }, true,
		       communicator_made(made) ? NULL
					       : communicator_find(comm));
}

/* --- Requests ------------------------------------------------------------- */

/* Handles are pointers or numbers, as MPI likes. */
#define HANDLE(of) ((uintptr_t)(of))

static void request_forget(uintptr_t request)
{
	struct pending *found = request_table_find(&trace.requests, request);

	if (!found)
		return;
	communicator_release(found->comm);
	request_table_remove(&trace.requests, request);
}

/* MPI may give several requests that need nothing one handle. */
static void begun_add(struct pending entry, MPI_Comm comm, MPI_Request request)
{
	if (request == MPI_REQUEST_NULL)
		return;
	entry.request = HANDLE(request);
	entry.comm = communicator_hold(comm);
	request_forget(entry.request);
	if (entry.comm && request_table_add(&trace.requests, &entry) == 0)
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
					    .bytes = bytes_of(count, type),
					    .peer = to,
					    .tag = tag,
					    .persistent = true },
			  comm, request);
}

void trace_collective_begun(enum trace_size size, const int counts[],
			    MPI_Datatype type, MPI_Comm comm,
			    MPI_Request request)
{
	if (!trace_is_on())
		return;

	const struct communicator *found = communicator_find(comm);
	struct collective what = { 0 };

	if (found)
		what = collective_of(size, counts, type, found);
	begun_add((struct pending){ .call = PENDING_ALL,
				    .bytes = what.bytes,
				    .to_each = what.to_each,
				    .active = true },
		  comm, request);
}

void trace_started(int count, const MPI_Request requests[])
{
	if (!trace_is_on())
		return;
	for (int i = 0; i < count && trace.on; i++) {
		struct pending *entry = request_table_find(&trace.requests,
							   HANDLE(requests[i]));

		if (!entry)
			continue;
		if (entry->call == PENDING_SEND)
			sent_add(entry->bytes, entry->peer, entry->tag,
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
		request_table_find(&trace.requests, HANDLE(request));

	/* What it brings will not be seen. */
	if (found && found->active)
		trace_stop();
	request_forget(HANDLE(request));
}

void trace_waits(int count, const MPI_Request requests[])
{
	trace.kept_count = 0;
	if (!trace_is_on() || count <= 0)
		return;
	if (count > trace.kept_size) {
		uintptr_t *kept =
			realloc(trace.kept, (size_t)count * sizeof(*kept));

		if (!kept) {
			trace_stop();
			return;
		}
		trace.kept = kept;
		trace.kept_size = count;
	}
	for (int i = 0; i < count; i++)
		trace.kept[i] = HANDLE(requests[i]);
	trace.kept_count = count;
}

static void request_complete(uintptr_t request, const MPI_Status *status)
{
	struct pending *found = request_table_find(&trace.requests, request);
	int cancelled = 0;

	if (!found || !found->active)
		return;

	found->active = false;
	if (found->call == PENDING_ALL)
		collective_add(
			(struct collective){ found->bytes, found->to_each },
			false, found->comm);
	else if (PMPI_Test_cancelled(status, &cancelled) == MPI_SUCCESS &&
		 !cancelled)
		received_add(found->any, true, found->comm, status);
	if (!found->persistent)
		request_forget(request);
}

void trace_completed(int count, const int indices[],
		     const MPI_Status statuses[])
{
	if (!trace_is_on())
		return;
	for (int i = 0; i < count && trace.on; i++) {
		int index = indices ? indices[i] : i;

		if (index >= 0 && index < trace.kept_count)
			request_complete(trace.kept[index], &statuses[i]);
	}
}

MPI_Status *trace_wanted(MPI_Status *statuses, const MPI_Status *ignored,
			 int count)
{
	if (statuses != ignored || count <= 0 || !trace_is_on())
		return statuses;
	if (count > trace.statuses_size) {
		MPI_Status *room =
			realloc(trace.statuses, (size_t)count * sizeof(*room));

		if (!room) {
			trace_stop();
			return statuses;
		}
		trace.statuses = room;
		trace.statuses_size = count;
	}
	return trace.statuses;
}

void trace_unknown(void)
{
	if (trace_is_on())
		trace_stop();
}
