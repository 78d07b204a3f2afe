/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_calibration.c - quantiles that hold what they promise */
#include <math.h>

#include "predictor/ensemble/calibration.h"
#include "predictor/ensemble/ensemble.h"
#include "tests/unit/random.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/suite.h"

#define JOBS 20000

/* Atoms of equal weight, ln(100 s) +- spread. */
static void claim(struct distribution *d, double spread)
{
	d->count = 41;
	for (int i = 0; i < d->count; i++)
		d->atoms[i] = (struct distribution_atom){
			log(100) + spread * (i - 20) / 20.0, 1.0 / d->count
		};
}

static const int knots_of[] = { 3, 6, 14, 17, 18, 20 };

static void ascending(const double knots_s[PREDICTION_KNOTS])
{
	ck_assert_double_gt(knots_s[0], 0);
	for (int k = 1; k < PREDICTION_KNOTS; k++)
		ck_assert_double_ge(knots_s[k], knots_s[k - 1]);
}

#define TOGETHER 50

struct running {
	double ends_at_s[TOGETHER]; /* HUGE_VAL: nothing runs there */
	double runtime_s[TOGETHER];
};

/* End all that have ended by then, in their order. */
static void end_until(struct calibration *c, struct running *run, double now_s)
{
	for (;;) {
		uint32_t first = 0;

		for (uint32_t i = 1; i < TOGETHER; i++)
			if (run->ends_at_s[i] < run->ends_at_s[first])
				first = i;
		if (run->ends_at_s[first] > now_s)
			break;
		calibration_advance(c, run->ends_at_s[first]);
		calibration_end(c, first, run->runtime_s[first]);
		run->ends_at_s[first] = HUGE_VAL;
	}
	calibration_advance(c, now_s);
}

/* The share of jobs within each quantile, if run times are spread over
 * ln(100 s) + shift +- truth, and claimed to be over +- 0.5. */
static void cover(double truth, double shift, double limit_s,
		  double ret_covered[6])
{
	struct calibration *c = calibration_create(TOGETHER);
	struct random r = { 3 };
	struct distribution d;
	struct running run;
	double knots_s[PREDICTION_KNOTS];
	int covered[6] = { 0 };

	claim(&d, 0.5);
	for (int i = 0; i < TOGETHER; i++)
		run.ends_at_s[i] = HUGE_VAL;
	for (int i = 0; i < JOBS; i++) {
		uint32_t at = (uint32_t)i % TOGETHER;
		double now_s = 1e9 + 20.0 * i;
		double x = shift + truth * (2 * random_unit(&r) - 1);
		double runtime_s = fmin(100 * exp(x), limit_s);

		end_until(c, &run, now_s);
		calibration_read(c, 1, &d, 100, limit_s, knots_s);
		ascending(knots_s);
		ck_assert_double_le(knots_s[20], limit_s);
		ck_assert_double_eq(knots_s[10], 100);
		calibration_watch(c, at, 1, 1, knots_s, limit_s);
		calibration_start(c, at, now_s);
		run.runtime_s[at] = runtime_s;
		run.ends_at_s[at] = now_s + runtime_s;
		for (int k = 0; k < 6 && i > JOBS / 10; k++)
			covered[k] += runtime_s <= knots_s[knots_of[k]];
	}
	for (int k = 0; k < 6; k++)
		ret_covered[k] = covered[k] / (0.9 * JOBS);
	calibration_destroy(c);
}

START_TEST(test_a_right_claim_stays)
{
	double covered[6];

	cover(0.5, 0, HUGE_VAL, covered);
	ck_assert_double_eq_tol(covered[0], 0.1, 0.01);
	ck_assert_double_eq_tol(covered[3], 0.9, 0.01);
	ck_assert_double_eq_tol(covered[5], 0.99, 0.005);
}
END_TEST

START_TEST(test_a_wrong_claim_is_mended)
{
	static const double wanted[] = { 0.1, 0.25, 0.75, 0.9, 0.95, 0.99 };
	static const struct {
		double truth, shift;
	} wrong[] = { { 0.1, 0 }, { 0.8, 0 }, { 0.5, 0.2 }, { 0.3, -0.1 } };

	for (int i = 0; i < 4; i++) {
		double covered[6];

		cover(wrong[i].truth, wrong[i].shift, HUGE_VAL, covered);
		for (int k = 0; k < 6; k++) {
			/* The median is left: nothing crosses it. */
			if (wrong[i].shift == 0.2 && k < 2)
				continue;
			if (wrong[i].shift == -0.1 && k > 1)
				continue;
			ck_assert_double_eq_tol(covered[k], wanted[k], 0.012);
		}
	}
}
END_TEST

/* Upper quantiles hold a little more than they promise, lower ones just that:
 * 1.5 % of what is beyond.  In the long run a share is off by no more than the
 * way that a level goes, over its step and the number of jobs ([1] of
 * calibration.h, 4.1). */
START_TEST(test_caution)
{
	static const double wanted[] = { 0.1, 0.25, 0.75375, 0.9015 };
	const int first = 10000, jobs = 60000;
	struct calibration *c = calibration_create(1);
	struct random r = { 5 };
	struct distribution d;
	double knots_s[PREDICTION_KNOTS];
	int covered[4] = { 0 };

	claim(&d, 0.5);
	for (int i = 0; i < first + jobs; i++) {
		double x = 2 * random_unit(&r) - 1;
		double runtime_s = 100 * exp(0.5 * x);

		calibration_read(c, 1, &d, 100, HUGE_VAL, knots_s);
		calibration_watch(c, 0, 1, 1, knots_s, HUGE_VAL);
		calibration_start(c, 0, 1e9);
		calibration_end(c, 0, runtime_s);
		for (int k = 0; k < 4 && i >= first; k++)
			covered[k] += runtime_s <= knots_s[knots_of[k]];
	}
	for (int k = 0; k < 4; k++)
		ck_assert_double_eq_tol((double)covered[k] / jobs, wanted[k],
					0.0006);
	calibration_destroy(c);
}
END_TEST

START_TEST(test_a_limit_covers)
{
	double covered[6];

	cover(2, 0, 110, covered);
	ck_assert_double_ge(covered[3], 0.89);
	ck_assert_double_eq_tol(covered[0], 0.1, 0.012);
}
END_TEST

START_TEST(test_one_atom)
{
	struct calibration *c = calibration_create(1);
	struct distribution d = { .count = 1, .atoms = { { log(60), 1 } } };
	double knots_s[PREDICTION_KNOTS];

	calibration_read(c, 0, &d, 60, HUGE_VAL, knots_s);
	ascending(knots_s);
	for (int k = 1; k < PREDICTION_KNOTS - 1; k++)
		ck_assert_double_eq_tol(knots_s[k], 60, 1);
	calibration_destroy(c);
	calibration_destroy(NULL);
}
END_TEST

/* It ended in time, but that is heard of only after it seemed to go on. */
START_TEST(test_late_news)
{
	struct calibration *heard[2] = { calibration_create(4),
					 calibration_create(4) };
	struct distribution d;
	double knots_s[2][PREDICTION_KNOTS];

	claim(&d, 0.5);
	for (int i = 0; i < 2; i++) {
		calibration_read(heard[i], 2, &d, 100, HUGE_VAL, knots_s[i]);
		calibration_watch(heard[i], 3, 2, 1, knots_s[i], HUGE_VAL);
		calibration_start(heard[i], 3, 1e9);
		if (i)
			calibration_advance(heard[i], 1e9 + 1e6);
		calibration_end(heard[i], 3, 125);
		calibration_read(heard[i], 2, &d, 100, HUGE_VAL, knots_s[i]);
	}
	for (int k = 0; k < PREDICTION_KNOTS; k++)
		ck_assert_double_eq_tol(knots_s[0][k], knots_s[1][k], 1e-9);
	calibration_destroy(heard[0]);
	calibration_destroy(heard[1]);
}
END_TEST

static void read_claim(const struct calibration *c,
		       double ret[PREDICTION_KNOTS])
{
	struct distribution d;

	claim(&d, 0.5);
	calibration_read(c, 1, &d, 100, HUGE_VAL, ret);
}

/* Cancelled after a time that all quantiles are below, or none, or the lower
 * ones are, whether it was seen to pass them or not. */
START_TEST(test_a_cancelled_run_moves_no_upper_quantile)
{
	static const struct {
		double runtime_s;
		int lower; /* quantiles that it passed */
	} cancelled[] = { { 1e5, 2 }, { 1, 0 }, { 70, 1 } };

	for (int i = 0; i < 6; i++) {
		struct calibration *c = calibration_create(4);
		double runtime_s = cancelled[i / 2].runtime_s;
		double before_s[PREDICTION_KNOTS], after_s[PREDICTION_KNOTS];

		read_claim(c, before_s);
		calibration_watch(c, 2, 1, 1, before_s, HUGE_VAL);
		calibration_start(c, 2, 1e9);
		if (i % 2)
			calibration_advance(c, 1e9 + runtime_s);
		calibration_cancel(c, 2, runtime_s);
		read_claim(c, after_s);
		for (int k = 0; k < 6; k++) {
			int at = knots_of[k];

			if (k < cancelled[i / 2].lower)
				ck_assert_double_gt(after_s[at], before_s[at]);
			else
				ck_assert_double_eq_tol(after_s[at],
							before_s[at], 1e-9);
		}
		calibration_cancel(c, 2, runtime_s); /* it is not watched */
		calibration_destroy(c);
	}
}
END_TEST

/* Levels of a group that no job had are those of the group without batches,
 * else of that of all users. */
START_TEST(test_a_new_group_follows_the_one_without)
{
	const int known = 1 + CALIBRATION_KNOWN;
	const int groups[] = { known, known + CALIBRATION_BATCH,
			       1 + CALIBRATION_BATCH };
	struct calibration *c = calibration_create(1);
	double first[CALIBRATION_LEVELS], levels[CALIBRATION_LEVELS];
	double knots_s[PREDICTION_KNOTS];

	read_claim(c, knots_s);
	calibration_watch(c, 0, 1, 1, knots_s, HUGE_VAL);
	calibration_end(c, 0, 1e5);
	calibration_levels(c, 1, first);
	ck_assert_double_gt(first[3], 0.9);
	for (int i = 0; i < 3; i++) {
		calibration_levels(c, groups[i], levels);
		ck_assert_mem_eq(first, levels, sizeof(levels));
	}
	calibration_watch(c, 0, known, 1, knots_s, HUGE_VAL);
	calibration_end(c, 0, 1e5);
	for (int i = 0; i < 3; i++) {
		calibration_levels(c, groups[i], levels);
		if (i < 2)
			ck_assert_double_gt(levels[3], first[3]);
		else
			ck_assert_mem_eq(first, levels, sizeof(levels));
	}
	calibration_destroy(c);
}
END_TEST

/* A job of a batch that outlives its quantiles widens those of batches, and
 * little; others follow until the first of a batch has ended. */
START_TEST(test_a_batch_widens_its_own_quantiles)
{
	const int batch = 1 + CALIBRATION_BATCH;
	struct calibration *c = calibration_create(4);
	double before_s[PREDICTION_KNOTS], alone_s[PREDICTION_KNOTS];
	double after_s[PREDICTION_KNOTS], batch_s[PREDICTION_KNOTS];
	struct distribution d;

	claim(&d, 0.5);
	read_claim(c, before_s);
	calibration_watch(c, 0, 1, 1, before_s, HUGE_VAL);
	calibration_end(c, 0, 1e5);
	read_claim(c, alone_s);
	calibration_read(c, batch, &d, 100, HUGE_VAL, batch_s);
	ck_assert_mem_eq(alone_s, batch_s, sizeof(alone_s));
	for (uint32_t i = 0; i < 3; i++) {
		calibration_watch(c, i, batch, 0.1, alone_s, HUGE_VAL);
		calibration_end(c, i, 1e5);
	}
	read_claim(c, after_s);
	ck_assert_mem_eq(alone_s, after_s, sizeof(alone_s));
	calibration_read(c, batch, &d, 100, HUGE_VAL, batch_s);
	ck_assert_double_gt(batch_s[17], alone_s[17]);
	ck_assert_double_lt(batch_s[17] / alone_s[17],
			    alone_s[17] / before_s[17]);
	calibration_destroy(c);
}
END_TEST

START_TEST(test_reading_knots)
{
	double knots_s[PREDICTION_KNOTS];

	for (int k = 0; k < PREDICTION_KNOTS; k++)
		knots_s[k] = 37 * exp(3 * prediction_knots[k]);
	for (int k = 0; k < PREDICTION_KNOTS; k++)
		ck_assert_double_eq(
			verdict_quantile(knots_s, prediction_knots[k]),
			knots_s[k]);
	ck_assert_double_eq_tol(verdict_quantile(knots_s, 0.35),
				37 * exp(3 * 0.35), 1e-6);
	ck_assert_double_ge(verdict_quantile(knots_s, 0.999), knots_s[20]);
	ck_assert_double_nan(verdict_quantile(knots_s, 0));
	ck_assert_double_nan(verdict_quantile(knots_s, 1));

	/* At the median, half is left: the time at 0.75. */
	ck_assert_double_eq_tol(
		verdict_remaining(knots_s, NULL, knots_s[10], 0.5),
		knots_s[14] - knots_s[10], 1e-6);
	ck_assert_double_eq_tol(verdict_remaining(knots_s, NULL, 0, 0.5),
				knots_s[10], 1e-6);
	ck_assert_double_eq_tol(verdict_remaining(knots_s, NULL, 1, 0.5),
				knots_s[10] - 1, 1e-6);

	double before_s = 0;

	for (double p = 0.05; p < 1; p += 0.05) {
		double after_s = verdict_remaining(knots_s, NULL, 500, p);

		ck_assert_double_ge(after_s, before_s);
		before_s = after_s;
	}
	for (double t = 1; t < 1e12; t *= 3) {
		double left_s = verdict_remaining(knots_s, NULL, t, 0.5);

		ck_assert(isfinite(left_s) && left_s >= 0);
	}
	knots_s[0] = NAN;
	ck_assert_double_nan(verdict_quantile(knots_s, 0.5));
	ck_assert_double_nan(verdict_remaining(knots_s, NULL, 3, 0.5));
}
END_TEST

/* What is left is what the distribution itself says, whatever levels its upper
 * quantiles were read at. */
START_TEST(test_what_is_left_needs_no_calibration)
{
	static const double levels[][PREDICTION_LEVELS] = {
		{ 0.1, 0.25, 0.75, 0.9, 0.95, 0.99 },
		{ 0.1, 0.25, 0.65, 0.75, 0.85, 0.9 },
		{ 0.1, 0.25, 0.8, 0.97, 1.01, 1.2 },
	};
	double plain_s[PREDICTION_KNOTS], knots_s[PREDICTION_KNOTS];
	double k[PREDICTION_KNOTS];

	for (int n = 0; n < PREDICTION_KNOTS; n++)
		plain_s[n] = 37 * exp(3 * prediction_knots[n]);
	for (size_t i = 0; i < 3; i++) {
		double before_s = 0;

		calibration_undo(levels[i], k);
		for (int n = 0; n < PREDICTION_KNOTS; n++) {
			ck_assert_double_gt(k[n], n ? k[n - 1] : 0);
			ck_assert_double_lt(k[n], 1);
			knots_s[n] = verdict_quantile(plain_s, k[n]);
		}
		for (double t = 0; t < plain_s[12]; t += 10)
			ck_assert_double_eq_tol(
				verdict_remaining(knots_s, levels[i], t, 0.5) /
					verdict_remaining(plain_s, NULL, t,
							  0.5),
				1, 0.02);
		for (double p = 0.05; p < 1; p += 0.05) {
			double left_s =
				verdict_remaining(knots_s, levels[i], 200, p);

			ck_assert_double_ge(left_s, before_s);
			before_s = left_s;
		}
		/* Above the median it is what was promised, at least. */
		ck_assert_double_ge(
			verdict_remaining(knots_s, levels[i], 200, 0.9),
			verdict_remaining(knots_s, NULL, 200, 0.9));
	}
	/* Without calibration it is less or more. */
	ck_assert_double_gt(verdict_remaining(knots_s, NULL, 200, 0.5),
			    1.05 * verdict_remaining(plain_s, NULL, 200, 0.5));
}
END_TEST

/* The levels of a group are those that it reads at. */
START_TEST(test_levels)
{
	struct calibration *c = calibration_create(1);
	struct distribution d = { .count = 100 };
	double knots_s[PREDICTION_KNOTS], levels[PREDICTION_LEVELS];

	for (int i = 0; i < d.count; i++) {
		d.atoms[i].value = 0.05 * i;
		d.atoms[i].weight = 0.01;
	}
	for (int i = 0; i < 500; i++) {
		calibration_read(c, 1, &d, exp(2.5), HUGE_VAL, knots_s);
		calibration_watch(c, 0, 1, 1, knots_s, HUGE_VAL);
		calibration_end(c, 0, exp(3.9));
	}
	calibration_levels(c, 1, levels);
	calibration_read(c, 1, &d, exp(2.5), HUGE_VAL, knots_s);
	ck_assert_double_gt(levels[2], 0.76);
	ck_assert_double_eq_tol(log(knots_s[14]), 5 * levels[2], 0.06);
	calibration_levels(c, 2, levels);
	ck_assert_double_eq(levels[2], 0.75);
	calibration_destroy(c);
}
END_TEST

START_TEST(test_no_memory)
{
	for (int n = 1; n <= 3; n++) {
		memory_fails_at(n);
		ck_assert_ptr_null(calibration_create(4));
		ck_assert(memory_failed());
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_right_claim_stays,
		test_a_wrong_claim_is_mended,
		test_caution,
		test_a_limit_covers,
		test_one_atom,
		test_late_news,
		test_a_cancelled_run_moves_no_upper_quantile,
		test_a_new_group_follows_the_one_without,
		test_a_batch_widens_its_own_quantiles,
		test_reading_knots,
		test_what_is_left_needs_no_calibration,
		test_levels,
		test_no_memory,
		NULL,
	};

	return suite_run("calibration", tests);
}
