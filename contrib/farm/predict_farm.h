/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predict_farm.h - hand out tasks to the processes of an MPI program
 *
 * Rank 0 of a communicator is the master, all others are workers.  The master
 * sends chunks of tasks, and each worker that is done gets the next one.  How
 * large chunks are, and how many workers are worth having, follows from what
 * was measured on the way: nodes may be shared, and their speeds may change.
 *
 *	struct predict_farm *farm = predict_farm_create(comm, NULL);
 *	struct predict_farm_program program = { ... };
 *
 *	for (each iteration)
 *		if (predict_farm_run(farm, &program, tasks))
 *			...;
 *	predict_farm_destroy(farm);
 *
 * create, run and destroy are collective: all ranks of `comm` call them.  The
 * library is used from one thread.
 *
 * [1] E. Cesar, A. Moreno, J. Sorribes, E. Luque: Modeling Master/Worker
 *     applications for automatic performance tuning, Parallel Computing 32
 *     (2006) 568-589.
 */
#ifndef CONTRIB_FARM_PREDICT_FARM_H
#define CONTRIB_FARM_PREDICT_FARM_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct predict_farm;
struct predict_farm_result;

/* What the program does with a task.  `context` is the program's own. */
struct predict_farm_program {
	void *context;

	/* Master: write the input of `task`, 0 to tasks - 1, to `buffer`, and
	 * return its bytes.  If these are more than `size`, nothing needs to be
	 * written: it is called again with a larger buffer.  NULL: the number
	 * of the task is all that a worker needs. */
	size_t (*pack)(void *context, int task, void *buffer, size_t size);

	/* Worker: do the task, and give its result, if there is one, to
	 * predict_farm_result_write(). */
	void (*work)(void *context, int task, const void *input,
		     size_t input_bytes, struct predict_farm_result *result);

	/* Master: take the result, which is gone after the call.  Called once
	 * for each task, in the order in which results arrive.  NULL: there
	 * are none. */
	void (*collect)(void *context, int task, const void *result,
			size_t result_bytes);

	/* Master: weight[task] > 0, in any unit: heavy tasks are handed out
	 * first.  NULL: not known. */
	const double *weight;
};

/* Append bytes to the result of the task.  0; -1: out of memory, and the result
 * will be empty. */
int predict_farm_result_write(struct predict_farm_result *result,
			      const void *bytes, size_t count);

struct predict_farm_options {
	/* none, fsc, dpf, daf or shared; NULL: shared, see the names in
	 * predictor/farm. */
	const char *policy;
	/* Seconds after which the tasks of a worker that does not reply are
	 * handed out again, to others; 0: never.  A worker that replies later
	 * is used again. */
	double patience_s;
	/* The greatest slowdown to be expected of a worker's node, if it is
	 * more than 3; 0: what PREDICT_SLOWDOWN in the environment says. */
	double slowdown;
	/* Tasks of a chunk, at most; 0: any number. */
	int chunk_max;
	/* Let workers rest when fewer are worth having ([1], (13)). */
	int rest;
};

/* The defaults: shared, 0, 0, 0, 1. */
#define PREDICT_FARM_OPTIONS     \
	{                        \
		NULL, 0, 0, 0, 1 \
	}

/* NULL: out of memory, no such policy, or `comm` has one process only.  The
 * communicator is copied.  options: NULL for the defaults. */
struct predict_farm *
predict_farm_create(MPI_Comm comm, const struct predict_farm_options *options);

/* Hand out the tasks 0 to tasks - 1, and return when all are collected.  At a
 * worker only `work` and `context` of the program matter.
 * 0; at a worker PREDICT_FARM_STOPPED, when the master called stop; at the
 * master -1 if no worker is left or memory ran out: tasks that were not
 * collected are lost. */
#define PREDICT_FARM_STOPPED 1
int predict_farm_run(struct predict_farm *farm,
		     const struct predict_farm_program *program, int tasks);

/* Master: there will be no more runs, for workers that do not know how many
 * there are: `while (predict_farm_run(farm, &program, 0) == 0);`. */
void predict_farm_stop(struct predict_farm *farm);

/* What was measured in the last iteration; at the master, after a run. */
struct predict_farm_report {
	int iterations; /* so far */
	int tasks, chunks;
	int workers;          /* in use */
	int workers_worth;    /* worth having in the next iteration */
	int workers_silent;   /* that do not reply */
	int again;            /* tasks that were handed out again */
	double time_s;        /* of the iteration */
	double mu_s, sigma_s; /* of a task */
	double mo_s, k_s;     /* a message costs the master mo + k bytes */
	double bytes;         /* exchanged */
	double alpha;         /* part of them that the master sent */
	double lm_s;          /* the master's own work: pack and collect */
	double imbalance;     /* idle part of the workers' time */
};

void predict_farm_report(const struct predict_farm *farm,
			 struct predict_farm_report *ret);

/* For bindings, which do not know MPI's types: with MPI_COMM_WORLD, after
 * MPI_Init_thread(), unless the program has called it; and MPI_Finalize(), or,
 * if workers are silent, MPI_Abort() with 0. */
struct predict_farm *
predict_farm_create_world(const struct predict_farm_options *options);
int predict_farm_rank(const struct predict_farm *farm);
void predict_farm_destroy_world(struct predict_farm *farm);

/* NULL is allowed.  When workers are silent (report), MPI_Finalize() waits for
 * them; a program that has what it needs ends by MPI_Abort(). */
void predict_farm_destroy(struct predict_farm *farm);

#ifdef __cplusplus
}
#endif

#endif
