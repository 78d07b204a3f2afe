/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_start_record.c - intervals that are wrong become right */
#include <math.h>
#include <string.h>

#include "predictor/scheduler/start_record.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct start_record record;

static void set_up(void)
{
	memset(&record, 0, sizeof(record));
}

/* Starts are uniform between least and most, and simulated as *simulated. */
static double share_within(const struct start_time *simulated, double least_s,
			   double most_s)
{
	struct random r = { 1 };
	int within = 0;

	for (int i = 0; i < 4000; i++) {
		struct start_time told = start_record_apply(&record, simulated);
		double actual_s =
			least_s + (most_s - least_s) * random_unit(&r);

		if (i >= 2000)
			within += actual_s >= told.low_s &&
				  actual_s <= told.high_s;
		start_record_add(&record, simulated, &told, actual_s);
	}
	return within / 2000.;
}

START_TEST(test_too_early)
{
	const struct start_time simulated = { 1000, 1200, 1400 };

	ck_assert_double_eq_tol(share_within(&simulated, 1000, 9000), .8, .04);
	ck_assert_uint_eq(record.judged, 4000);
	ck_assert(record.within > 3000);
}
END_TEST

START_TEST(test_too_wide)
{
	const struct start_time simulated = { 0, 5000, 90000 };
	struct start_time told;

	ck_assert_double_eq_tol(share_within(&simulated, 4000, 6000), .8, .04);
	told = start_record_apply(&record, &simulated);
	ck_assert(told.high_s < 6100 && told.low_s > 3900);
	ck_assert(told.low_s <= told.median_s && told.median_s <= told.high_s);
}
END_TEST

START_TEST(test_little_is_known)
{
	const struct start_time simulated = { 10, 20, 30 };
	struct start_time told;

	for (int i = 0; i < 19; i++)
		start_record_add(&record, &simulated, &simulated, 9000);
	told = start_record_apply(&record, &simulated);
	ck_assert_double_eq(told.high_s, 30);
	start_record_add(&record, &simulated, &simulated, 9000);
	told = start_record_apply(&record, &simulated);
	ck_assert_double_ge(told.high_s, 8000);
}
END_TEST

/* What comes with the program widens, and is replaced in time. */
START_TEST(test_prior)
{
	const struct start_time simulated = { 7000, 7200, 7400 };
	struct start_time told;

	start_record_init(&record, NULL);
	told = start_record_apply(&record, &simulated);
	ck_assert(told.high_s > 7400 && told.low_s < 7000);
	ck_assert_double_eq_tol(share_within(&simulated, 7100, 7300), .8, .04);
}
END_TEST

START_TEST(test_what_is_not_known_stays_so)
{
	const struct start_time simulated = { NAN, NAN, NAN };
	struct start_time told = start_record_apply(&record, &simulated);

	ck_assert(isnan(told.low_s) && isnan(told.high_s));
	start_record_add(&record, &simulated, &told, 10);
	ck_assert_uint_eq(record.judged, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_too_early,
		test_too_wide,
		test_little_is_known,
		test_prior,
		test_what_is_not_known_stays_so,
		NULL,
	};

	return suite_run_each("start_record", tests, set_up, NULL);
}
