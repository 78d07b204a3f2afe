/* SPDX-License-Identifier: GPL-2.0-or-later */
/* isort.c - integers sorted by everybody together, in few but large messages
 *
 * The habit of the NAS benchmark IS.  In each round every process makes its
 * part of KEYS random keys, in WORK steps each, sends each key to the process
 * that keeps keys of its size (MPI_Alltoallv: most keys change hands), and
 * sorts what it got by counting.  Run time: about ROUNDS * KEYS * WORK / p,
 * plus ROUNDS times p * (p - 1) messages of 4 * KEYS / p^2 bytes.
 *
 * A key depends on its number and the round alone, so the sorted keys do not
 * depend on p.  The result is verified in each round: keys ascend within each
 * process, and their number and sum are those of the keys made.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "tests/workloads/options.h"

enum { KEY_BITS = 20, KEY_RANGE = 1 << KEY_BITS };
enum { MAX_KEYS = 500000000, MAX_ROUNDS = 1000000000, MAX_WORK = 1000000 };

struct options {
	int keys;
	int rounds;
	int work; /* steps to make a key */
};

struct sorter {
	int rank, size, work;
	int count;      /* keys that this process makes */
	int64_t first;  /* number of the first of them */
	uint32_t *made; /* in the order of the ranks that get them */
	uint32_t *got;  /* room for `room` */
	int room;
	int *counts;                          /* of keys of each size */
	int *send, *send_at, *take, *take_at; /* for each process */
};

static uint32_t key_of(const struct sorter *s, int64_t number, int round)
{
	uint64_t z = (uint64_t)number << 20 ^ (uint64_t)round;

	for (int i = 0; i < s->work; i++) {
		z = (z + 1) * UINT64_C(0x9e3779b97f4a7c15);
		z ^= z >> 30;
	}
	return (uint32_t)(z * UINT64_C(0xbf58476d1ce4e5b9) >> (64 - KEY_BITS));
}

/* Who keeps a key. */
static int keeper(const struct sorter *s, uint32_t key)
{
	return (int)((uint64_t)key * (uint64_t)s->size >> KEY_BITS);
}

static void sorter_free(struct sorter *s)
{
	free(s->made);
	free(s->got);
	free(s->counts);
	free(s->send);
}

static int sorter_make(const struct options *o, int rank, int size,
		       struct sorter *ret)
{
	int64_t n = o->keys;
	struct sorter s = { .rank = rank, .size = size, .work = o->work };
	size_t processes = (size_t)size;

	s.first = n * rank / size;
	s.count = (int)(n * (rank + 1) / size - s.first);
	/* Keys are even: twice as many as expected never come. */
	s.room = (int)(2 * n / size + 1000);
	s.made = malloc(((size_t)s.count + 1) * sizeof(*s.made));
	s.got = malloc((size_t)s.room * sizeof(*s.got));
	s.counts = malloc(KEY_RANGE * sizeof(*s.counts));
	s.send = calloc(4 * processes, sizeof(*s.send));
	*ret = s;
	if (!s.made || !s.got || !s.counts || !s.send)
		return -1;
	ret->send_at = s.send + processes;
	ret->take = s.send + 2 * processes;
	ret->take_at = s.send + 3 * processes;
	return 0;
}

/* Make the keys of a round, those for one process side by side; their sum. */
static uint64_t make_keys(struct sorter *s, int round)
{
	uint64_t sum = 0;

	memset(s->send, 0, (size_t)s->size * sizeof(*s->send));
	for (int i = 0; i < s->count; i++)
		s->send[keeper(s, key_of(s, s->first + i, round))]++;
	for (int p = 0, at = 0; p < s->size; at += s->send[p++])
		s->send_at[p] = at;
	for (int i = 0; i < s->count; i++) {
		uint32_t key = key_of(s, s->first + i, round);

		s->made[s->send_at[keeper(s, key)]++] = key;
		sum += key;
	}
	for (int p = 0; p < s->size; p++)
		s->send_at[p] -= s->send[p];
	return sum;
}

/* Keys got, or -1: more than there is room for. */
static int exchange(struct sorter *s)
{
	int64_t all = 0;

	MPI_Alltoall(s->send, 1, MPI_INT, s->take, 1, MPI_INT, MPI_COMM_WORLD);
	for (int p = 0; p < s->size; p++) {
		s->take_at[p] = (int)all;
		all += s->take[p];
		if (all > s->room)
			return -1;
	}
	MPI_Alltoallv(s->made, s->send, s->send_at, MPI_UINT32_T, s->got,
		      s->take, s->take_at, MPI_UINT32_T, MPI_COMM_WORLD);
	return (int)all;
}

static void count_sort(struct sorter *s, int count)
{
	int at = 0;

	memset(s->counts, 0, KEY_RANGE * sizeof(*s->counts));
	for (int i = 0; i < count; i++)
		s->counts[s->got[i]]++;
	for (uint32_t key = 0; key < KEY_RANGE; key++)
		for (int k = s->counts[key]; k > 0; k--)
			s->got[at++] = key;
}

/* Whether the keys ascend and are this process's own; adds them up. */
static int in_order(const struct sorter *s, int count, uint64_t *ret_sum)
{
	int good = 1;

	*ret_sum = 0;
	for (int i = 0; i < count; i++) {
		good &= keeper(s, s->got[i]) == s->rank;
		good &= i == 0 || s->got[i - 1] <= s->got[i];
		*ret_sum += s->got[i];
	}
	return good;
}

/* All rounds; 0 if everybody's keys were right.  Rank 0 learns the sum. */
static int sort_all(struct sorter *s, const struct options *o,
		    uint64_t *ret_sum)
{
	/* Faults, keys made less those kept, sum made less that kept. */
	int64_t mine[3] = { 0 }, all[3] = { 0 };
	uint64_t sum = 0;

	for (int round = 0; round < o->rounds; round++) {
		uint64_t made = make_keys(s, round), kept;
		int count = exchange(s);

		if (count < 0)
			return -1;
		count_sort(s, count);
		mine[0] += !in_order(s, count, &kept);
		mine[1] += s->count - count;
		mine[2] += (int64_t)(made - kept);
		sum += made;
	}
	MPI_Allreduce(mine, all, 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce(&sum, ret_sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	return all[0] == 0 && all[1] == 0 && all[2] == 0 ? 0 : 1;
}

static struct options given = { .keys = 1000000, .rounds = 10, .work = 1 };

static int run(int rank, int size)
{
	const struct options *o = &given;
	struct sorter s;
	uint64_t sum = 0;
	double start = MPI_Wtime();
	int status =
		sorter_make(o, rank, size, &s) ? -1 : sort_all(&s, o, &sum);

	if (status < 0) {
		fprintf(stderr, "isort: out of memory\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	sorter_free(&s);
	if (rank == 0)
		printf("%d keys, %d rounds, %d processes: sum %llu, %s, "
		       "%.3f s\n",
		       o->keys, o->rounds, size, (unsigned long long)sum,
		       status ? "WRONG" : "verified", MPI_Wtime() - start);
	return status;
}

int main(int argc, char **argv)
{
	const struct option_row rows[] = {
		{ 'n', 1, MAX_KEYS, &given.keys },
		{ 'i', 1, MAX_ROUNDS, &given.rounds },
		{ 'w', 1, MAX_WORK, &given.work },
		{ 0 },
	};

	return options_main(argc, argv, rows, "[-n KEYS] [-i ROUNDS] [-w WORK]",
			    1, run);
}
