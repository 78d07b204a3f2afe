/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - options and main() of the MPI programs */
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <mpi.h>

/* An option with a whole number in [min, max]; max is 0: without one, it is a
 * 1. */
struct option_row {
	char letter; /* 0: the end */
	int min, max;
	int *value;
};

/* Store a whole number in [min, max], or return -1. */
static inline int option_number(const char *text, long min, long max, int *ret)
{
	char *end;

	errno = 0;

	long value = strtol(text, &end, 10);

	if (errno || end == text || *end || value < min || value > max)
		return -1;
	*ret = (int)value;
	return 0;
}

/* Return 0 if the line has such options only. */
static inline int options_parse(int argc, char **argv,
				const struct option_row rows[])
{
	char letters[32] = "h";
	int c, count = 1, bad = 0;

	for (const struct option_row *r = rows; r->letter; r++) {
		letters[count++] = r->letter;
		if (r->max)
			letters[count++] = ':';
	}
	while ((c = getopt(argc, argv, letters)) != -1) {
		const struct option_row *r = rows;

		while (r->letter && r->letter != c)
			r++;
		if (!r->letter)
			bad = -1;
		else if (r->max)
			bad |= option_number(optarg, r->min, r->max, r->value);
		else
			*r->value = 1;
	}
	return bad || optind != argc ? -1 : 0;
}

/* Be main() of a program that needs `least` processes: run() gives the exit
 * status. */
static inline int options_main(int argc, char **argv,
			       const struct option_row rows[],
			       const char *usage, int least,
			       int (*run)(int rank, int size))
{
	int rank, size, status = 2;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (options_parse(argc, argv, rows) == 0 && size >= least)
		status = run(rank, size);
	else if (rank == 0)
		fprintf(stderr, "usage: %s %s\n", argv[0], usage);
	MPI_Finalize();
	return status;
}
