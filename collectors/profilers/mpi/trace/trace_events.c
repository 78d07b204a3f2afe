/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_events.c - how events come into the trace
 *
 * An event has the CPU time since the event before, without what MPI took.  It
 * is written after the call, since only then source, tag and size of a receive
 * are known.  Where the file fills up, stretches of events are left out.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/trace/online_path.h"
#include "collectors/profilers/mpi/trace/procedure.h"
#include "collectors/profilers/mpi/trace/samples.h"
#include "collectors/profilers/mpi/trace/trace_events.h"
#include "collectors/profilers/mpi/trace/trace_file.h"
#include "collectors/profilers/mpi/trace/trace_name.h"
#include "collectors/profilers/mpi/weak_symbols.h"
#include "predictor/trace/trace_format.h"
#include "predictor/trace/trace_stretches.h"

/* --- What of a long run is recorded --------------------------------------- */

/* While the first half of the file fills all is recorded; with each half of
 * the rest the level goes up by one (predictor/trace/trace_stretches.h). */
struct stretches {
	uint64_t number; /* of the one that we are in */
	int level;
	bool skipped;    /* it is not recorded */
	int64_t balance; /* trace_balance() so far */
	/* Not recorded since the last event in the file. */
	double work_s, procedure_s;
};

static int find_level(const struct trace_file *file)
{
	size_t room = file->max - file->written;
	int level = 0;

	while (level < TRACE_LEVELS - 1 && room <= file->max >> (level + 1))
		level++;
	return level;
}

/* Count an event that happened, in what is recorded or not. */
static void stretches_count(struct stretches *s,
			    const struct trace_event *event)
{
	s->balance += trace_balance(event);
	if (!s->skipped)
		return;
	s->work_s += event->work_s;
	s->procedure_s += event->procedure_s;
}

static struct trace_event take_gap(struct stretches *s)
{
	struct trace_event gap = {
		.call = CALL_GAP,
		.work_s = s->work_s,
		.procedure_s = s->procedure_s,
		.bytes = s->number,
		.peer = (int32_t)s->balance,
		.level = (uint8_t)s->level,
	};

	s->work_s = s->procedure_s = 0;
	return gap;
}

/* End a stretch; return whether an event *ret_gap comes before the next
 * one's. */
static bool stretches_next(struct stretches *s, const struct trace_file *file,
			   struct trace_event *ret_gap)
{
	int level = find_level(file);
	bool marked = s->skipped || level != s->level;

	s->number++;
	s->level = level;
	s->skipped = !trace_stretch_is_recorded(s->number, level);
	if (s->skipped || !marked)
		return false;
	*ret_gap = take_gap(s);
	return true;
}

/* Return whether *ret_gap comes before CALL_END: the run ends in what is not
 * recorded. */
static bool stretches_end(struct stretches *s, struct trace_event *ret_gap)
{
	if (!s->skipped)
		return false;
	s->level = TRACE_NO_LEVEL;
	*ret_gap = take_gap(s);
	return true;
}

/* --- The file ------------------------------------------------------------- */

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

int trace_events_begin(int rank, int ranks)
{
	trace.ranks = ranks;
	trace.on = !file_begin(rank, ranks);
	return trace.on ? 0 : -1;
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
	switch (current_call()) {
	case CURRENT_OUTER:
		break;
	case CURRENT_OTHER_THREAD:
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
	event_add_at(&event, current_call_work_s());
}

#define TRACE_TAIL_BYTES (TRACE_PROCEDURES_BYTES + TRACE_MEASURE_BYTES)

/* End samples and the measure of a procedure, and write both.  Return the
 * bytes written. */
static size_t trace_tail_make(uint8_t out[TRACE_TAIL_BYTES])
{
	struct procedure_work of[PROCEDURE_WORK_COUNT];
	struct procedure_measure measure;
	int count = samples_end(of, PROCEDURE_WORK_COUNT);
	size_t size = trace_encode_procedures(of, count, out);

	procedure_end(&measure);
	if (*measure.name)
		size += trace_encode_measure(&measure, out + size);
	return size;
}

void trace_events_end(double work_s, double ran_s)
{
	struct trace_event event = { .call = CALL_END }, gap;
	struct stretches *stretches = &trace.stretches;
	uint8_t tail[TRACE_TAIL_BYTES];

	trace.ran_s = ran_s;
	if (!trace.on || trace.others)
		return;
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
		trace_file_add(&trace.file, tail, trace_tail_make(tail));
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

void trace_add_collective(struct trace_collective what,
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
