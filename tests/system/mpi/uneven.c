/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uneven.c - ranks of unequal work, which say on which node each of them is
 *
 * In each round rank 1 of four works four times as long as the others; then all
 * wait for each other.  Rank 0 prints the nodes, rank by rank, and the seconds.
 *
 * usage: uneven ROUNDS
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

/* Some milliseconds. */
#define STEPS 3000000

static volatile double load = 1;

static void work(int parts)
{
	for (int i = 0; i < parts * STEPS; i++)
		load = load * 0.999999 + 1e-6;
}

static void print_nodes(int rank, int size)
{
	char name[MPI_MAX_PROCESSOR_NAME] = "", *names = NULL;
	int length;

	MPI_Get_processor_name(name, &length);
	if (rank == 0)
		names = calloc((size_t)size, sizeof(name));
	MPI_Gather(name, sizeof(name), MPI_CHAR, names, sizeof(name), MPI_CHAR,
		   0, MPI_COMM_WORLD);
	for (int r = 0; names && r < size; r++)
		printf("%s%s", names + (size_t)r * sizeof(name),
		       r + 1 < size ? " " : "\n");
	free(names);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	int rank, size, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	print_nodes(rank, size);

	double start = MPI_Wtime();

	for (int i = 0; i < rounds; i++) {
		work(rank % 4 == 1 ? 4 : 1);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("%.3f s\n", MPI_Wtime() - start);
	fflush(stdout); /* if MPI_Finalize hangs */
	MPI_Finalize();
	return 0;
}
