/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_mixture_runs.c - the finished runs that the mixture finds likeness in */
#include <math.h>

#include "predictor/models/mixture/mixture_runs.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

#define CLUSTER 9

static struct mixture_run run_of(uint32_t user, uint32_t application,
				 uint32_t size, uint32_t job_id)
{
	return (struct mixture_run){
		.traits = { [TRAIT_USER] = user,
			    [TRAIT_APPLICATION] = application,
			    [TRAIT_SIZE] = size },
		.job_id = job_id,
		.ln_runtime = 3,
		.ln_limit = NAN,
	};
}

/* The ids of one ring. */
static int ids(struct mixture_runs *runs, int kind,
	       const struct mixture_run *like, uint32_t ret[MIXTURE_RING_MAX])
{
	uint64_t keys[MIXTURE_RING_KINDS];
	uint32_t slots[MIXTURE_RING_MAX];

	mixture_runs_keys(runs, CLUSTER, like->traits, keys);

	int n = mixture_runs_ring(runs, keys[kind], slots);

	for (int i = 0; i < n; i++)
		ret[i] = mixture_runs_at(runs, slots[i])->job_id;
	return n;
}

START_TEST(test_rings_hold_the_newest_of_a_kind)
{
	struct mixture_runs *runs = mixture_runs_create();
	struct mixture_run run;
	uint32_t got[MIXTURE_RING_MAX];

	ck_assert_ptr_nonnull(runs);
	for (uint32_t i = 0; i < 100; i++) {
		run = run_of(5 + i % 2, 70 + i % 3, 16, 1000 + i);
		mixture_runs_add(runs, CLUSTER, &run);

		/* At every length on the way. */
		int n = ids(runs, 0, &run, got);

		ck_assert_int_eq(n, i / 2 < 31 ? (int)i / 2 + 1 : 32);
		for (int k = 0; k < n; k++)
			ck_assert_uint_eq(got[k], 1000 + i - 2 * (uint32_t)k);
	}
	run = run_of(5, 70, 16, 0);
	ck_assert_int_eq(ids(runs, 1, &run, got), 16);
	for (uint32_t k = 0; k < 16; k++)
		ck_assert_uint_eq(got[k], 1096 - 6 * k);
	run = run_of(5, 70, 17, 0);
	ck_assert_int_eq(ids(runs, 2, &run, got), 0);

	uint64_t keys[MIXTURE_RING_KINDS];

	mixture_runs_keys(runs, CLUSTER + 1, run.traits, keys);
	ck_assert_int_eq(mixture_runs_ring(runs, keys[0], got), 0);
	mixture_runs_destroy(runs);
}
END_TEST

START_TEST(test_the_unknown_are_nobody)
{
	struct mixture_run run = run_of(0, 0, 4, 1);

	ck_assert_uint_eq(mixture_traits_known(run.traits) &
				  (TRAIT_BIT(USER) | TRAIT_BIT(APPLICATION) |
				   TRAIT_BIT(ACCOUNT)),
			  0);

	struct mixture_runs *runs = mixture_runs_create();
	uint32_t got[MIXTURE_RING_MAX];

	mixture_runs_add(runs, CLUSTER, &run);
	ck_assert_int_eq(ids(runs, 0, &run, got), 0);
	ck_assert_int_eq(ids(runs, MIXTURE_RING_KINDS - 1, &run, got), 1);
	mixture_runs_destroy(runs);
}
END_TEST

/* More rings than the maximum: those in use stay. */
START_TEST(test_those_nobody_asks_for_go)
{
	struct mixture_runs *runs = mixture_runs_create();
	struct mixture_run kept = run_of(1, 1, 1, 42);
	struct random r = { 4 };
	bool right = true;
	uint32_t got[MIXTURE_RING_MAX];

	mixture_runs_add(runs, CLUSTER, &kept);
	for (uint32_t i = 0; i < MIXTURE_RINGS_MAX / 4; i++) {
		struct mixture_run run =
			run_of(2 + i, (uint32_t)random_next(&r), i, i);

		mixture_runs_add(runs, CLUSTER, &run);
		right &= ids(runs, 0, &run, got) == 1 && got[0] == i;
		if (i % 100 == 0)
			right &= ids(runs, 0, &kept, got) == 1 && got[0] == 42;
	}
	ck_assert(right);
	/* That of size 0 had one run, and was not used. */
	kept = run_of(2, 0, 0, 0);
	ck_assert_int_eq(ids(runs, MIXTURE_RING_KINDS - 2, &kept, got), 0);
	mixture_runs_destroy(runs);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_rings_hold_the_newest_of_a_kind,
		test_the_unknown_are_nobody,
		test_those_nobody_asks_for_go,
		NULL,
	};

	return suite_run("mixture_runs", tests);
}
