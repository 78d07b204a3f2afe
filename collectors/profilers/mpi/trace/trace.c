/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.c - each call of MPI that one process makes, in a file
 *
 * An event has the CPU time since the event before, without what MPI took.  It
 * is written after the call, since only then source, tag and size of a receive
 * are known.  A receive that does not block is an event where it is complete
 * (trace_requests.c), a send is one where it is made or started; a collective
 * that does not block is two, where it begins and where it is complete.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "collectors/profilers/mpi/count/communicator.h"
#include "collectors/profilers/mpi/session.h"
#include "collectors/profilers/mpi/trace/online_path.h"
#include "collectors/profilers/mpi/trace/procedure.h"
#include "collectors/profilers/mpi/trace/samples.h"
#include "collectors/profilers/mpi/trace/stretches.h"
#include "collectors/profilers/mpi/trace/trace.h"
#include "collectors/profilers/mpi/trace/trace_events.h"
#include "collectors/profilers/mpi/trace/trace_file.h"
#include "collectors/profilers/mpi/trace/trace_name.h"
#include "collectors/profilers/mpi/trace/trace_tail.h"
#include "collectors/profilers/mpi/weak_symbols.h"
#include "predictor/trace/trace_format.h"

#define SAMPLE_PERIOD_S 0.004

static struct {
	bool on;
	atomic_bool others; /* another thread called MPI */
	struct trace_file file;
	struct stretches stretches;
	int ranks;
	struct trace_address last;
	double work_s; /* at the last event */
	double ran_s;  /* at the end */
} trace = { .file.fd = -1 };

static double unix_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Each of the programs that a step runs one after the other has a file of
 * its own. */
static int file_begin(int rank, int ranks)
{
	uint8_t head[TRACE_HEADER_BYTES + TRACE_PROGRAM_BYTES];
	size_t size = trace_encode_header(rank, ranks, head);
	char path[TRACE_NAME_SIZE];
	int rc = -1;

	size += trace_encode_program(program_invocation_short_name, unix_time(),
				     head + size);
	errno = EEXIST;
	for (int i = 0; rc && errno == EEXIST && i < TRACE_PROGRAMS; i++) {
		if (trace_name_make(rank, ranks, i, path))
			return -1;
		rc = trace_file_open(&trace.file, path,
				     trace_file_share(ranks));
	}
	return rc ? -1 : trace_file_add(&trace.file, head, size);
}

void trace_begin(int rank, int ranks)
{
	if (!trace_name_is_set() || ranks > TRACE_RANKS_MAX)
		return;
	/* All ranks call it, also those that can have no file. */
	online_begin(rank, ranks);
	trace.ranks = ranks;
	procedure_begin();
	trace.on = !communicators_begin() && !file_begin(rank, ranks);
	if (trace.on)
		samples_begin(SAMPLE_PERIOD_S);
	else
		online_stop();
}

/* What trace_wanted() gave stays: MPI may be about to write there. */
void trace_stop(void)
{
	struct procedure_measure unused;

	trace.on = false;
	procedure_end(&unused);
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
	size_t size =
		event->call == CALL_END
			? trace_encode_end(event, trace.ran_s,
					   online_result(online_s) ? online_s
								   : NULL,
					   bytes)
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
	event->unmeasured = procedure_is_unknown();
	trace.work_s = work_s;
	if (event->unmeasured)
		online_stop();
	online_event(event);
	stretches_count(stretches, event);
	if (!stretches->skipped)
		event_write(event);
	if (event->ends_stretch && trace.on &&
	    stretches_next(stretches, &trace.file, &gap)) {
		gap.unmeasured = event->unmeasured;
		event_write(&gap);
	}
}

void trace_add(struct trace_event event)
{
	event_add_at(&event, session_work_s());
}

void trace_end(double work_s, double ran_s)
{
	struct trace_event event = { .call = CALL_END }, gap;
	struct stretches *stretches = &trace.stretches;
	uint8_t tail[TRACE_TAIL_BYTES];

	trace.ran_s = ran_s;
	if (trace.on && !trace.others) {
		event_add_at(&event, work_s);
		if (trace.on && stretches_end(stretches, &gap)) {
			gap.unmeasured = event.unmeasured;
			event_write(&gap);
			event = (struct trace_event){
				.call = CALL_END,
				.unmeasured = gap.unmeasured,
			};
			if (trace.on)
				event_write(&event);
		}
		if (trace.on)
			trace_file_add(&trace.file, tail,
				       trace_tail_make(tail));
	}
	online_end();
	trace_stop();
	trace_requests_clear();
}

uint64_t trace_bytes(int count, MPI_Datatype type)
{
	int size;

	if (count <= 0 || type == MPI_DATATYPE_NULL ||
	    PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0)
		return 0;
	return (uint64_t)count * (uint64_t)size;
}

void trace_add_sent(uint64_t bytes, int to, int tag,
		    const struct communicator *comm, bool blocks)
{
	int peer = comm ? communicator_world_rank(comm, to) : -1;

	if (peer >= 0)
		trace_add((struct trace_event){ .call = blocks ? CALL_SEND
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
		trace_add_sent(trace_bytes(count, type), to, tag,
			       communicator_find(comm), blocks);
}

void trace_add_received(bool any, bool asked, const struct communicator *comm,
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
	trace_add(
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
		trace_add_received(from == MPI_ANY_SOURCE, false,
				   communicator_find(comm), status);
}

/* comm: NULL, if it is not known. */
static void collective_add(struct trace_collective what,
			   const struct communicator *comm)
{
	if (!comm) {
		trace_stop();
		return;
	}
	trace_add((struct trace_event){
		.call = CALL_ALL,
		.tag = trace.last.tag,
		.comm = comm->id,
		.bytes = what.bytes,
		.to_each = what.to_each,
		.ends_stretch = !comm->inter && comm->size == trace.ranks });
	online_collective(comm, true);
}

void trace_add_begun(int request, struct trace_collective what,
		     const struct communicator *comm)
{
	trace_add((struct trace_event){ .call = CALL_IALL,
					.peer = request,
					.tag = trace.last.tag,
					.comm = comm->id,
					.bytes = what.bytes,
					.to_each = what.to_each,
					.combined = what.combined });
	online_collective(comm, false);
}

/* Between two groups, some processes need not give count and type. */
struct trace_collective trace_collective_of(enum trace_size size,
					    const int counts[],
					    MPI_Datatype type,
					    const struct communicator *comm)
{
	struct trace_collective what = { .to_each = size >= TRACE_EACH,
					 .combined = size == TRACE_COMBINED };
	int times = size == TRACE_ALL || size == TRACE_EACH ? comm->size : 1;

	if (size == TRACE_UNSIZED || comm->inter)
		return (struct trace_collective){ 0 };
	if (size == TRACE_SUM || size == TRACE_EACH_SUM)
		for (int i = 0; i < comm->size; i++)
			what.bytes += trace_bytes(counts[i], type);
	else
		what.bytes = (uint64_t)times * trace_bytes(counts[0], type);
	return what;
}

void trace_collective(enum trace_size size, const int counts[],
		      MPI_Datatype type, MPI_Comm comm)
{
	if (!trace_is_on())
		return;

	const struct communicator *found = communicator_find(comm);

	if (found)
		collective_add(trace_collective_of(size, counts, type, found),
			       found);
	else
		trace_stop();
}

void trace_made(MPI_Comm comm, MPI_Comm made)
{
	if (!trace_is_on())
		return;
	collective_add((struct trace_collective){ 0 },
		       communicator_made(made) ? NULL
					       : communicator_find(comm));
}

void trace_unknown(void)
{
	if (trace_is_on())
		trace_stop();
}
