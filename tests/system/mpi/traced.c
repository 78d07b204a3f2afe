/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced.c - an MPI program with calls of many kinds, whose events are known
 *
 * In each of 20 rounds, on an even number of ranks: a duplicate of the world, a
 * half of it and a ring of persistent requests; receives from any rank;
 * requests waited for in all ways; collectives that do not block; a receive
 * that is cancelled.
 *
 * usage: traced [die]	rank 1 kills itself after 10 rounds
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#define ROUNDS 20
#define WORDS  4000

static int rank, size, total;
static int load[WORDS], out[WORDS], in[4][WORDS];

static void work(int rounds)
{
	for (int k = 0; k < rounds; k++)
		for (int i = 0; i < WORDS; i++)
			load[i] = load[i] * 5 + k;
}

/* Each to its neighbour in a ring, with requests made once. */
static void ring(MPI_Request *send, MPI_Request *receive)
{
	MPI_Request both[2] = { *receive, *send };

	MPI_Startall(2, both);
	work(50);
	MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
	total += in[0][1];
}

/* Rank 0 of comm gets one message from each other, in any order. */
static void gather_any(MPI_Comm comm, int tag, int asked)
{
	int me, all;

	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &all);
	if (me != 0)
		MPI_Send(out, 100 + me, MPI_INT, 0, tag, comm);
	for (int i = 1; me == 0 && i < all; i++)
		MPI_Recv(in[1], WORDS, MPI_INT, MPI_ANY_SOURCE, asked, comm,
			 MPI_STATUS_IGNORE);
}

/* From the last rank to all others, who ask four times each. */
static void ask_all(MPI_Comm comm)
{
	MPI_Request request[4];
	int done = 0, which[4], index, count, flag = 0;

	if (rank == size - 1) {
		for (int i = 0; i < 4 * (size - 1); i++)
			MPI_Send(out, 10 + i % 4, MPI_INT, i / 4, i % 4, comm);
		return;
	}
	for (int i = 0; i < 4; i++)
		MPI_Irecv(in[i], WORDS, MPI_INT, size - 1, i, comm,
			  &request[i]);
	MPI_Waitany(4, request, &index, MPI_STATUS_IGNORE);
	for (done = 1; done<3; done += count> 0 ? count : 0)
		MPI_Waitsome(4, request, &count, which, MPI_STATUSES_IGNORE);
	while (!flag)
		MPI_Testall(4, request, &flag, MPI_STATUSES_IGNORE);
}

static void collectives(MPI_Comm comm)
{
	MPI_Request request;
	int flag = 0;

	MPI_Iallreduce(out, in[2], 10, MPI_INT, MPI_SUM, comm, &request);
	work(20);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Ibarrier(comm, &request);
	while (!flag)
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
	MPI_Bcast(out, 5, MPI_INT, 0, comm);
}

static void cancelled(MPI_Comm comm)
{
	MPI_Request request;

	MPI_Irecv(in[3], WORDS, MPI_INT, MPI_ANY_SOURCE, 999, comm, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int dies = argc > 1 && strcmp(argv[1], "die") == 0;
	MPI_Request send, receive;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Send_init(out, WORDS, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD,
		      &send);
	MPI_Recv_init(in[0], WORDS, MPI_INT, (rank + size - 1) % size, 7,
		      MPI_COMM_WORLD, &receive);
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Comm copy, half;

		if (dies && i == 10 && rank == 1)
			kill(getpid(), SIGKILL);
		MPI_Comm_dup(MPI_COMM_WORLD, &copy);
		MPI_Comm_split(copy, rank % 2, rank, &half);
		work(400 * (rank + 1));
		out[1] = i * (rank + 1);
		ring(&send, &receive);
		gather_any(copy, 10 + i, 10 + i);
		gather_any(half, i, MPI_ANY_TAG);
		ask_all(copy);
		collectives(half);
		cancelled(copy);
		MPI_Comm_free(&half);
		MPI_Comm_free(&copy);
	}
	MPI_Request_free(&send);
	MPI_Request_free(&receive);
	MPI_Reduce(rank ? &total : MPI_IN_PLACE, &total, 1, MPI_INT, MPI_SUM, 0,
		   MPI_COMM_WORLD);
	if (rank == 0)
		printf("total %d\n", total);
	MPI_Finalize();
	return 0;
}
