/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pipeline.c - items that pass from process to process, in many small messages
 *
 * Each process is a stage: it gets an item of a few numbers from the one
 * before, works on it, and hands it on; in the end the last one knows the sum
 * over all items.  A stage works on one item while the next one comes and the
 * last one goes.  Run time: about ITEMS * WORK, plus what it takes to hand on
 * ITEMS messages of 8 * NUMBERS bytes.
 *
 * The work of a stage is a number of steps of a map that stays within (0, 1),
 * the same for all stages, shared among them: a finished item depends neither
 * on p nor on when it came.  The result is verified: the last stage works on
 * some items once more, from the beginning.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "tests/workloads/options.h"

enum { MAX_ITEMS = 1000000000, MAX_NUMBERS = 100000, MAX_WORK = 1000000000 };
enum { TAG_ITEM = 1 };
/* One item in this many is worked on once more. */
enum { CHECK_EVERY = 997 };

struct options {
	int items;
	int numbers; /* of an item */
	int work;    /* steps for each number, over all stages */
};

struct stage {
	int rank, size;
	int steps; /* of the work, done here */
	double *in[2], *out[2];
	double *again; /* room for one more item */
};

static int stage_make(const struct options *o, int rank, int size,
		      struct stage *ret)
{
	size_t n = (size_t)o->numbers;
	long work = o->work;
	struct stage s = {
		.rank = rank,
		.size = size,
		.steps = (int)(work * (rank + 1) / size - work * rank / size),
	};

	double *room = calloc(5 * n, sizeof(double));

	if (!room)
		return -1;
	for (size_t k = 0; k < 2; k++) {
		s.in[k] = room + k * n;
		s.out[k] = room + (2 + k) * n;
	}
	s.again = room + 4 * n;
	*ret = s;
	return 0;
}

/* An item as it enters the first stage. */
static void item_make(double *x, const struct options *o, int item)
{
	for (int k = 0; k < o->numbers; k++)
		x[k] = ((item % 1009) * 31.0 + k % 97 + 1) / (1009 * 31.0 + 99);
}

/* The map x -> 3.7 x (1 - x), for each number. */
static void item_work(double *x, int numbers, int steps)
{
	for (int s = 0; s < steps; s++)
		for (int k = 0; k < numbers; k++)
			x[k] = 3.7 * x[k] * (1 - x[k]);
}

static double item_sum(const double *x, int numbers)
{
	double sum = 0;

	for (int k = 0; k < numbers; k++)
		sum += x[k];
	return sum;
}

/* Whether the last stage has the item that one stage alone would make. */
static int item_right(const struct stage *s, const struct options *o, int item,
		      const double *x)
{
	if (item % CHECK_EVERY)
		return 1;
	item_make(s->again, o, item);
	item_work(s->again, o->numbers, o->work);
	return memcmp(s->again, x, (size_t)o->numbers * sizeof(double)) == 0;
}

static void item_ask(const struct stage *s, const struct options *o, int item,
		     MPI_Request *ret)
{
	*ret = MPI_REQUEST_NULL;
	if (s->rank > 0 && item < o->items)
		MPI_Irecv(s->in[item % 2], o->numbers, MPI_DOUBLE, s->rank - 1,
			  TAG_ITEM, MPI_COMM_WORLD, ret);
}

/* All items; 0 if those looked at were right.  The last stage learns the
 * sum. */
static int stage_run(struct stage *s, const struct options *o, double *ret_sum)
{
	MPI_Request get, give[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
	int wrong = 0;

	item_ask(s, o, 0, &get);
	for (int i = 0; i < o->items; i++) {
		double *out = s->out[i % 2];

		MPI_Wait(&get, MPI_STATUS_IGNORE);
		item_ask(s, o, i + 1, &get);
		MPI_Wait(&give[i % 2], MPI_STATUS_IGNORE);
		if (s->rank == 0)
			item_make(out, o, i);
		else
			memcpy(out, s->in[i % 2],
			       (size_t)o->numbers * sizeof(double));
		item_work(out, o->numbers, s->steps);
		if (s->rank < s->size - 1) {
			MPI_Isend(out, o->numbers, MPI_DOUBLE, s->rank + 1,
				  TAG_ITEM, MPI_COMM_WORLD, &give[i % 2]);
			continue;
		}
		*ret_sum += item_sum(out, o->numbers);
		wrong |= !item_right(s, o, i, out);
	}
	MPI_Waitall(2, give, MPI_STATUSES_IGNORE);
	return wrong;
}

static struct options given = { .items = 1000, .numbers = 50, .work = 4000 };

static int run(int rank, int size)
{
	const struct options *o = &given;
	struct stage s = { 0 };
	double sum = 0, start = MPI_Wtime();

	if (stage_make(o, rank, size, &s)) {
		fprintf(stderr, "pipeline: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}

	int wrong = stage_run(&s, o, &sum);

	free(s.in[0]);
	MPI_Bcast(&wrong, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
	if (rank == size - 1)
		printf("%d items of %d, work %d, %d processes: sum %.12e, %s, "
		       "%.3f s\n",
		       o->items, o->numbers, o->work, size, sum,
		       wrong ? "WRONG" : "verified", MPI_Wtime() - start);
	return wrong;
}

int main(int argc, char **argv)
{
	const struct option_row rows[] = {
		{ 'n', 1, MAX_ITEMS, &given.items },
		{ 'b', 1, MAX_NUMBERS, &given.numbers },
		{ 'w', 1, MAX_WORK, &given.work },
		{ 0 },
	};

	return options_main(argc, argv, rows,
			    "[-n ITEMS] [-b NUMBERS] [-w WORK]", 1, run);
}
