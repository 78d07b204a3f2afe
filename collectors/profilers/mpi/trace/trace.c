/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.c - each call of MPI that one process makes, in a file
 *
 * A receive that does not block is an event where it is complete
 * (trace_requests.c), a send is one where it is made or started; a collective
 * that does not block is two, where it begins and where it is complete.
 */
#include "collectors/profilers/mpi/count/communicator.h"
#include "collectors/profilers/mpi/trace/online_path.h"
#include "collectors/profilers/mpi/trace/procedure.h"
#include "collectors/profilers/mpi/trace/samples.h"
#include "collectors/profilers/mpi/trace/trace.h"
#include "collectors/profilers/mpi/trace/trace_name.h"
#include "collectors/profilers/mpi/trace/trace_requests.h"
#include "collectors/profilers/mpi/weak_symbols.h"

#define SAMPLE_PERIOD_S 0.004

void trace_begin(int rank, int ranks)
{
	if (!trace_name_is_set() || ranks > TRACE_RANKS_MAX)
		return;
	/* All ranks call it, also those that can have no file. */
	online_begin(rank, ranks);
	procedure_begin();
	if (!communicators_begin() && !trace_events_begin(rank, ranks))
		samples_begin(SAMPLE_PERIOD_S);
	else
		online_stop();
}

void trace_end(double work_s, double ran_s)
{
	trace_events_end(work_s, ran_s);
	online_end();
	trace_stop();
	trace_requests_clear();
}

void trace_sent(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
		bool blocks)
{
	if (trace_is_on())
		trace_add_sent(trace_bytes(count, type), to, tag,
			       communicator_find(comm), blocks);
}

void trace_received(int from, MPI_Comm comm, const MPI_Status *status)
{
	if (trace_is_on())
		trace_add_received(from == MPI_ANY_SOURCE, false,
				   communicator_find(comm), status);
}

void trace_collective(enum trace_size size, const int counts[],
		      MPI_Datatype type, MPI_Comm comm)
{
	if (!trace_is_on())
		return;

	const struct communicator *found = communicator_find(comm);

	if (found)
		trace_add_collective(
			trace_collective_of(size, counts, type, found), found);
	else
		trace_stop();
}

void trace_made(MPI_Comm comm, MPI_Comm made)
{
	if (!trace_is_on())
		return;
	trace_add_collective((struct trace_collective){ 0 },
			     communicator_made(made) ? NULL
						     : communicator_find(comm));
}

void trace_unknown(void)
{
	if (trace_is_on())
		trace_stop();
}
