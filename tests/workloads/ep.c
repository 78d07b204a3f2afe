/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ep.c - points in a square that fall into a circle: computing and nothing else
 *
 * The habit of the NAS benchmark EP: each process works for itself, and only
 * in the end the counts are added up.  Points come in blocks; each block has a
 * random sequence of its own, so that the counts do not depend on the number of
 * processes.  From two points within the circle come two normal deviates
 * (Marsaglia's polar method); these are counted by how large they are.  Run
 * time: about BLOCKS / p.
 *
 * The result is verified: the share of points within the circle is pi / 4, and
 * the mean of the squared deviates is 1, both within five standard errors.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <mpi.h>

#include "tests/workloads/options.h"

enum { BLOCK_POINTS = 100000, RINGS = 8, MAX_BLOCKS = 1000000000 };

struct counts {
	double inside;
	double squares;     /* sum of the squared deviates */
	double ring[RINGS]; /* deviates of size [k, k + 1) */
};

enum { COUNT_DOUBLES = sizeof(struct counts) / sizeof(double) };

/* xorshift64*, uniform in [-1, 1) */
static double uniform(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)(*state * UINT64_C(2685821657736338717) >> 11) *
		       0x1p-52 -
	       1;
}

/* A sequence of its own for each block (splitmix64 of its number). */
static uint64_t block_state(int64_t block)
{
	uint64_t z = ((uint64_t)block + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) | 1;
}

static void count_deviate(struct counts *c, double deviate)
{
	int ring = (int)fabs(deviate);

	c->squares += deviate * deviate;
	c->ring[ring < RINGS ? ring : RINGS - 1]++;
}

static void count_block(struct counts *c, int64_t block)
{
	uint64_t state = block_state(block);

	for (int i = 0; i < BLOCK_POINTS; i++) {
		double x = uniform(&state);
		double y = uniform(&state);
		double r2 = x * x + y * y;

		if (r2 > 1 || r2 == 0)
			continue;

		double scale = sqrt(-2 * log(r2) / r2);

		c->inside++;
		count_deviate(c, x * scale);
		count_deviate(c, y * scale);
	}
}

static int verified(const struct counts *c, double points)
{
	double share = c->inside / points;
	double pi_4 = atan(1);
	double share_error = sqrt(pi_4 * (1 - pi_4) / points);
	double deviates = 2 * c->inside;
	double mean_error = sqrt(2 / deviates);

	return fabs(share - pi_4) < 5 * share_error &&
	       fabs(c->squares / deviates - 1) < 5 * mean_error;
}

static int blocks = 100;

static int run(int rank, int size)
{
	struct counts mine = { 0 }, all = { 0 };
	double start = MPI_Wtime();

	for (int b = rank; b < blocks; b += size)
		count_block(&mine, b);
	MPI_Reduce(&mine, &all, COUNT_DOUBLES, MPI_DOUBLE, MPI_SUM, 0,
		   MPI_COMM_WORLD);
	if (rank != 0)
		return 0;

	int good = verified(&all, (double)blocks * BLOCK_POINTS);

	printf("%d blocks, %d processes: %.0f inside, squares %.9e, %s, "
	       "%.3f s\n",
	       blocks, size, all.inside, all.squares,
	       good ? "verified" : "WRONG", MPI_Wtime() - start);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	const struct option_row rows[] = {
		{ 'n', 1, MAX_BLOCKS, &blocks },
		{ 0 },
	};

	return options_main(argc, argv, rows, "[-n BLOCKS]", 1, run);
}
