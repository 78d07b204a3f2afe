/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_memory_fit.c - how peaks of memory follow the parameters of runs */
#include <math.h>
#include <string.h>

#include "predictor/models/memory_fit.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

/* Runs of a program with the parameters n and m. */
struct runs {
	size_t count;
	struct parameters parameters[MEMORY_FIT_RUNS];
	struct memory_fit_run of[MEMORY_FIT_RUNS];
};

static struct parameters job_of(double n, double m)
{
	struct parameters job = { .count = 0 };

	parameters_set(&job, "n", n, NULL);
	parameters_set(&job, "m", m, NULL);
	return job;
}

static void add_run(struct runs *runs, double n, double m, double peak_mb)
{
	struct parameters *p = &runs->parameters[runs->count];

	*p = job_of(n, m);
	runs->of[runs->count++] = (struct memory_fit_run){ p, peak_mb };
}

static struct memory_fit find(const struct runs *runs, double n, double m)
{
	struct parameters job = job_of(n, m);
	struct memory_fit fit;

	memory_fit_find(&job, runs->of, runs->count, &fit);
	return fit;
}

/* What the job would be advised; NAN: peaks do not follow the parameters. */
static double advised_mb(const struct runs *runs, double n, double m)
{
	struct memory_fit fit = find(runs, n, m);
	double most = 0;

	for (size_t i = 0; i < runs->count; i++)
		if (!isnan(runs->of[i].peak_mb))
			most = fmax(most, fit.scales[i] * runs->of[i].peak_mb);
	return most * fit.margin;
}

static void assert_within(double value, double low, double high)
{
	ck_assert_double_ge(value, low);
	ck_assert_double_le(value, high);
}

/* 17 MiB and 60, 120, ... 480, as a little Python program has them. */
START_TEST(test_proportional)
{
	struct runs runs = { 0 };

	for (int i = 1; i <= 8; i++)
		add_run(&runs, 60 * i, 7, 17 + 60 * i);
	for (int n = 60; n <= 480; n += 35)
		assert_within(advised_mb(&runs, n, 7), 17 + n, 1.2 * (17 + n));
	ck_assert_double_eq(find(&runs, 60, 7).beyond, 1);
	ck_assert_double_eq(find(&runs, 480, 7).beyond, 1);
}
END_TEST

/* Memory as the product of two numbers; neither alone tells it. */
START_TEST(test_two_parameters)
{
	struct runs runs = { 0 };
	struct random r = { 5 };

	for (int i = 0; i < 14; i++) {
		double n = 10 + (double)random_below(&r, 900);
		double m = 3 + (double)random_below(&r, 50);

		add_run(&runs, n, m, .25 * n * m);
	}
	assert_within(advised_mb(&runs, 300, 20), 1500, 1500 * 1.25);
	assert_within(advised_mb(&runs, 700, 40), 7000, 7000 * 1.25);
}
END_TEST

/* A constant part, from nearly all to nearly nothing of the memory. */
START_TEST(test_constant_part)
{
	struct runs runs = { 0 };

	for (int i = 0; i < 12; i++)
		add_run(&runs, 10 * pow(2, i), 1, 500 + 2 * 10 * pow(2, i));
	for (double n = 10; n < 20480; n *= 1.7)
		assert_within(advised_mb(&runs, n, 1), 500 + 2 * n,
			      1.7 * (500 + 2 * n));
}
END_TEST

/* Numbers that tell nothing, as seeds: no fit, and no refusal. */
START_TEST(test_seeds)
{
	struct random r = { 17 };
	int follow = 0;

	for (int trial = 0; trial < 300; trial++) {
		struct runs runs = { 0 };

		for (int i = 0; i < 8 + trial % 13; i++)
			add_run(&runs, 1 + (double)random_below(&r, 1000000),
				1 + (double)random_below(&r, 1000000),
				300 * exp(random_unit(&r)));

		struct memory_fit fit = find(&runs, 1, 500000);

		follow += !isnan(fit.margin);
		if (isnan(fit.margin))
			ck_assert_double_le(fit.beyond, 2);
	}
	ck_assert_int_le(follow, 6);
}
END_TEST

START_TEST(test_out_of_range)
{
	struct runs runs = { 0 };

	for (int i = 1; i <= 8; i++)
		add_run(&runs, 60 * i, 7, 17 + 60 * i);
	/* As far as it is believed, what such a job needs. */
	ck_assert_double_eq_tol(find(&runs, 900, 7).beyond, 900. / 480, 1e-9);
	assert_within(advised_mb(&runs, 900, 7), 917, 1.4 * 917);
	ck_assert_double_eq_tol(find(&runs, 4800, 7).beyond, 10, 1e-9);
	/* Below, no less than the least. */
	ck_assert_double_eq_tol(find(&runs, 40, 7).beyond, 1.5, 1e-9);
	ck_assert_double_ge(advised_mb(&runs, 40, 7), 77);
	ck_assert_double_eq_tol(find(&runs, 6, 7).beyond, 10, 1e-9);
	/* What m does nobody knows. */
	ck_assert_double_gt(find(&runs, 120, 7.1).beyond, 1e9);
	ck_assert_double_eq(find(&runs, 120, 6).beyond, 1);
	ck_assert_double_gt(find(&runs, 120, 0).beyond, .5);
}
END_TEST

START_TEST(test_nothing_varies)
{
	struct runs runs = { 0 };

	for (int i = 0; i < 8; i++)
		add_run(&runs, 100, i % 2, 300 + i);
	ck_assert_double_nan(find(&runs, 100, 1).margin);
	ck_assert_double_eq(find(&runs, 100, 1).beyond, 1);
	ck_assert_double_eq_tol(find(&runs, 150, 1).beyond, 1.5, 1e-9);
	ck_assert_double_eq_tol(find(&runs, 700, 1).beyond, 7, 1e-9);
	/* Less is no danger. */
	ck_assert_double_eq(find(&runs, 3, 0).beyond, 1);
	/* All peaks are the same, whatever m is. */
	runs.count = 0;
	for (int i = 0; i < 9; i++)
		add_run(&runs, 100, 1 + i * i, 300);
	ck_assert_double_nan(find(&runs, 100, 7).margin);
	ck_assert_double_eq_tol(find(&runs, 150, 7).beyond, 1.5, 1e-9);
	runs.count = 0;
	for (int i = 0; i < 8; i++)
		add_run(&runs, 100, i % 2, 300 + i);
	/* Nothing follows from one run alone. */
	runs.count--;
	add_run(&runs, 200, 1, 600);
	ck_assert_double_nan(find(&runs, 200, 1).margin);
	ck_assert_double_eq(find(&runs, 200, 1).beyond, 1);
	/* Nothing was ever above 0. */
	runs.count = 0;
	for (int i = 0; i < 8; i++)
		add_run(&runs, 0, -5, 300 + i);
	ck_assert_double_gt(find(&runs, 1, -5).beyond, 1e9);
	ck_assert_double_eq(find(&runs, 0, -5).beyond, 1);
}
END_TEST

/* A run that needed more than is known is no sample, but has a scale. */
START_TEST(test_bounds)
{
	struct runs runs = { 0 };
	struct memory_fit fit;

	add_run(&runs, 100, 1, NAN);
	for (int i = 1; i <= 10; i++)
		add_run(&runs, 50 * i, 1, 150 * i);
	fit = find(&runs, 400, 1);
	ck_assert_double_eq_tol(fit.scales[0], 4, .05);
	ck_assert_double_eq_tol(fit.scales[1], 8, .7);
	ck_assert_double_eq_tol(fit.scales[8], 1, .02);
	ck_assert_double_eq(fit.margin, 1.15);
}
END_TEST

/* Noise widens the margin, so that it holds. */
static void check_noise(size_t count, double sigma, double least, double most)
{
	struct random r = { 29 };
	int advised = 0, covered = 0;
	double factors = 0;

	for (int trial = 0; trial < 1000; trial++) {
		struct runs runs = { 0 };
		double n, needed[2];

		for (size_t i = 0; i <= count; i++) {
			double e = 0;

			for (int k = 0; k < 12; k++)
				e += random_unit(&r) - .5;
			n = exp(2 + 5 * random_unit(&r));
			needed[0] = 3 * n * exp(sigma * e);
			if (i < count)
				add_run(&runs, n,
					1 + (double)random_below(&r, 1000),
					needed[0]);
		}
		needed[1] = advised_mb(&runs, n, 500);
		if (isnan(needed[1]) || find(&runs, n, 500).beyond > 2)
			continue;
		advised++;
		covered += needed[1] >= needed[0];
		factors += needed[1] / needed[0];
	}
	ck_assert_int_ge(advised, 700);
	ck_assert_double_ge((double)covered / advised, least);
	ck_assert_double_le(factors / advised, most);
}

START_TEST(test_noise)
{
	check_noise(8, .02, .98, 1.3);
	check_noise(20, .02, .99, 1.25);
	check_noise(20, .2, .96, 2);
	check_noise(10, .2, .95, 2.4);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_proportional, test_two_parameters, test_constant_part,
		test_seeds,        test_out_of_range,   test_nothing_varies,
		test_bounds,       test_noise,          NULL
	};

	return suite_run("memory_fit", tests);
}
