/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trait_effects.c - by how much traits change the run time */
#include <stdio.h>

#include "predictor/models/lee_schopf/trait_effects.h"
#include "tests/unit/predictor/models/runs.h"
#include "tests/unit/suite.h"

static struct trait_learner *learner;
static struct history *h;

static void setup(void)
{
	learner = trait_learner_create();
	h = history_create();
	ck_assert_ptr_nonnull(learner);
}

static void teardown(void)
{
	trait_learner_destroy(learner);
	trait_learner_destroy(NULL);
	history_destroy(h);
}

static struct run run_with(uint32_t job_id, double bodies, const char *traits,
			   double runtime_s)
{
	struct run run = nbody_run(job_id, 2, bodies, runtime_s);

	snprintf(run.application.traits, sizeof(run.application.traits), "%s",
		 traits);
	return run;
}

static const struct trait_effects *learn(const struct run *run)
{
	struct query q = query_of(h, run);
	struct past_job job;

	past_job_of_run(run, &job);
	trait_keys_of(&job.subject, &q.traits);
	return trait_effects_learn(learner, h, &q);
}

/* Return the value of the newest run of the history with these traits. */
static double ln_of(const struct trait_effects *effects, const char *traits)
{
	struct run run = run_with(9999, 1000, traits, 1);

	ck_assert_int_eq(history_add_run(h, &run, NULL), 0);

	const struct history_group *g = &h->groups[0];

	return trait_effects_ln(effects, g->runs[g->count - 1].traits);
}

START_TEST(test_numbers_in_values)
{
	static const struct {
		const char *value;
		float number;
	} cases[] = {
		{ "wing_512.vtk", 512 },
		{ "resnet101", 101 },
		{ "llama-7b", 7e9f },
		{ "gpu:a100:4", 4 },
		{ "v1.5", 1.5f },
		{ "mesh.h5", 0 },
		{ "CCSD", 0 },
		{ "3d-20k", 20e3f },
		{ "t4", 4 },
		{ "7bit", 7 },
		{ "", 0 },
		{ ".5", 5 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_float_eq(
			trait_number(cases[i].value, strlen(cases[i].value)),
			cases[i].number);
}
END_TEST

/* Two texts and a number have their effects, a third text none. */
START_TEST(test_effects_are_found)
{
	static const char *const names[] = { "bert", "vit", "gpt" };
	static const double factors[] = { 1, 3.3, 17 };
	struct random r = { 7 };

	for (uint32_t i = 0; i < 120; i++) {
		size_t model = random_below(&r, 3);
		uint64_t data = random_below(&r, 2);
		double n = 1000 + (double)random_below(&r, 9000);
		char text[TRAITS_SIZE];

		snprintf(text, sizeof(text), "data=%s model=%s note=x%d",
			 data ? "coco" : "cifar", names[model],
			 (int)random_below(&r, 5));

		struct run run =
			run_with(i, n, text,
				 0.02 * n * factors[model] * (data ? 5.5 : 1) *
					 (1 + 0.03 * random_normal(&r)));

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	struct run run = run_with(500, 4000, "data=coco model=gpt note=x1", 1);
	const struct trait_effects *effects = learn(&run);

	ck_assert_ptr_nonnull(effects);
	ck_assert_int_eq(effects->count, 2);
	ck_assert_double_eq_tol(ln_of(effects, "data=coco model=gpt note=x3"),
				0, 1e-6);
	ck_assert_double_eq_tol(ln_of(effects, "data=cifar model=bert"),
				log(17 * 5.5), 0.05);
	ck_assert_double_eq_tol(ln_of(effects, "data=coco model=vit"),
				log(17 / 3.3), 0.05);
}
END_TEST

/* A size that was never seen is covered by the power of the number. */
START_TEST(test_numbers_reach_further)
{
	struct random r = { 8 };

	for (uint32_t i = 0; i < 60; i++) {
		int size = 100 + (int)random_below(&r, 900);
		char text[TRAITS_SIZE];

		snprintf(text, sizeof(text), "arg1=wing_%d.vtk", size);

		struct run run = run_with(
			i, 1000, text,
			1e-3 * pow(size, 2) * (1 + 0.03 * random_normal(&r)));

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}

	struct run run = run_with(500, 1000, "arg1=wing_2000.vtk", 1);
	const struct trait_effects *effects = learn(&run);

	ck_assert_ptr_nonnull(effects);
	ck_assert_double_eq_tol(ln_of(effects, "arg1=wing_1000.vtk"), log(4),
				0.1);
}
END_TEST

/* Words by chance are not believed. */
START_TEST(test_chance_has_no_effect)
{
	struct random r = { 9 };
	int believed = 0, tried = 0;

	for (uint32_t i = 0; i < 400; i++) {
		char text[TRAITS_SIZE];

		snprintf(text, sizeof(text), "a=%d b=%d c=%d d=x%d e=y%d",
			 (int)random_below(&r, 3), (int)random_below(&r, 5),
			 (int)random_below(&r, 20), (int)random_below(&r, 1000),
			 (int)random_below(&r, 2));

		struct run run =
			run_with(i, 1000 + (double)random_below(&r, 9000), text,
				 exp(4 + random_normal(&r)));

		if (i >= 6) {
			tried++;
			believed += learn(&run) != NULL;
		}
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}
	ck_assert_int_lt(believed, tried / 10);
}
END_TEST

START_TEST(test_nothing_to_compare)
{
	for (uint32_t i = 0; i < 20; i++) {
		struct run run = run_with(i, 1000, i < 10 ? "" : "a=b", 60);

		if (i < 10)
			ck_assert_ptr_null(learn(&run));
		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}
	ck_assert_double_eq(trait_effects_ln(NULL, 0), 0);
	ck_assert_double_eq(trait_effects_ln(NULL, INDEX_NONE), 0);
}
END_TEST

/* Values that are never the same take memory only while their runs do. */
START_TEST(test_traits_of_dropped_runs_go)
{
	for (uint32_t i = 0; i < 5 * HISTORY_GROUP_RUNS; i++) {
		char text[TRAITS_SIZE];

		snprintf(text, sizeof(text), "out=run-%u", i);

		struct run run = run_with(i, 1000, text, 60);

		ck_assert_int_eq(history_add_run(h, &run, NULL), 0);
	}
	ck_assert_uint_le(h->traits_count, 2 * HISTORY_GROUP_RUNS);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_numbers_in_values,
		test_effects_are_found,
		test_numbers_reach_further,
		test_chance_has_no_effect,
		test_nothing_to_compare,
		test_traits_of_dropped_runs_go,
		NULL,
	};

	return suite_run_each("trait_effects", tests, setup, teardown);
}
