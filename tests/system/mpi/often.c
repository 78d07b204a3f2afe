/* SPDX-License-Identifier: GPL-2.0-or-later */
/* often.c - an MPI program that calls a short function again and again
 *
 * usage: often CALLS
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

void tick(void); /* may be measured as a procedure */

static volatile unsigned load = 1;

__attribute__((noinline)) void tick(void)
{
	load = load * 5 + 1;
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 1;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int part = 0; part < 10; part++) {
		for (int i = 0; i < calls / 10; i++)
			tick();
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (rank == 0)
		puts("done");
	MPI_Finalize();
	return 0;
}
