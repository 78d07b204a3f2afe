/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node_pool.c - particular nodes, by hand and against a slow reference */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/scheduler/node_pool.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define NODES_MAX 48
#define JOBS_MAX  64

static void pool_make(struct node_pool *pool, uint32_t nodes)
{
	struct sp_error err;

	ck_assert_int_eq(node_pool_create(pool, nodes, JOBS_MAX, &err), 0);
}

/* Compare owners with a text: a letter for each node, '.' for a free one. */
static void owners_are(const struct node_pool *pool, const char *text)
{
	ck_assert_uint_eq(pool->count, strlen(text));
	for (uint32_t i = 0; i < pool->count; i++)
		ck_assert_uint_eq(pool->owners[i],
				  text[i] == '.' ? NODE_FREE
						 : (uint32_t)(text[i] - 'a'));
}

static void reserved_are(const struct node_pool *pool, const char *text)
{
	for (uint32_t i = 0; i < pool->count; i++)
		ck_assert_int_eq(pool->reserved[i], text[i] == 'r');
}

START_TEST(test_best_fit)
{
	struct node_pool pool;

	pool_make(&pool, 10);
	ck_assert(node_pool_take(&pool, 0, 3, true));
	ck_assert(node_pool_take(&pool, 1, 2, true));
	ck_assert(node_pool_take(&pool, 2, 5, true));
	owners_are(&pool, "aaabbccccc");
	ck_assert(!node_pool_take(&pool, 3, 1, true));
	node_pool_release(&pool, 0);
	node_pool_release(&pool, 2);
	owners_are(&pool, "...bb.....");
	ck_assert(node_pool_take(&pool, 3, 2, true)); /* in the shorter run */
	owners_are(&pool, "dd.bb.....");
	ck_assert(node_pool_take(&pool, 4, 1, true));
	ck_assert(node_pool_take(&pool, 5, 4, true));
	owners_are(&pool, "ddebbffff.");
	node_pool_release(&pool, 1);
	ck_assert(!node_pool_take(&pool, 6, 4, true));
	owners_are(&pool, "dde..ffff.");
	ck_assert(node_pool_take(&pool, 6, 3, true)); /* in no run at all */
	owners_are(&pool, "ddeggffffg");
	node_pool_clear(&pool);
}
END_TEST

/* The first end is at 100: windows are counted from 120 on.  The first group
 * ends by 150, the next by 240 (120 s, as 60 s do not reach 200). */
START_TEST(test_windows_double)
{
	static const struct planned_end running[] = {
		{ 100, 0, 2 }, { 149, 1, 2 }, { 200, 2, 2 },
		{ 205, 3, 2 }, { 240, 4, 1 }, { 1000, 5, 1 },
	};
	struct node_pool pool;

	pool_make(&pool, 11);
	for (uint32_t i = 0; i < 6; i++)
		ck_assert(node_pool_take(&pool, i, running[i].cpus, true));
	owners_are(&pool, "aabbccddef.");
	/* Three would be free at 100; Slurm says 149, and takes them there
	 * where they fit best: four in a row, or the one. */
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 3, 7, 0), 149);
	reserved_are(&pool, "rrr........");
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 6, 7, 0), 240);
	reserved_are(&pool, "rrrrrr.....");
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 10, 7, 0),
			    240);
	reserved_are(&pool, "rrrrrrrrr.r");
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 11, 7, 0),
			    1000);
	/* With bf_window_linear=1 a group has what ends in its second. */
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 6, 7, 1), 200);
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 9, 7, 1), 205);
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 10, 7, 1),
			    240);
	/* What should have ended is taken to end now, at 170: until 210. */
	ck_assert_double_eq(node_pool_reserve(&pool, running, 6, 3, 170, 0),
			    205);
	ck_assert_double_eq(node_pool_reserve(&pool, running, 2, 3, 170, 0),
			    170);
	node_pool_clear(&pool);
}
END_TEST

START_TEST(test_spares_what_is_reserved)
{
	static const struct planned_end running[] = { { 100, 0, 3 } };
	struct node_pool pool;

	pool_make(&pool, 8);
	ck_assert(node_pool_take(&pool, 0, 3, true));
	ck_assert_double_eq(node_pool_reserve(&pool, running, 1, 6, 0, 0), 100);
	reserved_are(&pool, "rrrrrr..");
	ck_assert(!node_pool_take(&pool, 1, 3, false));
	owners_are(&pool, "aaa.....");
	ck_assert(node_pool_take(&pool, 1, 2, false));
	owners_are(&pool, "aaa...bb");
	ck_assert(node_pool_take(&pool, 2, 3, true));
	owners_are(&pool, "aaacccbb");
	node_pool_clear(&pool);
}
END_TEST

/* --- A slow reference: the loops of job_test.c, second by second ---------- */

/* Choose among usable nodes, each time looking at every range of nodes. */
static bool slow_choose(const bool *usable, int nodes, int wanted, bool *chosen)
{
	bool left[NODES_MAX];

	memcpy(left, usable, sizeof(left));
	memset(chosen, 0, NODES_MAX);
	while (wanted > 0) {
		int best = -1, best_length = 0;

		for (int a = 0; a < nodes; a++)
			for (int b = a + 1; b <= nodes; b++) {
				int n = 0, length = b - a;

				for (int i = a; i < b; i++)
					n += left[i];
				if (n < length || (a > 0 && left[a - 1]) ||
				    (b < nodes && left[b]))
					continue;
				if (best < 0 ||
				    (length >= wanted &&
				     best_length < wanted) ||
				    (length >= wanted &&
				     length < best_length) ||
				    (best_length < wanted &&
				     length > best_length)) {
					best = a;
					best_length = length;
				}
			}
		if (best < 0)
			return false;
		for (int i = best; i < best + best_length; i++) {
			if (wanted > 0) {
				chosen[i] = true;
				wanted--;
			}
			left[i] = false;
		}
	}
	return true;
}

/* Times are whole seconds.  Jobs end one second after the other until the
 * window closes. */
static int slow_reserve(const uint32_t *owners, int nodes, const int *ends,
			int jobs, int wanted, int now, int linear,
			bool *reserved)
{
	bool usable[NODES_MAX] = { false };
	int window = 30, from = 0, last = now, left = jobs, second = -1;

	for (int i = 0; i < nodes; i++)
		usable[i] = owners[i] == NODE_FREE;
	while (left > 0) {
		int until = -1;

		/* The end that opens the group, then those in its window. */
		for (int t = second + 1; t < 1000000; t++) {
			bool any = false;

			if (until >= 0 && t > until)
				break;
			for (int j = 0; j < jobs; j++)
				any |= ends[j] == t;
			if (!any)
				continue;
			if (from == 0)
				from = (t / 30 + 1) * 30;
			if (until < 0) {
				while (left < jobs && from + window < t)
					window = linear ? window + linear
							: 2 * window;
				until = from + window;
			}
			for (int j = 0; j < jobs; j++)
				for (int i = 0; ends[j] == t && i < nodes; i++)
					usable[i] |= owners[i] == (uint32_t)j;
			for (int j = 0; j < jobs; j++)
				left -= ends[j] == t;
			last = t;
			second = t;
			if (left == 0)
				break;
		}
		window = linear ? window + linear : 2 * window;
		if (slow_choose(usable, nodes, wanted, reserved))
			return last;
	}
	ck_abort_msg("does not fit");
	return now;
}

static int compare_ends(const void *a, const void *b)
{
	const struct planned_end *x = a, *y = b;

	return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

START_TEST(test_at_random)
{
	struct random r = { 81 };

	for (int round = 0; round < 400; round++) {
		uint32_t nodes = 10 + (uint32_t)random_below(&r, 38), jobs = 0;
		int now = (int)random_below(&r, 100), ends[JOBS_MAX];
		int linear = round % 2 ? 1 + (int)random_below(&r, 40) : 0;
		struct planned_end running[JOBS_MAX];
		bool free_now[NODES_MAX] = { false }, chosen[NODES_MAX];
		struct node_pool pool;
		uint32_t used = 0;

		pool_make(&pool, nodes);
		while (jobs < JOBS_MAX) {
			uint32_t wanted = 1 + (uint32_t)random_below(&r, 7);
			bool before[NODES_MAX];

			if (random_below(&r, 3) == 0 && jobs > 0) {
				/* One is replaced: free nodes scatter. */
				uint32_t gone =
					(uint32_t)random_below(&r, jobs);

				node_pool_release(&pool, gone);
				used -= running[gone].cpus;
				running[gone].cpus = 0;
			}
			for (uint32_t i = 0; i < nodes; i++)
				before[i] = pool.owners[i] == NODE_FREE;
			if (!node_pool_take(&pool, jobs, wanted, true)) {
				ck_assert_uint_gt(wanted, nodes - used);
				break;
			}
			ck_assert(slow_choose(before, (int)nodes, (int)wanted,
					      chosen));
			for (uint32_t i = 0; i < nodes; i++)
				ck_assert_int_eq(pool.owners[i] == jobs,
						 chosen[i]);
			ends[jobs] = now + (int)exp(9 * random_unit(&r));
			running[jobs] = (struct planned_end){ ends[jobs], jobs,
							      wanted };
			used += wanted;
			jobs++;
		}
		for (uint32_t j = 0; j < jobs; j++)
			if (running[j].cpus == 0) {
				ends[j] = -1;
				running[j].at_s = HUGE_VAL;
			}

		uint32_t all = jobs, n = 0;

		qsort(running, jobs, sizeof(running[0]), compare_ends);
		while (n < jobs && isfinite(running[n].at_s))
			n++;

		uint32_t wanted =
			nodes - used + 1 + (uint32_t)random_below(&r, used);
		double at_s = node_pool_reserve(&pool, running, n, wanted, now,
						linear);
		int left[JOBS_MAX], count = 0;
		uint32_t owners[NODES_MAX];

		/* The reference knows only those that run. */
		memcpy(owners, pool.owners, nodes * sizeof(owners[0]));
		for (uint32_t j = 0; j < all; j++) {
			if (ends[j] < 0)
				continue;
			for (uint32_t i = 0; i < nodes; i++)
				if (pool.owners[i] == j)
					owners[i] = (uint32_t)count;
			left[count++] = ends[j];
		}
		ck_assert_int_eq((int)at_s,
				 slow_reserve(owners, (int)nodes, left, count,
					      (int)wanted, now, linear,
					      chosen));
		for (uint32_t i = 0; i < nodes; i++) {
			ck_assert_int_eq(pool.reserved[i], chosen[i]);
			free_now[i] = pool.owners[i] == NODE_FREE &&
				      !pool.reserved[i];
		}
		if (slow_choose(free_now, (int)nodes, 2, chosen))
			ck_assert(node_pool_take(&pool, 63, 2, false));
		else
			ck_assert(!node_pool_take(&pool, 63, 2, false));
		node_pool_clear(&pool);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_best_fit,
		test_windows_double,
		test_spares_what_is_reserved,
		test_at_random,
		NULL,
	};

	return suite_run("node_pool", tests);
}
