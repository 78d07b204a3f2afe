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
 *
 * Messages are counted by MPI itself where it can: Open MPI's monitoring
 * component also counts those of collective operations.  Elsewhere the calls
 * that send to one process are counted, and the file says "collectives no".
 * The line that recognises a farm is without collective operations: a farm may
 * begin and end with some, whose messages meet in other processes.  Which
 * messages are replies is only known of calls that send or receive a message of
 * one process and wait for it.
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
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "collectors/profilers/mpi/count/monitoring.h"
#include "collectors/profilers/mpi/count/node_names.h"
#include "collectors/profilers/mpi/count/rank_tasks.h"
#include "collectors/profilers/mpi/session.h"
#include "collectors/profilers/mpi/trace/receives.h"
#include "collectors/profilers/mpi/trace/samples.h"
#include "collectors/profilers/mpi/trace/trace.h"
#include "collectors/profilers/mpi/weak_symbols.h"

#define PATH_SIZE 1024
/* Ranks end at different times; longer than this nobody is waited for. */
#define NAMES_WAIT_S     10.0
#define NAMES_WAIT_SHARE 0.1 /* of the time that the program ran */

struct clocks {
	double wall_s, cpu_s;
};

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
	atomic_bool started;
	pthread_t thread;
	struct clocks begin, end, entered, in_mpi;
	int rank, size;
	uint64_t asked_any; /* receives from any source */
	uint32_t collectives;
	struct sent *to; /* by rank; NULL: there was no memory */
} self;

/* The depth of calls within calls. */
static _Thread_local int depth;

static double clock_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct clocks clocks_read(void)
{
	return (struct clocks){ clock_s(CLOCK_MONOTONIC),
				clock_s(CLOCK_THREAD_CPUTIME_ID) };
}

bool session_is_measured(void)
{
	return self.started && pthread_equal(self.thread, pthread_self());
}

void session_enter(void)
{
	if (depth++ == 0 && session_is_measured()) {
		self.entered = clocks_read();
		samples_enter();
	}
}

void session_leave(void)
{
	if (--depth > 0 || !session_is_measured())
		return;

	struct clocks left = clocks_read();

	self.in_mpi.wall_s += left.wall_s - self.entered.wall_s;
	self.in_mpi.cpu_s += left.cpu_s - self.entered.cpu_s;
	samples_leave();
}

enum session_call session_call(void)
{
	if (!self.started)
		return SESSION_NONE;
	if (depth > 1)
		return SESSION_INNER;
	return session_is_measured() ? SESSION_OUTER : SESSION_OTHER_THREAD;
}

/* --- Messages that we count ourselves ------------------------------------ */

int session_rank_in_world(int rank, MPI_Comm comm)
{
	MPI_Group group, world;
	int inter, ret = -1;

	if (comm == MPI_COMM_WORLD || rank < 0)
		return rank < self.size ? rank : -1;
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
	return ret < self.size ? ret : -1;
}

double session_work_now_s(void)
{
	return clock_s(CLOCK_THREAD_CPUTIME_ID) - self.begin.cpu_s -
	       self.in_mpi.cpu_s;
}

double session_work_s(void)
{
	return self.entered.cpu_s - self.begin.cpu_s - self.in_mpi.cpu_s;
}

/* A message is a reply if one was received from the same process since the last
 * message to it, and most of the work in between was done before that. */
static bool is_reply(const struct sent *to)
{
	double before_s = to->work_received_s - to->work_s;
	double after_s = session_work_s() - to->work_received_s;

	return before_s > 0 && after_s < before_s;
}

void session_sent(int count, MPI_Datatype type, int to, MPI_Comm comm)
{
	int size, rank;

	if (depth > 1 || !self.started || !self.to)
		return;
	rank = session_rank_in_world(to, comm);
	if (rank < 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS)
		return;

	struct sent *sent = &self.to[rank];
	uint64_t bytes = (uint64_t)count * (uint64_t)size;

	sent->messages++;
	sent->bytes += bytes;
	sent->long_messages += bytes >= SESSION_LONG_BYTES;
	if (!session_is_measured())
		return;
	sent->replies += is_reply(sent);
	sent->work_s = session_work_s();
	rank_tasks_end(&sent->tasks, sent->work_s, self.collectives);
}

void session_asked(int from)
{
	if (depth == 1 && session_is_measured())
		self.asked_any += from == MPI_ANY_SOURCE;
}

/* Most programs receive a message as soon as they have found it. */
#define MATCHES_MAX 64

static struct session_match matches[MATCHES_MAX];
static int matches_count;

void session_matched(uintptr_t message, int from, MPI_Comm comm)
{
	if (depth == 1 && session_is_measured() && matches_count < MATCHES_MAX)
		matches[matches_count++] =
			(struct session_match){ message, from, comm };
}

bool session_match_take(uintptr_t message, struct session_match *ret)
{
	if (depth != 1 || !session_is_measured())
		return false;
	for (int i = 0; i < matches_count; i++)
		if (matches[i].message == message) {
			*ret = matches[i];
			matches[i] = matches[--matches_count];
			return true;
		}
	return false;
}

void session_received(int from, MPI_Comm comm)
{
	int rank;

	if (depth > 1 || !session_is_measured() || !self.to)
		return;
	rank = session_rank_in_world(from, comm);
	if (rank < 0)
		return;
	self.to[rank].work_received_s = session_work_s();
	rank_tasks_begin(&self.to[rank].tasks, session_work_s(),
			 self.collectives);
}

void session_received_later(int rank, bool from_any)
{
	if (!self.to)
		return;
	self.asked_any += from_any;
	if (rank >= 0 && rank < self.size)
		rank_tasks_begin(&self.to[rank].tasks, session_work_s(),
				 self.collectives);
}

void session_collective(MPI_Comm comm)
{
	int size;

	if (depth == 1 && session_is_measured() &&
	    PMPI_Comm_size(comm, &size) == MPI_SUCCESS && size > 1)
		self.collectives++;
}

/* --- The file ------------------------------------------------------------ */

/* Copy the counts of calls, where MPI did not count. */
static void calls_copy(struct monitoring_counts to[])
{
	for (int i = 0; i < self.size; i++) {
		const struct sent *sent = &self.to[i];

		to[i] = (struct monitoring_counts){
			.messages = sent->messages,
			.bytes = sent->bytes,
			.long_messages = sent->long_messages,
			.direct_messages = sent->messages,
			.direct_bytes = sent->bytes,
		};
	}
}

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
		*ret_replies += self.to[i].replies;
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
			tasks = self.to[i].tasks;
		}
	}
	fprintf(file, "rank %d %d %llu %llu %llu %llu %llu %.6f %u %.6f %.9g\n",
		self.rank, peer_rank, (unsigned long long)all.direct_messages,
		(unsigned long long)all.direct_bytes,
		(unsigned long long)peer.direct_messages,
		(unsigned long long)peer.direct_bytes,
		(unsigned long long)self.asked_any,
		self.end.cpu_s - self.begin.cpu_s - self.in_mpi.cpu_s,
		tasks.count, tasks.sum_s, tasks.sum_s2);
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
		self.end.wall_s - self.begin.wall_s,
		self.end.cpu_s - self.begin.cpu_s);
	fprintf(file, "mpi_seconds %.6f\nmpi_cpu %.6f\ncollectives %s\n",
		self.in_mpi.wall_s, self.in_mpi.cpu_s, counted ? "yes" : "no");
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
	if (self.started || !getenv(SESSION_FOLDER) || !MPI_COMM_WORLD)
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &self.size);
	self.to = calloc((size_t)self.size, sizeof(*self.to));
	self.thread = pthread_self();
	trace_begin(self.rank, self.size);
	self.begin = clocks_read();
	self.started = true;
}

char *session_end(void)
{
	if (!session_is_measured() || !self.to)
		return NULL;
	self.end = clocks_read();

	double ran_s = self.end.wall_s - self.begin.wall_s;

	trace_end(self.end.cpu_s - self.begin.cpu_s - self.in_mpi.cpu_s, ran_s);
	self.started = false;
	receives_clear();
	return node_names_exchange(
		self.rank, self.size,
		fmax(NAMES_WAIT_S, NAMES_WAIT_SHARE * ran_s));
}

void session_report(char *nodes)
{
	const char *folder = getenv(SESSION_FOLDER);

	struct monitoring_counts *to =
		nodes && folder ? calloc((size_t)self.size, sizeof(*to)) : NULL;

	if (to) {
		bool counted =
			monitoring_read(folder, self.rank, self.size, to);

		if (!counted)
			calls_copy(to);
		report_write(folder, nodes, to, counted);
	}
	free(to);
	free(nodes);
}
