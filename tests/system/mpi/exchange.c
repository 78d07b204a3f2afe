/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exchange.c - an MPI program whose messages are known; C and C++
 *
 * In each of 50 rounds rank 0 sends 800 bytes to rank 1, which works and
 * replies with 72,000 bytes; then each sends 80 bytes to the next, and all make
 * a sum.
 */
#include <math.h>
#include <stdio.h>

#include <mpi.h>

#define ROUNDS 50
#define WORDS  9000

static double out[WORDS], in[WORDS];

static void work(void)
{
	for (int k = 0; k < 200; k++)
		for (int i = 0; i < WORDS; i++)
			in[k] = in[k] * 0.5 + sin(out[i]);
}

int main(int argc, char **argv)
{
	int rank, size, provided;
	double total = 0;
	MPI_Request request;
	MPI_Status status;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < WORDS; i++)
		out[i] = rank;
	for (int i = 0; i < ROUNDS; i++) {
		if (rank == 0) {
			MPI_Send(out, 100, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
			work();
			MPI_Recv(in, WORDS, MPI_DOUBLE, MPI_ANY_SOURCE, 2,
				 MPI_COMM_WORLD, &status);
		} else if (rank == 1) {
			MPI_Irecv(in, WORDS, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
				  &request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			work();
			MPI_Send(out, WORDS, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
		}
		MPI_Sendrecv(out, 10, MPI_DOUBLE, (rank + 1) % size, 3, in,
			     WORDS, MPI_DOUBLE, MPI_ANY_SOURCE, 3,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		total += in[9];
		MPI_Allreduce(out, in, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("total %.1f\n", total);
	MPI_Finalize();
	return 0;
}
