/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_farm_model.c - the expressions of the paper against its figures */
#include <math.h>

#include "predictor/farm/farm_model.h"
#include "tests/unit/suite.h"

static struct message_costs one_class(double mo, double k)
{
	return (struct message_costs){ 1, { { HUGE_VAL, mo, k } } };
}

/* Tc in seconds, spread over tasks of a number that does not matter. */
static struct farm farm_of(double Tc, double V, bool synchronous)
{
	return (struct farm){ .M = 40,
			      .mu = Tc / 40,
			      .V = V,
			      .alpha = .5,
			      .synchronous = synchronous };
}

static int workers_fastest(const struct farm *f,
			   const struct message_costs *costs)
{
	int best = 1;

	for (int n = 2; n <= 100; n++)
		if (farm_time(f, costs, n) < farm_time(f, costs, best))
			best = n;
	return best;
}

START_TEST(test_figure_6)
{
	struct farm f = farm_of(1.6, 4096, false);
	struct message_costs costs = one_class(1e-3, 1e-6);

	ck_assert_double_eq_tol(farm_time(&f, &costs, 40), .0811024, 1e-9);
	ck_assert_double_eq_tol(farm_time(&f, &costs, 23), .0937433, 1e-7);
	ck_assert_int_eq(workers_fastest(&f, &costs), 40);
	ck_assert_int_eq(farm_workers_worth(&f, &costs, 100), 23);
	/* Section 6.2: from 15 to 20 workers, and from 30 to 40. */
	ck_assert_double_eq_tol(farm_time(&f, &costs, 15) /
					farm_time(&f, &costs, 20),
				1.1768 + .0324, .02);
	ck_assert_double_eq_tol(farm_time(&f, &costs, 40) /
					farm_time(&f, &costs, 30),
				1 - .0399, .007);
}
END_TEST

START_TEST(test_tables)
{
	/* Tables 2 and 4, "expected"; mo and k fit two of their numbers. */
	struct farm f = farm_of(5, 512 * 1024, false);
	struct message_costs costs = one_class(2.12e-3, 8e-8);

	ck_assert_int_eq(workers_fastest(&f, &costs), 49);
	ck_assert_int_eq(farm_workers_worth(&f, &costs, 100), 28);
	f = farm_of(5, 2048 * 1024, true);
	costs = one_class(2.4e-3, 9.4e-8);
	ck_assert_int_eq(workers_fastest(&f, &costs), 46);
	ck_assert_int_eq(farm_workers_worth(&f, &costs, 100), 21);
	/* Table 1, row 7(b): messages larger than their start-up. */
	f = farm_of(1, 2048 * 1024, false);
	costs = one_class(1.88e-3, 1.15e-7);
	ck_assert_int_eq(workers_fastest(&f, &costs), 64);
	ck_assert_double_eq(farm_workers_fed(&f, &costs.classes[0]),
			    10); /* (11) */
}
END_TEST

START_TEST(test_three_forms)
{
	/* Numbers by hand, n = 7: v = .3 * 70000 / 7 = 3000 to a worker, 7000
	 * back. */
	struct farm f = {
		.M = 70, .mu = .03, .V = 70000, .alpha = .3, .lm = .011
	};
	struct message_costs small = one_class(4e-3, 1e-6);
	struct message_costs large = one_class(2e-3, 1e-6);

	/* (7): 8 * .004 + (2.1 + .07) / 7 + .011 */
	ck_assert_double_eq_tol(farm_time(&f, &small, 7), .353, 1e-12);
	/* (8): 2 * .002 + ((6 * .3 + 1) * .07 + 2.1) / 7 + .011 */
	ck_assert_double_eq_tol(farm_time(&f, &large, 7), .343, 1e-12);
	f.synchronous = true;
	/* (9): 8 * .002 + ((6 * .3 + 1) * .07 + 2.1) / 7 + .011 */
	ck_assert_double_eq_tol(farm_time(&f, &large, 7), .355, 1e-12);
}
END_TEST

START_TEST(test_fed_workers_are_fed)
{
	/* With n workers the last send ends as the first reply comes in: of
	 * (10), n mo <= 2 mo + (k V - k alpha V + Tc) / n, to one worker. */
	struct farm f = farm_of(7.3, 812345, false);
	struct message_costs costs = one_class(1.7e-3, 6.1e-8);
	int n = (int)farm_workers_fed(&f, &costs.classes[0]);

	for (int i = n; i <= n + 1; i++) {
		double mo = 1.7e-3, kV = 6.1e-8 * f.V;
		bool fed = i * mo <= 2 * mo + (kV / 2 + 7.3) / i;

		ck_assert_int_eq(fed, i == n);
	}
}
END_TEST

START_TEST(test_classes_of_messages)
{
	struct farm f = farm_of(5, 512 * 1024, false);
	struct message_costs costs = {
		2, { { 16384, 2e-3, 8e-8 }, { HUGE_VAL, 9e-3, 8e-8 } }
	};

	ck_assert_ptr_eq(message_class_of(&costs, 16384), &costs.classes[0]);
	ck_assert_ptr_eq(message_class_of(&costs, 16385), &costs.classes[1]);
	/* 16 workers have the first of the small messages. */
	ck_assert_double_gt(farm_time(&f, &costs, 15),
			    farm_time(&f, &costs, 16) + .09);

	struct message_costs small = one_class(2e-3, 8e-8);

	ck_assert_double_eq(farm_time(&f, &costs, 16),
			    farm_time(&f, &small, 16));
}
END_TEST

START_TEST(test_index)
{
	ck_assert_double_eq_tol(farm_index(2.4, 3, 1.25), 1.953125, 1e-12);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_figure_6,
		test_tables,
		test_three_forms,
		test_fed_workers_are_fed,
		test_classes_of_messages,
		test_index,
		NULL,
	};

	return suite_run("farm_model", tests);
}
