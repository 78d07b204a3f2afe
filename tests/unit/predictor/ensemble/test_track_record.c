/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_track_record.c - whether quantiles held, by user and application */
#include <check.h>
#include <math.h>
#include <string.h>

#include "predictor/ensemble/track_record.h"
#include "tests/unit/suite.h"

static struct track_record *record;
static struct prediction p;

/* 90 % within 100 s, on two nodes. */
static void begin(void)
{
	record = track_record_create();
	ck_assert_ptr_nonnull(record);
	p = (struct prediction){ .cluster = "little",
				 .user_id = 1000,
				 .nodes = 2,
				 .basis = BASIS_HISTORY,
				 .quantile = 0.9,
				 .quantile_s = 100 };
	strcpy(p.application.name, "heat");
}

static void end(void)
{
	track_record_destroy(record);
	track_record_destroy(NULL);
}

static void expect(uint32_t judged, uint32_t held)
{
	uint32_t got_judged = 99, got_held = 99;

	track_record_read(record, &p, &got_judged, &got_held);
	ck_assert_uint_eq(got_judged, judged);
	ck_assert_uint_eq(got_held, held);
}

/* A run that its limit ended did not complete: it would have gone on. */
START_TEST(test_ends)
{
	expect(0, 0);
	track_record_judge(record, &p, OUTCOME_COMPLETED, 100, 2);
	expect(1, 1);
	track_record_judge(record, &p, OUTCOME_COMPLETED, 100.5, 2);
	expect(2, 1);
	track_record_judge(record, &p, OUTCOME_TIMEOUT, 60, 2);
	expect(3, 1);
	track_record_judge(record, &p, OUTCOME_FAILED, 60, 2);
	track_record_judge(record, &p, OUTCOME_CANCELLED, 60, 2);
	track_record_judge(record, &p, OUTCOME_OTHER, 60, 2);
	expect(3, 1);
	track_record_judge(record, &p, OUTCOME_FAILED, 160, 2);
	track_record_judge(record, &p, OUTCOME_CANCELLED, 160, 2);
	expect(5, 1);
	track_record_judge(record, &p, OUTCOME_COMPLETED, 60, 0);
	expect(6, 2);
}
END_TEST

/* Other nodes, a guess, or no quantile say nothing. */
START_TEST(test_not_judged)
{
	track_record_judge(record, &p, OUTCOME_COMPLETED, 60, 3);
	p.quantile_s = NAN;
	track_record_judge(record, &p, OUTCOME_COMPLETED, 60, 2);
	p.quantile_s = HUGE_VAL;
	track_record_judge(record, &p, OUTCOME_COMPLETED, 60, 2);
	p.quantile_s = 0;
	track_record_judge(record, &p, OUTCOME_TIMEOUT, 60, 2);
	p.quantile_s = 100;
	p.basis = BASIS_LIMIT;
	track_record_judge(record, &p, OUTCOME_COMPLETED, 60, 2);
	expect(0, 0);
}
END_TEST

START_TEST(test_the_last_ones)
{
	for (int i = 0; i < 40; i++)
		track_record_judge(record, &p, OUTCOME_COMPLETED,
				   i < 10 ? 200 : 60, 2);
	expect(TRACK_LENGTH, 30);
	for (int i = 0; i < 7; i++)
		track_record_judge(record, &p, OUTCOME_TIMEOUT, 60, 2);
	expect(TRACK_LENGTH, 25);
}
END_TEST

START_TEST(test_pairs)
{
	track_record_judge(record, &p, OUTCOME_COMPLETED, 60, 2);
	p.user_id = 1001;
	expect(0, 0);
	track_record_judge(record, &p, OUTCOME_TIMEOUT, 60, 2);
	p.user_id = 1000;
	expect(1, 1);
	strcpy(p.application.name, "nbody");
	expect(0, 0);
	strcpy(p.application.name, "heat");
	strcpy(p.cluster, "big");
	expect(0, 0);
}
END_TEST

/* More pairs than there is room for: the newest are known. */
START_TEST(test_many_pairs)
{
	uint32_t judged, held, known = 0;

	for (uint32_t user = 0; user < 100000; user++) {
		p.user_id = user;
		track_record_judge(record, &p, OUTCOME_COMPLETED, 60, 2);
		expect(1, 1);
	}
	for (uint32_t user = 0; user < 100000; user++) {
		p.user_id = user;
		track_record_read(record, &p, &judged, &held);
		known += judged;
		if (user >= 99000)
			ck_assert_uint_eq(judged, 1);
	}
	ck_assert_uint_gt(known, 50000);
	ck_assert_uint_le(known, 65536);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_ends,          test_not_judged,
				       test_the_last_ones, test_pairs,
				       test_many_pairs,    NULL };

	return suite_run_each("track_record", tests, begin, end);
}
