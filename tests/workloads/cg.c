/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cg.c - a sparse system of equations by conjugate gradients
 *
 * The habit of the NAS benchmark CG: each iteration multiplies a sparse matrix
 * with a vector and needs sums over all processes.  Each process has a band of
 * ROWS / p rows; the vector is put together by MPI_Allgatherv, and the two dot
 * products by MPI_Allreduce.  Run time: about ITERATIONS * ROWS * NONZEROS / p,
 * plus ITERATIONS times an exchange of 8 * ROWS bytes and two of 8 bytes.
 *
 * The matrix is symmetric with a heavy diagonal: row r has the columns r + d
 * and r - d (modulo ROWS) for NONZEROS / 2 distances d by chance, each with a
 * value that depends on the pair.  The right side is that of a solution made
 * before, so that the result is verified by how far it is from this one.  Once
 * solved, the system is solved anew, so that all runs of the same size do the
 * same work.
 *
 * [1] G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 11.3.3.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include "tests/workloads/options.h"

enum {
	MAX_ROWS = 100000000,
	MAX_NONZEROS = 10000,
	MAX_ITERATIONS = 1000000000
};

struct options {
	int rows;
	int nonzeros; /* in a row, beside the diagonal; even */
	int iterations;
};

struct system {
	int size;
	int n;        /* rows of all */
	int first, m; /* rows of this process */
	int half;     /* distances */
	int *distance;
	double *value; /* of the pair (r, r + d): m * half, then (r - d, r) */
	double *diagonal;
	double *p; /* all of it; x, r, q: this process's rows */
	double *x, *r, *q;
	int *counts, *starts; /* rows of each process */
};

static uint64_t mixed(uint64_t z)
{
	z = (z + 1) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return z ^ z >> 31;
}

/* The matrix between row r and row r + d: negative, so that the diagonal,
 * which outweighs them, lets no eigenvalue come near 0. */
static double pair_value(int r, int k)
{
	return -0.5 -
	       (double)(mixed((uint64_t)r * MAX_NONZEROS + (uint64_t)k) >> 11) *
		       0x1p-54;
}

/* Return the solution, between 1 and 2. */
static double solution(int r)
{
	return 1 + (double)(mixed(~(uint64_t)r) >> 11) * 0x1p-53;
}

static int wrap(int r, int n)
{
	return r < 0 ? r + n : r >= n ? r - n : r;
}

static void system_free(struct system *s)
{
	free(s->distance);
	free(s->value);
	free(s->diagonal);
	free(s->p);
	free(s->counts);
}

static int system_allocate(const struct options *o, int rank, int size,
			   struct system *ret)
{
	int64_t n = o->rows;
	struct system s = { .size = size,
			    .n = o->rows,
			    .first = (int)(n * rank / size),
			    .half = o->nonzeros / 2 };

	s.m = (int)(n * (rank + 1) / size) - s.first;

	size_t m = (size_t)s.m, half = (size_t)s.half;

	s.distance = calloc(half, sizeof(*s.distance));
	s.value = calloc(2 * m * half, sizeof(*s.value));
	s.diagonal = calloc(m, sizeof(*s.diagonal));
	s.p = calloc((size_t)n + 3 * m, sizeof(*s.p));
	s.counts = calloc(2 * (size_t)size, sizeof(*s.counts));
	*ret = s;
	if (!s.distance || !s.value || !s.diagonal || !s.p || !s.counts)
		return -1;
	ret->x = s.p + n;
	ret->r = ret->x + m;
	ret->q = ret->r + m;
	ret->starts = s.counts + size;
	return 0;
}

static void system_fill(struct system *s)
{
	for (int k = 0; k < s->half; k++)
		s->distance[k] =
			1 + (int)(mixed((uint64_t)k) % (uint64_t)(s->n - 1));
	for (int i = 0; i < s->m; i++) {
		double *v = s->value + (size_t)i * 2 * (size_t)s->half;
		int row = s->first + i;

		s->diagonal[i] = 1;
		for (int k = 0; k < s->half; k++) {
			int before = wrap(row - s->distance[k], s->n);

			v[2 * k] = pair_value(row, k);
			v[2 * k + 1] = pair_value(before, k);
			s->diagonal[i] -= v[2 * k] + v[2 * k + 1];
		}
	}
	for (int p = 0; p < s->size; p++) {
		s->starts[p] = (int)((int64_t)s->n * p / s->size);
		s->counts[p] =
			(int)((int64_t)s->n * (p + 1) / s->size) - s->starts[p];
	}
}

/* q = A p */
static void multiply(struct system *s)
{
	for (int i = 0; i < s->m; i++) {
		const double *v = s->value + (size_t)i * 2 * (size_t)s->half;
		int row = s->first + i;
		double sum = s->diagonal[i] * s->p[row];

		for (int k = 0; k < s->half; k++)
			sum += v[2 * k] *
				       s->p[wrap(row + s->distance[k], s->n)] +
			       v[2 * k + 1] *
				       s->p[wrap(row - s->distance[k], s->n)];
		s->q[i] = sum;
	}
}

/* Over all processes. */
static double dot(const struct system *s, const double *a, const double *b)
{
	double sum = 0, all;

	for (int i = 0; i < s->m; i++)
		sum += a[i] * b[i];
	MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static void gather(struct system *s)
{
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, s->p, s->counts,
		       s->starts, MPI_DOUBLE, MPI_COMM_WORLD);
}

/* From x = 0 on; gives the square of the residual. */
static double begin(struct system *s)
{
	for (int i = 0; i < s->n; i++)
		s->p[i] = solution(i);
	multiply(s);
	for (int i = 0; i < s->m; i++) {
		s->x[i] = 0;
		s->r[i] = s->p[s->first + i] = s->q[i];
	}
	gather(s);
	return dot(s, s->r, s->r);
}

static double farthest(const struct system *s)
{
	double mine = 0, all;

	for (int i = 0; i < s->m; i++)
		mine = fmax(mine, fabs(s->x[i] - solution(s->first + i)));
	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return all;
}

/* [1] algorithm 11.3.3; the largest error of the solutions found, or HUGE_VAL:
 * none was. */
static double solve(struct system *s, int iterations, int *ret_solved)
{
	double rho = begin(s), enough = rho * 1e-20, error = HUGE_VAL;

	*ret_solved = 0;
	for (int it = 0; it < iterations; it++) {
		multiply(s);

		double alpha = rho / dot(s, s->p + s->first, s->q);

		for (int i = 0; i < s->m; i++) {
			s->x[i] += alpha * s->p[s->first + i];
			s->r[i] -= alpha * s->q[i];
		}

		double next = dot(s, s->r, s->r), beta = next / rho;

		rho = next;
		if (rho <= enough) {
			double e = farthest(s);

			error = *ret_solved ? fmax(error, e) : e;
			++*ret_solved;
			rho = begin(s);
			continue;
		}
		for (int i = 0; i < s->m; i++)
			s->p[s->first + i] =
				s->r[i] + beta * s->p[s->first + i];
		gather(s);
	}
	return error;
}

static struct options given = { .rows = 20000,
				.nonzeros = 50,
				.iterations = 200 };

static int run(int rank, int size)
{
	const struct options *o = &given;
	struct system s;
	double start = MPI_Wtime();
	int solved;

	given.nonzeros -= given.nonzeros % 2;
	if (size > o->rows) {
		if (rank == 0)
			fprintf(stderr, "cg: %d processes for %d rows\n", size,
				o->rows);
		return 2;
	}
	if (system_allocate(o, rank, size, &s)) {
		fprintf(stderr, "cg: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	system_fill(&s);

	double error = solve(&s, o->iterations, &solved);
	int good = error < 1e-6;

	system_free(&s);
	if (rank == 0)
		printf("%d rows of %d, %d iterations, %d processes: solved %d "
		       "times, error %.0e, %s, %.3f s\n",
		       o->rows, o->nonzeros, o->iterations, size, solved, error,
		       good ? "verified" : "WRONG", MPI_Wtime() - start);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	const struct option_row rows[] = {
		{ 'n', 2, MAX_ROWS, &given.rows },
		{ 'z', 2, MAX_NONZEROS, &given.nonzeros },
		{ 'i', 1, MAX_ITERATIONS, &given.iterations },
		{ 0 },
	};

	return options_main(argc, argv, rows,
			    "[-n ROWS] [-z NONZEROS] [-i ITERATIONS]", 1, run);
}
