/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heat.c - how heat spreads in a square plate, by Jacobi's method in strips
 *
 * The second workload of [1], section 3.  The plate is a grid of N x N points
 * within a frame that is hot above and cold elsewhere; in each iteration every
 * point becomes the mean of its four neighbours.  Each of p processes has a
 * strip of rows, and gives its first and last row to the processes above and
 * below before each iteration.  Run time: about ITERATIONS * N^2 / p, plus
 * ITERATIONS times two messages of 8 N bytes between neighbours.
 *
 * With -u the strips are uneven, for those who study placement.
 *
 * A point is computed in the same way by any process, so the plate does not
 * depend on p; the mean temperature, printed in the end, only in its last
 * digits, because it is a sum of p parts.
 *
 * [1] B.-D. Lee, J. M. Schopf, Run-Time Prediction of Parallel Applications
 *     on Shared Environments, IEEE Cluster 2003.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "tests/workloads/options.h"

enum { MAX_SIDE = 46000, MAX_ITERATIONS = 1000000000 };

enum { TAG_UP = 1, TAG_DOWN };

static const double frame_hot = 100;

struct options {
	int side; /* N */
	int iterations;
	int uneven; /* strips of 2, 5, 4, 3, 2, 5, ... parts */
};

/* Rows 1 to `rows` are ours; 0 and rows + 1 are our neighbours' or the frame,
 * and so are the first and the last column.  One plate is enough: of what an
 * iteration replaces only two rows are still asked for. */
struct strip {
	int rows;
	int width;        /* N + 2 */
	double *at;       /* (rows + 2) * width temperatures */
	double *old;      /* the row being replaced, as it was */
	double *old_up;   /* the row above it, as it was */
	int above, below; /* ranks, MPI_PROC_NULL: the frame */
};

static double *row(const struct strip *s, int i)
{
	return s->at + (size_t)i * (size_t)s->width;
}

/* The first row of a rank's strip, counted from 0; that of rank `size` is N. */
static int strip_first(const struct options *o, int rank, int size)
{
	static const int parts[] = { 2, 5, 4, 3 };
	int64_t before = 0, all = 0;

	for (int i = 0; i < size; i++) {
		int part = o->uneven ? parts[i % 4] : 1;

		before += i < rank ? part : 0;
		all += part;
	}
	return all ? (int)(o->side * before / all) : 0;
}

static int strip_make(const struct options *o, int rank, int size,
		      struct strip *ret)
{
	int first = strip_first(o, rank, size);
	struct strip s = {
		.rows = strip_first(o, rank + 1, size) - first,
		.width = o->side + 2,
		.above = rank > 0 ? rank - 1 : MPI_PROC_NULL,
		.below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL,
	};
	size_t points = (size_t)(s.rows + 2) * (size_t)s.width;

	s.at = calloc(points, sizeof(double));
	s.old = calloc((size_t)s.width, sizeof(double));
	s.old_up = calloc((size_t)s.width, sizeof(double));
	*ret = s;
	if (!s.at || !s.old || !s.old_up)
		return -1;
	for (int j = 0; rank == 0 && j < s.width; j++)
		s.at[j] = frame_hot;
	return 0;
}

static void strip_free(struct strip *s)
{
	free(s->at);
	free(s->old);
	free(s->old_up);
}

static void strip_exchange(const struct strip *s)
{
	MPI_Sendrecv(row(s, 1), s->width, MPI_DOUBLE, s->above, TAG_UP,
		     row(s, s->rows + 1), s->width, MPI_DOUBLE, s->below,
		     TAG_UP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(row(s, s->rows), s->width, MPI_DOUBLE, s->below, TAG_DOWN,
		     row(s, 0), s->width, MPI_DOUBLE, s->above, TAG_DOWN,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void row_relax(double *restrict here, const double *restrict up,
		      const double *restrict old, const double *restrict down,
		      int width)
{
	for (int j = 1; j < width - 1; j++)
		here[j] = 0.25 * (up[j] + down[j] + old[j - 1] + old[j + 1]);
}

static void strip_relax(struct strip *s)
{
	size_t row_size = (size_t)s->width * sizeof(double);

	memcpy(s->old_up, row(s, 0), row_size);
	for (int i = 1; i <= s->rows; i++) {
		double *here = row(s, i);
		double *up = s->old_up;

		memcpy(s->old, here, row_size);
		row_relax(here, up, s->old, row(s, i + 1), s->width);
		s->old_up = s->old;
		s->old = up;
	}
}

static double strip_sum(const struct strip *s)
{
	double sum = 0;

	for (int i = 1; i <= s->rows; i++)
		for (int j = 1; j < s->width - 1; j++)
			sum += row(s, i)[j];
	return sum;
}

/* The whole run in one process; in the end rank 0 knows *ret_mean. */
static int simulate(const struct options *o, int rank, int size,
		    double *ret_mean)
{
	struct strip s;
	double sum, all = 0;

	if (strip_make(o, rank, size, &s)) {
		strip_free(&s);
		return -1;
	}
	for (int i = 0; i < o->iterations; i++) {
		strip_exchange(&s);
		strip_relax(&s);
	}
	sum = strip_sum(&s);
	strip_free(&s);
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	*ret_mean = all / o->side / o->side;
	return 0;
}

static struct options given = { .side = 1000, .iterations = 100 };

/* Each process needs a row, else it would pass on what it never got. */
static int run(int rank, int size)
{
	const struct options *o = &given;
	double mean = 0, start = MPI_Wtime();

	if (size > o->side) {
		if (rank == 0)
			fprintf(stderr, "heat: %d processes for %d rows\n",
				size, o->side);
		return 2;
	}
	if (simulate(o, rank, size, &mean)) {
		fprintf(stderr, "heat: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	if (rank == 0)
		printf("%d x %d points, %d iterations, %d processes: "
		       "mean %.12e, %.3f s\n",
		       o->side, o->side, o->iterations, size, mean,
		       MPI_Wtime() - start);
	return 0;
}

int main(int argc, char **argv)
{
	const struct option_row rows[] = {
		{ 'n', 1, MAX_SIDE, &given.side },
		{ 'i', 0, MAX_ITERATIONS, &given.iterations },
		{ 'u', 0, 0, &given.uneven },
		{ 0 },
	};

	return options_main(argc, argv, rows, "[-n SIDE] [-i ITERATIONS] [-u]",
			    1, run);
}
