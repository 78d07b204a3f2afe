/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.c - an MPI program of which two threads send
 *
 * The main thread of each rank sends 30 messages of 100 bytes to the next rank,
 * and a second thread 70 of 70,000 bytes.
 */
#include <pthread.h>
#include <stdio.h>

#include <mpi.h>

#define LONG_BYTES 70000

static int rank, size;

static void exchange(int count, int bytes, int tag)
{
	static _Thread_local char out[LONG_BYTES], in[LONG_BYTES];

	for (int i = 0; i < count; i++)
		MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % size, tag, in,
			     bytes, MPI_CHAR, (rank + size - 1) % size, tag,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *second(void *unused)
{
	exchange(70, LONG_BYTES, 2);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE) {
		fprintf(stderr, "this MPI has no threads\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	pthread_create(&thread, NULL, second, NULL);
	exchange(30, 100, 1);
	pthread_join(thread, NULL);
	MPI_Finalize();
	return 0;
}
