/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nbody.c - the gravity of N bodies by brute force, master and workers
 *
 * The workload of [1], section 3: for each time step the master sends the
 * entire set of bodies to each worker and assigns a portion of them to each;
 * the workers compute the new positions and velocities of their portion and
 * return them. Here the master also takes a portion, so that p processes do
 * work for p. Run time: about STEPS * BODIES^2 / p, plus STEPS * p messages of
 * 56 * BODIES bytes.
 *
 * Each body's force is summed in the same order by any process, so the bodies
 * do not depend on p at all; the energy, printed in the end, only in its last
 * digits, because it is a sum of p parts.
 *
 * [1] B.-D. Lee, J. M. Schopf, Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "tests/workloads/options.h"

struct body {
	double mass;
	double x[3]; /* position */
	double v[3]; /* velocity */
};

enum { BODY_DOUBLES = sizeof(struct body) / sizeof(double) };

enum { MAX_BODIES = 10000000, MAX_STEPS = 1000000000 };

enum { TAG_BODIES = 1, TAG_RESULT };

/* In units where G = 1 and the total mass is 1. */
static const double time_step = 1e-4;
/* Keeps the force finite when two bodies meet; [1] leaves such details open. */
static const double softening2 = 1e-4;

struct options {
	int bodies;
	int steps;
	int seed;
};

/* The bodies of process `rank` out of `size`: [first, first + count). */
struct portion {
	int first;
	int count;
};

static struct portion portion_of(int bodies, int rank, int size)
{
	int64_t n = bodies;
	int first = (int)(n * rank / size);

	return (struct portion){ first, (int)(n * (rank + 1) / size) - first };
}

/* xorshift64*: the same numbers on every machine, uniform in [0, 1) */
static double uniform(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)(*state * UINT64_C(2685821657736338717) >> 11) * 0x1p-53;
}

static void bodies_scatter(struct body *b, int n, int seed)
{
	/* State 0 is the one from which xorshift never leaves. */
	uint64_t state = (uint64_t)seed * 2 + 1;

	for (int i = 0; i < n; i++) {
		b[i].mass = (0.5 + uniform(&state)) / n;
		for (int k = 0; k < 3; k++) {
			b[i].x[k] = uniform(&state) - 0.5;
			b[i].v[k] = (uniform(&state) - 0.5) * 0.1;
		}
	}
}

/* Move the bodies of `mine` by one step under the attraction of all; the
 * new ones go to ret_new[0 .. mine.count - 1].
 */
static void portion_step(const struct body *all, int n, struct portion mine,
			 struct body *ret_new)
{
	for (int i = 0; i < mine.count; i++) {
		struct body b = all[mine.first + i];
		double a[3] = { 0, 0, 0 };

		for (int j = 0; j < n; j++) {
			double dx = all[j].x[0] - b.x[0];
			double dy = all[j].x[1] - b.x[1];
			double dz = all[j].x[2] - b.x[2];
			double r2 = dx * dx + dy * dy + dz * dz + softening2;
			double f = all[j].mass / (r2 * sqrt(r2));

			a[0] += f * dx;
			a[1] += f * dy;
			a[2] += f * dz;
		}
		for (int k = 0; k < 3; k++) {
			b.v[k] += a[k] * time_step;
			b.x[k] += b.v[k] * time_step;
		}
		ret_new[i] = b;
	}
}

/* Return the kinetic energy of the bodies of `mine`, and the potential one of
 * their pairs with those after them.
 */
static double portion_energy(const struct body *all, int n, struct portion mine)
{
	double energy = 0;

	for (int i = mine.first; i < mine.first + mine.count; i++) {
		const struct body *b = &all[i];
		double v2 = 0;

		for (int k = 0; k < 3; k++)
			v2 += b->v[k] * b->v[k];
		energy += 0.5 * b->mass * v2;
		for (int j = i + 1; j < n; j++) {
			double r2 = softening2;

			for (int k = 0; k < 3; k++)
				r2 += (all[j].x[k] - b->x[k]) *
				      (all[j].x[k] - b->x[k]);
			energy -= b->mass * all[j].mass / sqrt(r2);
		}
	}
	return energy;
}

/* All bodies to every worker, as [1] does it: one message for each. */
static void master_send(const struct body *all, int n, int size,
			MPI_Request *requests)
{
	for (int w = 1; w < size; w++)
		MPI_Isend(all, n * BODY_DOUBLES, MPI_DOUBLE, w, TAG_BODIES,
			  MPI_COMM_WORLD, &requests[w - 1]);
	MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
}

static void master_step(struct body *all, struct body *mine_new, int n,
			int size, MPI_Request *requests)
{
	struct portion mine = portion_of(n, 0, size);

	master_send(all, n, size, requests);
	portion_step(all, n, mine, mine_new);
	memcpy(all + mine.first, mine_new, (size_t)mine.count * sizeof(*all));
	for (int w = 1; w < size; w++) {
		struct portion p = portion_of(n, w, size);

		MPI_Irecv(all + p.first, p.count * BODY_DOUBLES, MPI_DOUBLE, w,
			  TAG_RESULT, MPI_COMM_WORLD, &requests[w - 1]);
	}
	MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
}

static void worker_receive(struct body *all, int n)
{
	MPI_Recv(all, n * BODY_DOUBLES, MPI_DOUBLE, 0, TAG_BODIES,
		 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void worker_step(struct body *all, struct body *mine_new, int n,
			struct portion mine)
{
	worker_receive(all, n);
	portion_step(all, n, mine, mine_new);
	MPI_Send(mine_new, mine.count * BODY_DOUBLES, MPI_DOUBLE, 0, TAG_RESULT,
		 MPI_COMM_WORLD);
}

/* The whole run in one process; in the end the master knows *ret_energy. */
static int simulate(const struct options *o, int rank, int size,
		    double *ret_energy)
{
	struct portion mine = portion_of(o->bodies, rank, size);
	struct body *all = calloc((size_t)o->bodies, sizeof(*all));
	struct body *mine_new = calloc((size_t)mine.count + 1, sizeof(*all));
	MPI_Request *requests = calloc((size_t)size, sizeof(MPI_Request));
	int rc = -1;

	if (!all || !mine_new || !requests)
		goto out;
	if (rank == 0)
		bodies_scatter(all, o->bodies, o->seed);
	for (int s = 0; s < o->steps; s++) {
		if (rank == 0)
			master_step(all, mine_new, o->bodies, size, requests);
		else
			worker_step(all, mine_new, o->bodies, mine);
	}
	if (rank == 0)
		master_send(all, o->bodies, size, requests);
	else
		worker_receive(all, o->bodies);

	double part = portion_energy(all, o->bodies, mine);

	MPI_Reduce(&part, ret_energy, 1, MPI_DOUBLE, MPI_SUM, 0,
		   MPI_COMM_WORLD);
	rc = 0;
out:
	free(requests);
	free(mine_new);
	free(all);
	return rc;
}

static struct options given = { .bodies = 2000, .steps = 100, .seed = 1 };

static int run(int rank, int size)
{
	const struct options *o = &given;
	double energy = 0, start = MPI_Wtime();

	if (simulate(o, rank, size, &energy)) {
		fprintf(stderr, "nbody: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	if (rank == 0)
		printf("%d bodies, %d steps, %d processes: energy %.12e, "
		       "%.3f s\n",
		       o->bodies, o->steps, size, energy, MPI_Wtime() - start);
	return 0;
}

int main(int argc, char **argv)
{
	const struct option_row rows[] = {
		{ 'n', 1, MAX_BODIES, &given.bodies },
		{ 's', 0, MAX_STEPS, &given.steps },
		{ 'r', 0, INT32_MAX, &given.seed },
		{ 0 },
	};

	return options_main(argc, argv, rows,
			    "[-n BODIES] [-s STEPS] [-r SEED]", 1, run);
}
