/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_refusals.c - a line at once, then one a minute with what was left out */
#include "predictor/http/gate/refusals.h"
#include "tests/unit/suite.h"

START_TEST(test_periods)
{
	static struct refusals refusals;
	uint64_t more = 7;

	refusals_init(&refusals);
	ck_assert(refusals_note(&refusals, 1001, 5000.25, &more));
	ck_assert_uint_eq(more, 0);
	for (int i = 0; i < 41; i++)
		ck_assert(!refusals_note(&refusals, 1001, 5010, &more));
	ck_assert(refusals_note(&refusals, 1002, 5010, &more));
	ck_assert_uint_eq(more, 0);
	ck_assert(!refusals_note(&refusals, 1001, 5060.2, &more));
	ck_assert(refusals_note(&refusals, 1001, 5060.3, &more));
	ck_assert_uint_eq(more, 42);
	ck_assert(!refusals_note(&refusals, 1001, 5060.3, &more));
	refusals_destroy(&refusals);
}
END_TEST

/* More users than places: each is logged, the newest are remembered. */
START_TEST(test_many)
{
	static struct refusals refusals;
	uint64_t more;

	refusals_init(&refusals);
	for (uid_t uid = 0; uid < 1000; uid++)
		ck_assert(refusals_note(&refusals, uid, 100 + uid, &more));
	for (uid_t uid = 1000 - REFUSALS_USERS_MAX; uid < 1000; uid++)
		ck_assert(!refusals_note(&refusals, uid, 1100, &more) ||
			  1100 - (100.0 + uid) >= REFUSALS_PERIOD_S);
	ck_assert(refusals_note(&refusals, 0, 1100, &more));
	refusals_destroy(&refusals);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_periods, test_many, NULL };

	return suite_run("refusals", tests);
}
