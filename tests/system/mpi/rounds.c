/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rounds.c - an MPI program of many short rounds, for a trace that is sampled
 *
 * In a round each rank works, one more than the one before it; then a ring, and
 * a sum over all.
 *
 * usage: rounds ROUNDS WORK [crossing]	messages arrive a round later
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

static volatile unsigned load = 1;

void work(int rounds); /* may be measured as a procedure */

void work(int rounds)
{
	for (int i = 0; i < rounds * 100; i++)
		load = load * 5 + 1;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[1]) : 1;
	int amount = argc > 2 ? atoi(argv[2]) : 1;
	int crossing = argc > 3;
	int rank, size, in = 0, sum = 0;
	MPI_Request request = MPI_REQUEST_NULL;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < rounds; i++) {
		if (!crossing || !i)
			MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1,
				  MPI_COMM_WORLD, &request);
		work(amount * (rank + 1));
		MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
		if (!crossing)
			MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		if (!crossing)
			continue;
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		if (i + 1 < rounds)
			MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1,
				  MPI_COMM_WORLD, &request);
	}
	if (rank == 0)
		printf("sum %d\n", sum);
	MPI_Finalize();
	return 0;
}
