/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waitany.c - a farm whose messages are asked for before they are waited for
 *
 * The master has a receive of each worker, and answers the first one that is
 * complete; workers ask for their next task, and then wait for it.
 *
 * usage: waitany TASKS WORK
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#define WORKERS_MAX 64

enum { TAG_TASK = 1, TAG_RESULT };

static volatile unsigned load = 1;

static void work(int rounds)
{
	for (int i = 0; i < rounds * 1000; i++)
		load = load * 5 + 1;
}

static void ask(int worker, int *result, MPI_Request *request)
{
	MPI_Irecv(result, 1, MPI_INT, worker, TAG_RESULT, MPI_COMM_WORLD,
		  request);
}

static void lead(int tasks, int workers)
{
	MPI_Request requests[WORKERS_MAX];
	int results[WORKERS_MAX], given = 0, done = 0, end = -1;

	for (int w = 0; w < workers; w++)
		ask(w + 1, &results[w], &requests[w]);
	for (int running = workers; running;) {
		int w;

		MPI_Waitany(workers, requests, &w, MPI_STATUS_IGNORE);
		done += results[w];
		if (given == tasks) {
			MPI_Send(&end, 1, MPI_INT, w + 1, TAG_TASK,
				 MPI_COMM_WORLD);
			running--;
			continue;
		}
		ask(w + 1, &results[w], &requests[w]);
		MPI_Send(&given, 1, MPI_INT, w + 1, TAG_TASK, MPI_COMM_WORLD);
		given++;
	}
	printf("done %d\n", done);
}

static void serve(int amount)
{
	MPI_Request request, sent;
	int task, result = 0;

	for (;;) {
		MPI_Irecv(&task, 1, MPI_INT, 0, TAG_TASK, MPI_COMM_WORLD,
			  &request);
		MPI_Isend(&result, 1, MPI_INT, 0, TAG_RESULT, MPI_COMM_WORLD,
			  &sent);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Wait(&sent, MPI_STATUS_IGNORE);
		if (task < 0)
			return;
		work(amount * (task % 3 + 1));
		result = 1;
	}
}

int main(int argc, char **argv)
{
	int tasks = argc > 2 ? atoi(argv[1]) : 1;
	int amount = argc > 2 ? atoi(argv[2]) : 1;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank)
		serve(amount);
	else if (size <= WORKERS_MAX)
		lead(tasks, size - 1);
	MPI_Finalize();
	return 0;
}
