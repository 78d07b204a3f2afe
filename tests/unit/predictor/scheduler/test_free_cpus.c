/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_free_cpus.c - planned free CPUs, by hand and against a plain list */
#include <math.h>

#include "predictor/scheduler/free_cpus.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define STEPS 200

static struct free_step room[STEPS];
static struct free_cpus f = { .steps = room };

START_TEST(test_by_hand)
{
	free_cpus_begin(&f, 100, 2);
	free_cpus_release(&f, 100, 1); /* at once */
	free_cpus_release(&f, 160, 4);
	ck_assert_double_eq(free_cpus_find(&f, 3, 1e9), 100);
	ck_assert_double_eq(free_cpus_find(&f, 4, 1), 160);
	ck_assert_double_eq(free_cpus_find(&f, 8, 1), HUGE_VAL);

	/* 5 of 7 from 160 to 200: who wants 3 for long has to wait. */
	free_cpus_take(&f, 160, 40, 5);
	ck_assert_double_eq(free_cpus_find(&f, 3, 60), 100);
	ck_assert_double_eq(free_cpus_find(&f, 3, 61), 200);
	ck_assert_double_eq(free_cpus_find(&f, 2, HUGE_VAL), 100);

	free_cpus_take(&f, 100, HUGE_VAL, 2);
	ck_assert_double_eq(free_cpus_find(&f, 1, 60), 100);
	ck_assert_double_eq(free_cpus_find(&f, 1, 61), 200);
}
END_TEST

/* The same in whole seconds. */
#define SECONDS 300

static uint32_t plain[SECONDS];

static double plain_find(uint32_t cpus, int length)
{
	for (int at = 0; at < SECONDS; at++) {
		int i = at;

		while (i < at + length && i < SECONDS && plain[i] >= cpus)
			i++;
		if (i == at + length || i == SECONDS)
			return at;
	}
	return HUGE_VAL;
}

static void try_seed(uint64_t seed)
{
	struct random r = { seed };
	uint32_t cpus = 1;
	int at = 0;

	free_cpus_begin(&f, 0, cpus);
	for (int i = 0; i < SECONDS; i++)
		plain[i] = cpus;
	for (int i = 0; i < 10; i++) {
		at += (int)random_below(&r, 10);
		cpus = (uint32_t)random_below(&r, 4);
		free_cpus_release(&f, at, cpus);
		for (int s = at; s < SECONDS; s++)
			plain[s] += cpus;
	}
	for (int i = 0; i < 30; i++) {
		int length = 1 + (int)random_below(&r, 30);

		cpus = 1 + (uint32_t)random_below(&r, 8);

		double found = free_cpus_find(&f, cpus, length);

		/* Near its end the plain list knows no lengths. */
		if (found > SECONDS - 40)
			continue;
		ck_assert_double_eq(found, plain_find(cpus, length));
		free_cpus_take(&f, found, length, cpus);
		for (int s = (int)found; s < (int)found + length; s++)
			plain[s] -= cpus;
	}
	ck_assert(f.count < STEPS);
}

START_TEST(test_at_random)
{
	for (uint64_t seed = 0; seed < 500; seed++)
		try_seed(seed);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_by_hand, test_at_random, NULL };

	return suite_run("free_cpus", tests);
}
