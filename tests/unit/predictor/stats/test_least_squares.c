/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_least_squares.c - linear least squares for columns that may not be
 * independent
 */
#include <math.h>

#include "predictor/stats/least_squares.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

/* NIST's Statistical Reference Datasets, "Norris" (linear, one variable), with
 * certified results. */
static const struct {
	double y, x;
} norris[] = {
	{ 0.1, 0.2 },     { 338.8, 337.4 }, { 118.1, 118.2 }, { 888.0, 884.6 },
	{ 9.2, 10.1 },    { 228.1, 226.5 }, { 668.5, 666.3 }, { 998.5, 996.3 },
	{ 449.1, 448.6 }, { 778.9, 777.0 }, { 559.2, 558.2 }, { 0.3, 0.4 },
	{ 0.1, 0.6 },     { 778.1, 775.5 }, { 668.8, 666.9 }, { 339.3, 338.0 },
	{ 448.9, 447.5 }, { 10.8, 11.6 },   { 557.7, 556.0 }, { 228.3, 228.1 },
	{ 998.0, 995.8 }, { 888.8, 887.6 }, { 119.6, 120.2 }, { 0.3, 0.3 },
	{ 0.6, 0.3 },     { 557.6, 556.8 }, { 339.3, 339.1 }, { 888.0, 887.2 },
	{ 998.5, 999.0 }, { 778.9, 779.0 }, { 10.2, 11.1 },   { 117.6, 118.3 },
	{ 228.9, 229.2 }, { 668.4, 669.1 }, { 449.2, 448.9 }, { 0.2, 0.5 },
};

START_TEST(test_certified_values)
{
	struct regression *r = regression_create(64, 5);

	regression_begin(r, 2);
	for (size_t i = 0; i < sizeof(norris) / sizeof(norris[0]); i++) {
		double x[] = { 1, norris[i].x };

		regression_add(r, x, norris[i].y, 1);
	}
	ck_assert_int_eq(regression_solve(r), 0);
	ck_assert_uint_eq(regression_degrees(r), 34);
	ck_assert_double_eq_tol(regression_coefficient(r, 0),
				-0.262323073774029, 1e-9);
	ck_assert_double_eq_tol(regression_coefficient(r, 1), 1.00211681802045,
				1e-12);
	ck_assert_double_eq_tol(regression_s(r), 0.884796396144373, 1e-10);

	/* At x = 0 the prediction is the first coefficient, whose certified
	 * standard deviation is 0.232818234301152. */
	double zero[] = { 1, 0 };
	double deviation;

	ck_assert_double_eq_tol(regression_at(r, zero, &deviation),
				-0.262323073774029, 1e-9);
	ck_assert_double_eq_tol(
		deviation, hypot(0.884796396144373, 0.232818234301152), 1e-9);
	regression_destroy(r);
	regression_destroy(NULL);
}
END_TEST

START_TEST(test_constant_and_collinear_columns)
{
	struct regression *r = regression_create(64, 6);
	struct random random = { 3 };

	regression_begin(r, 5);
	for (int i = 0; i < 30; i++) {
		double a = random_unit(&random) * 3e6;
		double x[] = { 1, a, 2 * a + 5, 7, 0 };

		regression_add(r, x, 11 + 3e-6 * a, 1);
	}
	ck_assert_int_eq(regression_solve(r), 0);
	ck_assert_uint_eq(regression_degrees(r), 28);

	double at[] = { 1, 1e6, 2e6 + 5, 7, 0 };
	double deviation;

	ck_assert_double_eq_tol(regression_at(r, at, &deviation), 14, 1e-7);
	ck_assert_double_finite(deviation);
	regression_destroy(r);
}
END_TEST

START_TEST(test_more_columns_than_rows)
{
	struct regression *r = regression_create(8, 4);
	double x[] = { 1, 2, 3, 4 };
	double deviation;

	regression_begin(r, 4);
	ck_assert_int_eq(regression_solve(r), -1);
	regression_add(r, x, 17.5, 1);
	ck_assert_int_eq(regression_solve(r), 0);
	ck_assert_uint_eq(regression_degrees(r), 0);
	ck_assert_double_eq_tol(regression_at(r, x, &deviation), 17.5, 1e-9);
	ck_assert_double_eq(regression_s(r), 0);
	regression_destroy(r);
}
END_TEST

START_TEST(test_weights_are_repetitions)
{
	struct regression *once = regression_create(64, 2);
	struct regression *often = regression_create(64, 2);
	struct random random = { 12 };

	regression_begin(once, 2);
	regression_begin(often, 2);
	for (int i = 0; i < 12; i++) {
		double x[] = { 1, random_unit(&random) };
		double y = random_unit(&random);
		int weight = 1 + (int)random_below(&random, 4);

		regression_add(once, x, y, weight);
		for (int j = 0; j < weight; j++)
			regression_add(often, x, y, 1);
	}
	ck_assert_int_eq(regression_solve(once), 0);
	ck_assert_int_eq(regression_solve(often), 0);
	for (size_t j = 0; j < 2; j++)
		ck_assert_double_eq_tol(regression_coefficient(once, j),
					regression_coefficient(often, j),
					1e-12);
	regression_destroy(once);
	regression_destroy(often);
}
END_TEST

START_TEST(test_what_is_too_much_is_left_out)
{
	struct regression *r = regression_create(4, 2);
	double x[] = { 1, 1, 1, 1 };

	regression_begin(r, 4); /* two only */
	for (int i = 0; i < 9; i++)
		regression_add(r, x, i < 4 ? 6 : 1e6, 1);
	ck_assert_int_eq(regression_solve(r), 0);
	ck_assert_double_eq_tol(regression_at(r, x, NULL), 6, 1e-9);
	regression_destroy(r);
}
END_TEST

/* What is solved the fast way and what is left to the decomposition, because a
 * column is nearly another, meet. */
START_TEST(test_harmless_or_not)
{
	struct regression *r = regression_create(64, 4);

	for (int alike = 0; alike < 8; alike++) {
		struct random random = { 5 };
		double apart = pow(10, -alike);
		double deviation;

		regression_begin(r, 3);
		for (int i = 0; i < 40; i++) {
			double a = random_unit(&random);
			double b = a + apart * random_unit(&random);
			double x[] = { 1, a, b };

			regression_add(r, x, 2 + 3 * a - (b - a) / apart, 2);
		}
		ck_assert_int_eq(regression_solve(r), 0);
		ck_assert_uint_eq(regression_degrees(r), 37);

		double at[] = { 1, 0.3, 0.3 + apart / 4 };

		ck_assert_double_eq_tol(regression_at(r, at, &deviation), 2.65,
					1e-7);
		ck_assert_double_lt(deviation, 1e-6);
	}
	regression_destroy(r);
}
END_TEST

START_TEST(test_leverage_leaves_one_out)
{
	struct regression *all = regression_create(64, 3);
	struct regression *less = regression_create(64, 3);

	/* The last column is there, is 0, is a copy. */
	for (int last = 0; last < 3; last++) {
		double x[20][3];
		double y[20];
		struct random random = { 6 };

		regression_begin(all, 3);
		for (int i = 0; i < 20; i++) {
			double own[] = { random_unit(&random), 0, 2 };

			x[i][0] = 1;
			x[i][1] = random_unit(&random);
			x[i][2] = last == 2 ? 2 * x[i][1] : own[last];
			y[i] = random_unit(&random);
			regression_add(all, x[i], y[i], 1);
		}
		ck_assert_int_eq(regression_solve(all), 0);
		for (int out = 0; out < 20; out++) {
			regression_begin(less, 3);
			for (int i = 0; i < 20; i++)
				if (i != out)
					regression_add(less, x[i], y[i], 1);
			ck_assert_int_eq(regression_solve(less), 0);

			double e = y[out] - regression_at(all, x[out], NULL);

			ck_assert_double_eq_tol(
				e / (1 - regression_leverage(all, x[out])),
				y[out] - regression_at(less, x[out], NULL),
				1e-9);
		}
	}
	regression_destroy(all);
	regression_destroy(less);
}
END_TEST

START_TEST(test_rows_added_to_what_is_solved)
{
	struct regression *r = regression_create(8, 2);
	static const double x[][2] = { { 1, 3 }, { 1, 5 }, { 1, 11 } };

	regression_begin(r, 2);
	regression_add(r, x[0], 7, 1);
	ck_assert_int_eq(regression_solve(r), 0);
	ck_assert_double_eq_tol(regression_at(r, x[0], NULL), 7, 1e-9);
	regression_add(r, x[1], 13, 1);
	ck_assert_int_eq(regression_solve(r), 0);
	ck_assert_double_eq_tol(regression_coefficient(r, 1), 3, 1e-9);
	regression_add(r, x[2], 31, 1);
	ck_assert_int_eq(regression_solve(r), 0);
	ck_assert_double_eq_tol(regression_coefficient(r, 0), -2, 1e-9);
	ck_assert_double_lt(regression_s(r), 1e-9);
	regression_destroy(r);
}
END_TEST

/* Columns filled at a time, rows one by one, with and without solving in
 * between: the same numbers, whatever does not fill the lanes. */
START_TEST(test_rows_many_at_a_time)
{
	enum { ROWS = 61, COLUMNS = 3 };
	struct regression *often = regression_create(ROWS, COLUMNS);
	struct regression *once = regression_create(ROWS, COLUMNS);
	struct random random = { 5 };
	double x[ROWS][COLUMNS], y[ROWS];
	int done = 0;

	for (int i = 0; i < ROWS; i++) {
		x[i][0] = 1;
		x[i][1] = random_unit(&random);
		x[i][2] = random_unit(&random);
		y[i] = 3 + x[i][1] - 2 * x[i][2] + random_unit(&random);
	}
	regression_begin(once, COLUMNS);
	regression_begin(often, COLUMNS);
	for (int i = 0; i < ROWS; i++)
		regression_add(once, x[i], y[i], 1);
	ck_assert_int_eq(regression_solve(once), 0);
	for (int n = 1; done < ROWS; n = n * 2 + 1) {
		int rows = n < ROWS - done ? n : ROWS - done;

		for (int i = 0; i < rows; i++) {
			for (int j = 0; j < COLUMNS; j++)
				regression_next(often, (size_t)j)[i] =
					x[done + i][j];
			regression_next_y(often)[i] = y[done + i];
		}
		regression_add_next(often, (size_t)rows);
		done += rows;
		ck_assert_int_eq(regression_solve(often), 0);
	}
	ck_assert_uint_eq(regression_degrees(often), ROWS - COLUMNS);
	ck_assert_double_eq_tol(regression_s(often), regression_s(once), 1e-12);
	for (size_t j = 0; j < COLUMNS; j++)
		ck_assert_double_eq_tol(regression_coefficient(often, j),
					regression_coefficient(once, j), 1e-12);
	ck_assert_double_eq_tol(regression_leverage(often, x[7]),
				regression_leverage(once, x[7]), 1e-12);
	regression_destroy(often);
	regression_destroy(once);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_certified_values,
		test_constant_and_collinear_columns,
		test_more_columns_than_rows,
		test_weights_are_repetitions,
		test_what_is_too_much_is_left_out,
		test_harmless_or_not,
		test_leverage_leaves_one_out,
		test_rows_added_to_what_is_solved,
		test_rows_many_at_a_time,
		NULL,
	};

	return suite_run("regression", tests);
}
