/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_lee_schopf_learn.c - filters of Lee and Schopf, and what is learned
 * for them
 */
#include <stdlib.h>

#include "predictor/models/lee_schopf/lee_schopf_fit.h"
#include "tests/unit/predictor/models/family.h"

/* --- Parts ---------------------------------------------------------------- */

static double distance_by(const struct points *p, enum form_filter filter,
			  const double weights[SLOTS], const double q[SLOTS])
{
	struct nearest n;

	nearest_find(p, filter, weights, q, 1, true, POINTS_MAX, &n);
	ck_assert_uint_eq(n.count, 1);
	return n.distance[0];
}

/* Two variables that range over 2000..12000 and 0..4, weights 1 and 0.5:
 * 3000 / 10000 + 0.5 * 1.5 / 4. */
START_TEST(test_distance_as_printed)
{
	struct points *p = calloc(1, sizeof(*p));
	double weights[SLOTS] = { 0 };
	double q[SLOTS] = { 8000 };

	p->count = 1;
	p->slots = SLOT_BIT(0) | SLOT_BIT(1) | SLOT_BIT(SLOT_LOAD);
	p->range[0] = 10000;
	p->range[SLOT_LOAD] = 4;
	weights[0] = 1;
	weights[SLOT_LOAD] = 0.5;
	p->x[0][0] = 5000;
	p->x[SLOT_LOAD][0] = 2;
	q[SLOT_LOAD] = 0.5;
	ck_assert_double_eq_tol(distance_by(p, FILTER_NP_R_PARM, weights, q),
				0.4875, 1e-12);
	ck_assert_double_eq_tol(distance_by(p, FILTER_NP_PARM, weights, q), 0.3,
				1e-12);

	/* A variable without range: equal or not. */
	weights[1] = 0.25;
	p->x[1][0] = 7;
	q[1] = 9;
	ck_assert_double_eq_tol(distance_by(p, FILTER_NP_PARM, weights, q),
				0.55, 1e-12);
	free(p);
}
END_TEST

START_TEST(test_filters_keep_the_nearest)
{
	struct fixture f = setup();
	struct points *p = malloc(sizeof(*p));
	struct nearest *n = malloc(sizeof(*n));

	for (uint32_t i = 0; i < 60; i++) {
		struct run run = nbody_run(i, 1 + i % 3, 2000 + 37 * i, 10 + i);

		run_set_load(&run, (i * 7 % 60) / 20.0, (i * 7 % 60) / 20.0);
		end(&f, &run);
	}

	struct run run = nbody_run(99, 2, 2000 + 37 * 31, 1);

	run_set_load(&run, 1.3, 1.3);

	struct query q = query_of(f.h, &run);

	points_read(p, f.h, &q, POINTS_MAX);
	ck_assert_uint_eq(p->count, 60);
	ck_assert_uint_eq(p->alike, 20);
	nearest_find(p, FILTER_NO, settings_initial.weights, p->query, 512,
		     false, POINTS_MAX, n);
	ck_assert_uint_eq(n->count, 60);
	nearest_find(p, FILTER_NP, settings_initial.weights, p->query, 4, false,
		     POINTS_MAX, n);
	ck_assert_uint_eq(n->count, 4);
	ck_assert_uint_eq(p->job_id[n->of[0]], 58); /* the newest of two */
	ck_assert_uint_eq(p->job_id[n->of[3]], 49);
	nearest_find(p, FILTER_NP_PARM, settings_initial.weights, p->query, 3,
		     false, POINTS_MAX, n);
	ck_assert_uint_eq(p->job_id[n->of[0]], 31);
	ck_assert_uint_eq(p->job_id[n->of[1]] + p->job_id[n->of[2]], 28 + 34);
	nearest_find(p, FILTER_NP_R, settings_initial.weights, p->query, 3,
		     false, POINTS_MAX, n);
	for (uint32_t i = 1; i < n->count; i++)
		ck_assert_double_le(n->distance[i - 1], n->distance[i]);
	ck_assert_uint_eq(p->job_id[n->of[0]] * 7 % 60, 25);
	free(p);
	free(n);
	teardown(&f);
}
END_TEST

/* --- What is learned ------------------------------------------------------ */

START_TEST(test_weights_find_what_counts)
{
	struct random r = { 5 };
	struct fixture f = setup();

	for (uint32_t i = 0; i < 100; i++) {
		struct run run = random_run(&r, i);
		struct parameters *p = &run.application.parameters;

		parameters_set(p, "a", 1 + random_unit(&r), NULL);
		parameters_set(p, "seed", (double)random_below(&r, 1u << 30),
			       NULL);
		parameters_set(p, "verbose", 2, NULL);
		live(&f, &run);
		if (i != 99)
			continue;

		const struct settings *s = settings(&f, &run);

		ck_assert_ptr_nonnull(s);
		/* By name: a, n, seed, verbose. */
		ck_assert(s->columns & SLOT_BIT(1));
		ck_assert(s->columns & SLOT_BIT(SLOT_LOAD_MAX));
		ck_assert(s->columns & SLOT_BIT(SLOT_PROCESSORS));
		ck_assert(!(s->columns & SLOT_BIT(0)));
		ck_assert(!(s->columns & SLOT_BIT(2)));
		ck_assert(!(s->columns & SLOT_BIT(3)));
		ck_assert_double_eq(s->weights[0], 0);
		ck_assert_double_gt(s->importance[1],
				    s->importance[SLOT_LOAD_MAX]);
		ck_assert_double_gt(s->importance[SLOT_LOAD_MAX], 0.1);
	}
	teardown(&f);
}
END_TEST

START_TEST(test_the_unit_is_found)
{
	struct random r = { 6 };
	struct fixture f = setup();
	struct run run;

	for (uint32_t i = 0; i < 64; i++) {
		run = random_run(&r, i);
		live(&f, &run);
	}

	const struct settings *s = settings(&f, &run);
	struct model_result result;

	ck_assert(s->has_unit);
	ck_assert_int_eq(s->unit.parameter[0], 0);
	ck_assert_int_eq(s->unit.power[0], 2);
	ck_assert_int_eq(s->unit.power[1], 0);
	ck_assert_int_eq(s->unit.processors, -1);

	/* Farther out than any run was. */
	run = nbody_run(99, 4, 26000, 1);
	run_set_load(&run, 0.9, 1.3);
	ck_assert_int_eq(predict_run(&f, "ip", &run, &result), 0);
	ck_assert_double_eq_tol(
		result.median_s / (3e-6 * 26e3 * 26e3 / 4 * 2.3), 1, 0.03);
	ck_assert_double_lt(result.sigma, 0.05);
	teardown(&f);
}
END_TEST

/* Runs so short that start-up is a good part of them. */
START_TEST(test_start_up_is_no_work)
{
	struct random r = { 16 };
	struct fixture f = setup();
	struct run run;
	struct model_result result;

	for (uint32_t i = 0; i < 64; i++) {
		double n = 1000 + (double)random_below(&r, 5000);
		uint32_t nodes = 1u << random_below(&r, 3);

		run = nbody_run(i, nodes, n, 4 + 2e-6 * n * n / nodes);
		live(&f, &run);
	}

	const struct unit *u = &settings(&f, &run)->unit;

	ck_assert_int_eq(u->power[0], 2);
	ck_assert_int_eq(u->processors, -1);
	ck_assert(u->startup);
	run = nbody_run(99, 2, 12000, 1);
	ck_assert_int_eq(predict_run(&f, "ip", &run, &result), 0);
	ck_assert_double_eq_tol(result.median_s, 4 + 144, 0.1);
	teardown(&f);
}
END_TEST

START_TEST(test_a_unit_of_two_parameters)
{
	struct random r = { 7 };
	struct fixture f = setup();
	struct run run;

	for (uint32_t i = 0; i < 64; i++) {
		double n = 1000 + (double)random_below(&r, 4000);
		double steps = 10 + (double)random_below(&r, 90);
		uint32_t nodes = 1 + (uint32_t)random_below(&r, 2);

		run = nbody_run(i, nodes, n, 1e-7 * n * n * steps / nodes);
		parameters_set(&run.application.parameters, "steps", steps,
			       NULL);
		parameters_set(&run.application.parameters, "colour",
			       random_unit(&r), NULL);
		live(&f, &run);
	}

	/* colour, n, steps. */
	const struct unit *u = &settings(&f, &run)->unit;

	ck_assert_int_eq(u->processors, -1);
	for (int j = 0; j < 2; j++)
		ck_assert_int_eq(u->power[j], u->parameter[j] == 1 ? 2 : 1);
	ck_assert_int_eq(u->parameter[0] + u->parameter[1], 1 + 2);
	teardown(&f);
}
END_TEST

START_TEST(test_the_unit_is_given)
{
	struct random r = { 8 };
	struct fixture f = setup();
	struct run run;

	for (uint32_t i = 0; i < 24; i++) {
		double n = 1000 + (double)random_below(&r, 4000);

		run = nbody_run(i, 1, n, 1e-8 * pow(n, 2.5));
		parameters_set(&run.application.parameters, "work", pow(n, 2.5),
			       NULL);
		live(&f, &run);
	}
	ck_assert_int_eq(settings(&f, &run)->unit.parameter[0], 1);
	ck_assert_int_eq(settings(&f, &run)->unit.power[0], 1);
	teardown(&f);
}
END_TEST

/* Without a bend all runs are worth keeping, with one only the near ones. */
START_TEST(test_runs_kept)
{
	for (int bent = 0; bent < 2; bent++) {
		struct random r = { 9 };
		struct fixture f = setup();
		struct run run;
		struct model_result result;

		for (uint32_t i = 0; i < 128; i++) {
			double n = 1000 + (double)random_below(&r, 9000);
			double t = bent ? 20 + 20 * sin(n / 800) : 3 + n / 200;

			run = nbody_run(i, 2, n,
					t * (1 + 0.1 * random_normal(&r)));
			live(&f, &run);
		}
		ck_assert_int_eq(predict_run(&f, "dp_np_parm", &run, &result),
				 0);
		if (bent)
			ck_assert_uint_le(result.runs, 14);
		else
			ck_assert_uint_ge(result.runs, 28);
		teardown(&f);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_distance_as_printed,
		test_filters_keep_the_nearest,
		test_weights_find_what_counts,
		test_the_unit_is_found,
		test_start_up_is_no_work,
		test_a_unit_of_two_parameters,
		test_the_unit_is_given,
		test_runs_kept,
		NULL,
	};

	return suite_run("what Lee and Schopf's filters learn", tests);
}
