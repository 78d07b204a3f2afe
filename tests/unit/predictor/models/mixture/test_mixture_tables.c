/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_mixture_tables.c - what is learned: how much speaks for an atom */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/mixture/mixture_tables.h"
#include "predictor/stats/crps.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct mixture_tables *tables_new(void)
{
	struct mixture_tables *tables = malloc(sizeof(*tables));

	ck_assert_ptr_nonnull(tables);
	mixture_tables_start(tables);
	mixture_tables_ended(tables, 5, NAN);
	return tables;
}

/* Atoms in any order, with entries of one family only. */
static void atoms_fill(struct random *r, int count, uint16_t first,
		       struct mixture_atoms *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->count = count;
	for (int i = 0; i < count; i++) {
		ret->x[i] = (float)(10 * random_unit(r));
		ret->entries[FAMILY_AGE][i] =
			(uint16_t)(first + random_below(r, 9));
	}
}

static double score(const struct mixture_prediction *prediction,
		    float ln_runtime)
{
	float z[MIXTURE_ATOMS_MAX];

	for (int i = 0; i < prediction->count; i++)
		z[i] = expf(prediction->x[i] / 2);
	return crps(z, prediction->w, prediction->count,
		    exp((double)ln_runtime / 2), NULL);
}

START_TEST(test_answers_are_sorted_and_weigh_1)
{
	struct mixture_tables *tables = tables_new();
	struct random r = { 11 };

	for (int count = 1; count <= MIXTURE_ATOMS_MAX; count++) {
		struct mixture_atoms atoms;
		struct mixture_prediction prediction;
		double sum = 0;
		int seen[MIXTURE_ATOMS_MAX] = { 0 };
		bool right = true;

		atoms_fill(&r, count, ENTRY_AGE, &atoms);
		mixture_tables_weigh(tables, &atoms, &prediction);
		ck_assert_int_eq(prediction.count, count);
		for (int i = 0; i < count; i++) {
			right &= !seen[prediction.atom[i]]++ &&
				 prediction.x[i] ==
					 atoms.x[prediction.atom[i]] &&
				 (!i || prediction.x[i] >= prediction.x[i - 1]);
			sum += (double)prediction.w[i];
		}
		ck_assert(right);
		ck_assert_double_eq_tol(sum, 1, 1e-5);
	}
	free(tables);
}
END_TEST

START_TEST(test_a_step_goes_down)
{
	struct mixture_tables *tables = tables_new();
	struct random r = { 12 };

	for (int trial = 0; trial < 40; trial++) {
		struct mixture_atoms atoms;
		struct mixture_prediction prediction, better;
		float y = (float)(12 * random_unit(&r));
		float left = 0;

		/* As in the beginning: later steps are small. */
		mixture_tables_start(tables);
		mixture_tables_ended(tables, 6, NAN);
		atoms_fill(&r, 3 + (int)random_below(&r, 100), ENTRY_AGE,
			   &atoms);
		mixture_tables_weigh(tables, &atoms, &prediction);
		mixture_tables_descend(tables, &prediction, atoms.entries, y,
				       1);
		mixture_tables_weigh(tables, &atoms, &better);
		ck_assert_double_le(score(&better, y),
				    score(&prediction, y) + 1e-4);
		ck_assert_float_eq(tables->theta[0], 0);
		for (int i = 0; i < MIXTURE_ENTRIES; i++)
			left += fabsf(tables->slope[i]);
		ck_assert_float_eq(left, 0);
	}
	free(tables);
}
END_TEST

/* Entries 0 to 4 of a family stand at the truth, 5 to 8 anywhere. */
START_TEST(test_learns_what_can_be_trusted)
{
	struct mixture_tables *tables = tables_new();
	struct random r = { 13 };
	double first = 0, last = 0;

	for (int job = 0; job < 2000; job++) {
		struct mixture_atoms atoms;
		struct mixture_prediction prediction;
		float y = (float)(2 + 8 * random_unit(&r));

		atoms_fill(&r, 40, ENTRY_AGE, &atoms);
		for (int i = 0; i < atoms.count; i++)
			if (atoms.entries[FAMILY_AGE][i] < ENTRY_AGE + 5)
				atoms.x[i] = y;
		mixture_tables_weigh(tables, &atoms, &prediction);
		if (job < 200)
			first += score(&prediction, y);
		if (job >= 1800)
			last += score(&prediction, y);
		mixture_tables_ended(tables, y, NAN);
		mixture_tables_descend(tables, &prediction, atoms.entries, y,
				       1);
	}
	ck_assert_double_lt(last, first / 4);
	free(tables);
}
END_TEST

START_TEST(test_limits_are_kept_until_they_are_not)
{
	struct mixture_tables *tables = tables_new();
	float limit = mixture_ln(3600);

	for (int i = 0; i < 1000; i++) {
		ck_assert(mixture_tables_enforced(tables));
		/* A minute of grace is no overrun; without limit, nothing. */
		mixture_tables_ended(tables, mixture_ln(3650), limit);
		mixture_tables_ended(tables, 12, NAN);
	}
	for (int i = 0; i < 200; i++)
		mixture_tables_ended(tables, mixture_ln(5000), limit);
	ck_assert(!mixture_tables_enforced(tables));
	free(tables);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_answers_are_sorted_and_weigh_1,
		test_a_step_goes_down,
		test_learns_what_can_be_trusted,
		test_limits_are_kept_until_they_are_not,
		NULL,
	};

	return suite_run("mixture_tables", tests);
}
