/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_tasks.h - what both farms do: options, tasks, and handing them out
 *
 * A worker asks for its first task with an empty result; the master answers
 * whoever's result comes first with the next task, and with a message of its
 * own tag when none are left.  Tasks spin for their time, so that the CPU, not
 * the memory, decides how long they take; a task's result is checked.
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <mpi.h>

#include "tests/workloads/options.h"

struct farm_options {
	int tasks;
	int work;   /* of a task: rounds of 1000 steps, mean */
	int spread; /* percent of it, uniform around the mean */
	int bytes;  /* of a task, and of its result */
	int seed;
};

enum { TAG_TASK = 1, TAG_RESULT, TAG_END };

/* Each message begins with this; `bytes` of data follow. */
struct farm_head {
	int64_t task; /* -1: none */
	int64_t rounds;
	uint64_t sum; /* of a result */
};

/* The same numbers on every machine (xorshift64*). */
static inline uint64_t farm_mix(uint64_t x)
{
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	return x * UINT64_C(2685821657736338717);
}

static inline int64_t farm_rounds(const struct farm_options *o, int64_t task)
{
	uint64_t state = (uint64_t)(task + 1) * UINT64_C(0x9e3779b97f4a7c15) +
			 (uint64_t)o->seed;
	double unit = (double)(farm_mix(farm_mix(state) | 1) >> 11) * 0x1p-53;
	double rounds = o->work * (1 + o->spread / 100. * (2 * unit - 1));

	return rounds > 1 ? (int64_t)rounds : 1;
}

static inline uint64_t farm_compute(int64_t task, int64_t rounds)
{
	uint64_t x = (uint64_t)task + 1;

	for (int64_t i = 0; i < rounds * 1000; i++)
		x = farm_mix(x) | 1;
	return x;
}

static inline void farm_master(const struct farm_options *o, char *message,
			       int size, int workers, uint64_t *ret_sum)
{
	struct farm_head *head = (struct farm_head *)(void *)message;
	int64_t next = 0;

	while (workers > 0) {
		MPI_Status from;

		MPI_Recv(message, size, MPI_BYTE, MPI_ANY_SOURCE, TAG_RESULT,
			 MPI_COMM_WORLD, &from);
		if (head->task >= 0)
			*ret_sum ^= head->sum;
		if (next == o->tasks) {
			MPI_Send(message, (int)sizeof(*head), MPI_BYTE,
				 from.MPI_SOURCE, TAG_END, MPI_COMM_WORLD);
			workers--;
			continue;
		}
		*head = (struct farm_head){ next, farm_rounds(o, next), 0 };
		next++;
		MPI_Send(message, size, MPI_BYTE, from.MPI_SOURCE, TAG_TASK,
			 MPI_COMM_WORLD);
	}
}

static inline void farm_worker(char *message, int size)
{
	struct farm_head *head = (struct farm_head *)(void *)message;
	MPI_Status s;

	*head = (struct farm_head){ -1, 0, 0 };
	MPI_Send(message, (int)sizeof(*head), MPI_BYTE, 0, TAG_RESULT,
		 MPI_COMM_WORLD);
	for (;;) {
		MPI_Recv(message, size, MPI_BYTE, 0, MPI_ANY_TAG,
			 MPI_COMM_WORLD, &s);
		if (s.MPI_TAG == TAG_END)
			return;
		head->sum = farm_compute(head->task, head->rounds);
		MPI_Send(message, size, MPI_BYTE, 0, TAG_RESULT,
			 MPI_COMM_WORLD);
	}
}

static struct farm_options farm_given;

static inline int farm_run(int rank, int size)
{
	const struct farm_options *o = &farm_given;
	int bytes = (int)sizeof(struct farm_head) + o->bytes;
	char *message = calloc(1, (size_t)bytes);
	double start = MPI_Wtime();
	uint64_t sum = 0;

	if (!message) {
		fprintf(stderr, "out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	if (rank == 0)
		farm_master(o, message, bytes, size - 1, &sum);
	else
		farm_worker(message, bytes);
	if (rank == 0)
		printf("%d tasks of %d rounds, %d processes: sum %016llx, "
		       "%.3f s\n",
		       o->tasks, o->work, size, (unsigned long long)sum,
		       MPI_Wtime() - start);
	free(message);
	return 0;
}

/* Be main() of a farm with these defaults. */
static inline int farm_main(int argc, char **argv, struct farm_options defaults)
{
	const struct option_row rows[] = {
		{ 'n', 1, 1000000000, &farm_given.tasks },
		{ 'w', 1, 1000000000, &farm_given.work },
		{ 'd', 0, 100, &farm_given.spread },
		{ 'b', 0, 1 << 28, &farm_given.bytes },
		{ 'r', 0, INT32_MAX, &farm_given.seed },
		{ 0 },
	};

	farm_given = defaults;
	return options_main(argc, argv, rows,
			    "[-n TASKS] [-w ROUNDS] [-d PERCENT] "
			    "[-b BYTES] [-r SEED], on 2 processes at least",
			    2, farm_run);
}
