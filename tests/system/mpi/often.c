/* SPDX-License-Identifier: GPL-2.0-or-later */
/* often.c - an MPI program that calls a short function again and again
 *
 * Compiled as C++ that function also throws, through itself.
 *
 * usage: often CALLS
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif
void tick(int call); /* may be measured as a procedure */
#ifdef __cplusplus
}
#endif

static volatile unsigned load = 1;

static void tick_inside(int call)
{
	load = load * 5 + 1;
#ifdef __cplusplus
	if (call % 2)
		throw call;
#else
	(void)call;
#endif
}

__attribute__((noinline)) void tick(int call)
{
	tick_inside(call);
	load = load + 1;
}

static void tick_safely(int call)
{
#ifdef __cplusplus
	try {
		tick(call);
	} catch (int thrown) {
		load = load + (unsigned)thrown;
	}
#else
	tick(call);
#endif
}

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : 1;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int part = 0; part < 10; part++) {
		for (int i = 0; i < calls / 10; i++)
			tick_safely(i);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (rank == 0)
		puts("done");
	MPI_Finalize();
	return 0;
}
