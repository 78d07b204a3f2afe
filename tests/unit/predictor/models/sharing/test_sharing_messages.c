/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sharing_messages.c - numbers and sizes of messages between nodes */
#include <math.h>

#include "predictor/models/sharing/sharing_messages.h"
#include "tests/unit/suite.h"

/* 0 and 1 exchange, 1 sends on to 2 in a pipeline, 2 to 3. */
static struct profile make_profile(void)
{
	static const struct profile_pair pairs[] = {
		{ .from = 0, .to = 1, .messages = 700, .bytes = 1e6 },
		{ .from = 1, .to = 0, .messages = 300, .bytes = 2e6 },
		{ .from = 1, .to = 2, .messages = 900, .bytes = 3e6 },
		{ .from = 2, .to = 3, .messages = 80, .bytes = NAN },
		{ .from = 0, .to = 3, .messages = 40, .bytes = 5e6 },
		{ .from = 3, .to = 200, .messages = 1e6, .bytes = 1e9 },
	};
	struct profile p = { .nodes = 4, .pair_count = 6 };

	for (int i = 0; i < p.pair_count; i++)
		p.pair[i] = pairs[i];
	return p;
}

START_TEST(test_matrices)
{
	struct profile p = make_profile();
	struct sharing_matrix m;

	sharing_find_messages(&p, &m);
	ck_assert_float_eq(m.sent[0][1], 700);
	ck_assert_float_eq(m.sent[1][0], 300);
	ck_assert_float_eq(m.sent[2][1], 0);
	ck_assert_float_eq(m.sent[2][3], 80);
	sharing_find_bytes(&p, &m);
	ck_assert_float_eq(m.sent[1][2], 3e6f);
	ck_assert_float_eq(m.sent[2][3], 0);
}
END_TEST

START_TEST(test_answers)
{
	struct profile p = make_profile();
	double answers[PROFILE_NODES_MAX];

	sharing_count_answers(&p, answers);
	ck_assert_double_eq(answers[0], 300);
	ck_assert_double_eq(answers[1], 300);
	ck_assert_double_eq(answers[2], 0);
	ck_assert_double_eq(answers[3], 0);

	/* With several peers the one with most counts. */
	p.pair[5].to = 0;
	sharing_count_answers(&p, answers);
	ck_assert_double_eq(answers[0], 300);
	ck_assert_double_eq(answers[3], 40);
}
END_TEST

START_TEST(test_arrivals)
{
	struct profile p = make_profile();
	double arrivals[PROFILE_NODES_MAX];

	sharing_count_arrivals(&p, arrivals);
	ck_assert_double_eq(arrivals[0], 300);
	ck_assert_double_eq(arrivals[1], 700);
	ck_assert_double_eq(arrivals[2], 900);
	ck_assert_double_eq(arrivals[3], 80);
}
END_TEST

START_TEST(test_replies_and_long_messages)
{
	struct profile p = make_profile();

	ck_assert_double_eq(sharing_replies(&p.pair[0]), 0);
	ck_assert(!sharing_lag_matters(&p));
	p.pair[3].long_messages = 1;
	ck_assert(sharing_lag_matters(&p));
	p.pair[3].long_messages = NAN;
	p.pair[0].replies = 140;
	ck_assert_double_eq_tol(sharing_replies(&p.pair[0]), 0.2, 1e-12);
	ck_assert(sharing_lag_matters(&p));
	p.pair[0].replies = 7000; /* no more than all */
	ck_assert_double_eq(sharing_replies(&p.pair[0]), 1);
	p.pair[0].messages = NAN;
	ck_assert_double_eq(sharing_replies(&p.pair[0]), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_matrices, test_answers,
		test_arrivals, test_replies_and_long_messages,
		NULL,
	};

	return suite_run("sharing_messages", tests);
}
