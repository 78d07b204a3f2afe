/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_names.c - which rank is on which node */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

#include "collectors/profilers/mpi/count/node_names.h"
#include "collectors/profilers/mpi/weak_symbols.h"

#define NAMES_TAG 32123   /* below what MPI allows at least */
#define POLL_NS   1000000 /* leaves the CPU to ranks that still work */

/* Sends that nobody waits for may still read it. */
static char own[MPI_MAX_PROCESSOR_NAME + NODE_NAME_SIZE];

static void own_name_read(void)
{
	int length;

	PMPI_Get_processor_name(own, &length);
	own[strcspn(own, ".")] = '\0';
	own[NODE_NAME_SIZE - 1] = '\0';
}

static bool wait_for(int count, MPI_Request requests[], double wait_s)
{
	const struct timespec poll = { 0, POLL_NS };
	double until_s = PMPI_Wtime() + wait_s;
	int done = 0;

	while (PMPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE) ==
		       MPI_SUCCESS &&
	       !done && PMPI_Wtime() < until_s)
		nanosleep(&poll, NULL);
	return done;
}

/* Receives that would write to memory that is freed, and sends that are small
 * enough to be done. */
static void give_up(int count, MPI_Request requests[])
{
	for (int i = 0; i < count / 2; i++) {
		if (requests[i] == MPI_REQUEST_NULL)
			continue;
		PMPI_Cancel(&requests[i]);
		PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
	}
	for (int i = count / 2; i < count; i++)
		if (requests[i] != MPI_REQUEST_NULL)
			PMPI_Request_free(&requests[i]);
}

static bool exchange_by_one(int rank, int size, double wait_s, char *names)
{
	int count = 2 * (size - 1);
	MPI_Request *requests = malloc((size_t)count * sizeof(*requests) + 1);
	bool done;

	if (!requests)
		return false;
	for (int i = 0; i < size - 1; i++) {
		int other = (rank + 1 + i) % size;

		PMPI_Irecv(names + (size_t)other * NODE_NAME_SIZE,
			   NODE_NAME_SIZE, MPI_CHAR, other, NAMES_TAG,
			   MPI_COMM_WORLD, &requests[i]);
		PMPI_Isend(own, NODE_NAME_SIZE, MPI_CHAR, other, NAMES_TAG,
			   MPI_COMM_WORLD, &requests[size - 1 + i]);
	}
	memcpy(names + (size_t)rank * NODE_NAME_SIZE, own, NODE_NAME_SIZE);
	done = wait_for(count, requests, wait_s);
	if (!done)
		give_up(count, requests);
	free(requests);
	return done;
}

/* Gather all names. The operation cannot be cancelled: if it does not end in
 * time, its memory stays. */
static char *gather(int size, double wait_s)
{
	char *names = calloc((size_t)size, NODE_NAME_SIZE);
	MPI_Request request;

	if (!names)
		return NULL;
	if (PMPI_Iallgather(own, NODE_NAME_SIZE, MPI_CHAR, names,
			    NODE_NAME_SIZE, MPI_CHAR, MPI_COMM_WORLD,
			    &request) != MPI_SUCCESS) {
		free(names);
		return NULL;
	}
	return wait_for(1, &request, wait_s) ? names : NULL;
}

char *node_names_exchange(int rank, int size, double wait_s)
{
	char *names;

	own_name_read();
	if (size > NODE_NAMES_BY_ONE)
		return gather(size, wait_s);
	names = calloc((size_t)size, NODE_NAME_SIZE);
	if (names && exchange_by_one(rank, size, wait_s, names))
		return names;
	free(names);
	return NULL;
}
