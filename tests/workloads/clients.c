/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clients.c - a server that is the bottleneck of its clients
 *
 * After the synthetic parallel application of [1], section 3.2: clients work
 * and then ask the server, in turn with two kinds of requests.  The server
 * works for each in serve_first() or serve_second(), and replies.  With -m 1 or
 * -m 2 the clients do the work of the first or the second kind themselves,
 * before they receive the reply, as in [1], figure 1.
 *
 * usage: clients [-n REQUESTS] [-w ROUNDS] [-m KIND]
 *
 * REQUESTS of each client; a client works for a ROUND before each,
 * serve_first() takes 2 and serve_second() 1.
 *
 * [1] H. Eom and J. K. Hollingsworth, Load Balancing Factor (LBF): A Workload
 *     Migration Metric, CS-TR-4375, University of Maryland, 1998.
 */
#include <stdint.h>
#include <stdio.h>

#include <mpi.h>

#include "tests/workloads/options.h"

enum { TAG_REQUEST = 1, TAG_REPLY };
enum { BYTES = 256, ROUND = 100000, MAX_NUMBER = 1000000000 };

struct options {
	int requests;
	int rounds;
	int moved; /* kind that the clients do themselves, or 0 */
};

static volatile uint64_t kept; /* so that no work is left out */

static void work(int rounds)
{
	uint64_t x = 88172645463325252u;

	for (int64_t i = 0; i < (int64_t)rounds * ROUND; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	kept += x;
}

/* The procedures of the two kinds, which are found by their names. */
void serve_first(int rounds);
void serve_second(int rounds);

__attribute__((noinline)) void serve_first(int rounds)
{
	work(2 * rounds);
}

__attribute__((noinline)) void serve_second(int rounds)
{
	work(rounds);
}

static void serve(int kind, int rounds)
{
	if (kind == 1)
		serve_first(rounds);
	else
		serve_second(rounds);
}

static void server(const struct options *o, int clients)
{
	int message[BYTES / sizeof(int)];

	for (int64_t i = 0; i < (int64_t)clients * o->requests; i++) {
		MPI_Status from;

		MPI_Recv(message, BYTES, MPI_BYTE, MPI_ANY_SOURCE, TAG_REQUEST,
			 MPI_COMM_WORLD, &from);
		if (message[0] != o->moved)
			serve(message[0], o->rounds);
		MPI_Send(message, BYTES, MPI_BYTE, from.MPI_SOURCE, TAG_REPLY,
			 MPI_COMM_WORLD);
	}
}

static void client(const struct options *o)
{
	int message[BYTES / sizeof(int)] = { 0 };

	for (int i = 0; i < o->requests; i++) {
		int kind = 1 + i % 2;

		message[0] = kind;
		work(o->rounds);
		MPI_Send(message, BYTES, MPI_BYTE, 0, TAG_REQUEST,
			 MPI_COMM_WORLD);
		if (kind == o->moved)
			serve(kind, o->rounds);
		MPI_Recv(message, BYTES, MPI_BYTE, 0, TAG_REPLY, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	}
}

static struct options given = { .requests = 100, .rounds = 50 };

static int run(int rank, int size)
{
	double begin_s = MPI_Wtime();

	if (rank == 0)
		server(&given, size - 1);
	else
		client(&given);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d clients, %d requests of each, %.3f s\n", size - 1,
		       given.requests, MPI_Wtime() - begin_s);
	return 0;
}

int main(int argc, char **argv)
{
	const struct option_row rows[] = {
		{ 'n', 1, MAX_NUMBER, &given.requests },
		{ 'w', 1, MAX_NUMBER, &given.rounds },
		{ 'm', 0, 2, &given.moved },
		{ 0 },
	};

	return options_main(argc, argv, rows,
			    "[-n REQUESTS] [-w ROUNDS] [-m KIND], "
			    "on 2 processes at least",
			    2, run);
}
