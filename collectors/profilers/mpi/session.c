/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.c - time in MPI and messages of one process, written to a file
 *
 * libpredict_mpi.so is preloaded (LD_PRELOAD) into any dynamically linked
 * program, and stands between it and MPI by MPI's own profiling interface:
 * calls.c for C and C++, fortran_calls.c for Fortran.  It measures how long the
 * thread that began MPI was in it and how much CPU time that took, and how many
 * messages of how many bytes all threads sent to each other process.  After
 * MPI_Finalize it writes these, summed up by node, to a file in the folder that
 * PREDICT_MPI_DIR names.  A program that does not use MPI does not notice it.
 * Times are taken in current_call.c, messages counted in count/, and calls
 * traced in trace/; this file begins and ends them all, and reports.
 *
 * Messages are counted by MPI itself where it can: Open MPI's monitoring
 * component also counts those of collective operations.  Elsewhere the calls
 * that send to one process are counted, and the file says "collectives no".
 * The line that recognises a farm is without collective operations: a farm may
 * begin and end with some, whose messages meet in other processes.
 *
 * Built with the mpicc in PATH, as the interface between program and library
 * differs from one MPI to the other; not linked with MPI, so that it can be
 * loaded where there is none.
 *
 * The file, of lines "NAME VALUE...", is read by mpi_report.c:
 *	node n2
 *	seconds 12.5		from the end of MPI_Init to MPI_Finalize
 *	cpu 11.9		CPU time of the main thread in it
 *	mpi_seconds 3.1		thereof in MPI
 *	mpi_cpu 2.9		CPU time thereof
 *	collectives yes
 *	to n1 1200 9600000 60 11	messages and bytes sent to processes
 *				there, how many of them replies, how many long
 *	rank 3 0 1200 9600000 1200 9600000 0 0.8 1199 10.5 0.1
 *				see rank_print()
 *	end
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "collectors/profilers/mpi/count/monitoring.h"
#include "collectors/profilers/mpi/count/node_names.h"
#include "collectors/profilers/mpi/count/rank_messages.h"
#include "collectors/profilers/mpi/count/receives.h"
#include "collectors/profilers/mpi/current_call.h"
#include "collectors/profilers/mpi/session.h"
#include "collectors/profilers/mpi/trace/trace.h"
#include "collectors/profilers/mpi/weak_symbols.h"

#define PATH_SIZE 1024
/* Ranks end at different times; longer than this nobody is waited for. */
#define NAMES_WAIT_S     10.0
#define NAMES_WAIT_SHARE 0.1 /* of the time that the program ran */

static struct {
	int rank, size;
	bool counts; /* messages; else there was no memory */
	struct call_times times;
} self;

/* --- The file ------------------------------------------------------------ */

/* Sums over all ranks on the node of rank `first`; false: there are no
 * messages, or an earlier rank is on that node. */
static bool node_sum(const char *nodes, const struct monitoring_counts to[],
		     int first, struct monitoring_counts *ret,
		     uint64_t *ret_replies)
{
	const char *node = nodes + (size_t)first * NODE_NAME_SIZE;

	*ret = (struct monitoring_counts){ 0 };
	*ret_replies = 0;
	for (int i = 0; i < self.size; i++) {
		if (strcmp(nodes + (size_t)i * NODE_NAME_SIZE, node) != 0)
			continue;
		if (i < first)
			return false;
		ret->messages += to[i].messages;
		ret->bytes += to[i].bytes;
		ret->long_messages += to[i].long_messages;
		*ret_replies += rank_messages_replies(i);
	}
	return ret->messages > 0;
}

/* What recognises a farm, in one line, without collective operations: this rank
 * and the one that it sent most messages to, or -1; messages and bytes to all,
 * and to that one; receives from any; CPU time outside of MPI; tasks that it
 * had of that one, the sum of their CPU times, and that of the squares. */
static void rank_print(FILE *file, const struct monitoring_counts to[])
{
	struct monitoring_counts all = { 0 }, peer = { 0 };
	struct rank_tasks tasks = { 0 };
	int peer_rank = -1;

	for (int i = 0; i < self.size; i++) {
		if (i == self.rank)
			continue;
		all.direct_messages += to[i].direct_messages;
		all.direct_bytes += to[i].direct_bytes;
		if (to[i].direct_messages > peer.direct_messages) {
			peer = to[i];
			peer_rank = i;
			tasks = rank_messages_tasks(i);
		}
	}
	fprintf(file, "rank %d %d %llu %llu %llu %llu %llu %.6f %u %.6f %.9g\n",
		self.rank, peer_rank, (unsigned long long)all.direct_messages,
		(unsigned long long)all.direct_bytes,
		(unsigned long long)peer.direct_messages,
		(unsigned long long)peer.direct_bytes,
		(unsigned long long)rank_messages_from_any(),
		self.times.cpu_s - self.times.mpi_cpu_s, tasks.count,
		tasks.sum_s, tasks.sum_s2);
}

static void nodes_print(FILE *file, const char *nodes,
			const struct monitoring_counts to[])
{
	const char *own = nodes + (size_t)self.rank * NODE_NAME_SIZE;

	for (int i = 0; i < self.size; i++) {
		const char *node = nodes + (size_t)i * NODE_NAME_SIZE;
		struct monitoring_counts sum;
		uint64_t replies;

		if (strcmp(node, own) != 0 &&
		    node_sum(nodes, to, i, &sum, &replies))
			fprintf(file, "to %s %llu %llu %llu %llu\n", node,
				(unsigned long long)sum.messages,
				(unsigned long long)sum.bytes,
				(unsigned long long)replies,
				(unsigned long long)sum.long_messages);
	}
}

static void report_print(FILE *file, const char *nodes,
			 const struct monitoring_counts to[], bool counted)
{
	const char *own = nodes + (size_t)self.rank * NODE_NAME_SIZE;

	fprintf(file, "node %s\nseconds %.6f\ncpu %.6f\n", own,
		self.times.wall_s, self.times.cpu_s);
	fprintf(file, "mpi_seconds %.6f\nmpi_cpu %.6f\ncollectives %s\n",
		self.times.mpi_wall_s, self.times.mpi_cpu_s,
		counted ? "yes" : "no");
	nodes_print(file, nodes, to);
	rank_print(file, to);
	fputs("end\n", file);
}

static void report_write(const char *folder, const char *nodes,
			 const struct monitoring_counts to[], bool counted)
{
	char path[PATH_SIZE];
	int fd;

	snprintf(path, sizeof(path), "%s/%d.%d", folder, self.rank,
		 (int)getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  0600);
	if (fd < 0)
		return;

	FILE *file = fdopen(fd, "w");

	if (!file) {
		close(fd);
		return;
	}
	report_print(file, nodes, to, counted);
	fclose(file);
}

/* --- Begin and end ------------------------------------------------------- */

void session_begin(void)
{
	/* NULL: MPI was loaded later than this library. */
	if (current_call() != CURRENT_NONE || !getenv(MONITORING_FOLDER) ||
	    !MPI_COMM_WORLD)
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &self.size);
	self.counts = rank_messages_begin(self.size) == 0;
	trace_begin(self.rank, self.size);
	current_call_begin();
}

char *session_end(void)
{
	if (!current_call_is_measured() || !self.counts)
		return NULL;
	self.times = current_call_times();
	trace_end(self.times.cpu_s - self.times.mpi_cpu_s, self.times.wall_s);
	current_call_end();
	receives_clear();
	return node_names_exchange(
		self.rank, self.size,
		fmax(NAMES_WAIT_S, NAMES_WAIT_SHARE * self.times.wall_s));
}

void session_report(char *nodes)
{
	const char *folder = getenv(MONITORING_FOLDER);

	struct monitoring_counts *to =
		nodes && folder ? calloc((size_t)self.size, sizeof(*to)) : NULL;

	if (to) {
		bool counted =
			monitoring_read(folder, self.rank, self.size, to);

		if (!counted)
			rank_messages_copy(to);
		report_write(folder, nodes, to, counted);
	}
	free(to);
	free(nodes);
}
