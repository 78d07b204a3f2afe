/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_constraint.c - --constraint, one node at a time */
#include <stdlib.h>
#include <string.h>

#include "predictor/features/constraint.h"
#include "tests/unit/suite.h"

static struct constraint c;

START_TEST(test_expressions)
{
	static const struct {
		const char *text, *node;
		bool allowed;
	} rows[] = {
		{ NULL, "", true },
		{ "", "", true },
		{ "avx2", "sse,avx2,ib", true },
		{ "avx2", "sse,avx,avx22", false },
		{ "avx2", "", false },
		{ "a&b", "a,b", true },
		{ "a&b", "a", false },
		{ "a,b", "a", false },
		{ "a|b", "b", true },
		{ "a|b", "c", false },
		/* From left to right: (a|b)&c. */
		{ "a|b&c", "a", false },
		{ "a|b&c", "a,c", true },
		{ "a|(b&c)", "a", true },
		{ "a|(b&c)", "b", false },
		{ "(a|b)&(c|d)", "b,c", true },
		{ "(a|b)&(c|d)", "a,b", false },
		{ "[a|b]", "b", true },
		{ "[a|b]", "c", false },
		{ "[a&b]", "b", true },
		{ "c&[a|b]", "b", false },
		{ "[(a&b)|c]", "a", false },
		{ "[(a&b)|c]", "c", true },
		{ "a*2", "", true },
		{ "a*2&b*4", "", true },
		{ "a*2&b", "", false },
		{ "a*2&b", "b", true },
		{ "[a*2&b*4]", "", true },
		{ "(a|b)*2&c", "c", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ck_assert(constraint_parse(rows[i].text, &c));
		ck_assert_msg(constraint_allows(&c, rows[i].node) ==
				      rows[i].allowed,
			      "%s on %s", rows[i].text, rows[i].node);
	}
}
END_TEST

START_TEST(test_not_understood)
{
	static const char *const texts[] = {
		"&",           "a&",   "a|",  "(a",   "a)",      "[a",
		"[a)",         "a*",   "a*b", "a b",  "a&&b",    "()",
		"((((((((((a", "a*2*", "*2",  "a[b]", "'a'&(b)",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		ck_assert_msg(!constraint_parse(texts[i], &c), "%s", texts[i]);
		ck_assert(constraint_allows(&c, "x"));
	}
}
END_TEST

START_TEST(test_bounds)
{
	char text[4096] = "a";

	for (int i = 1; i < CONSTRAINT_TERMS_MAX; i++)
		strcat(text, "&a");
	ck_assert(constraint_parse(text, &c));
	ck_assert(constraint_allows(&c, "a"));
	ck_assert(!constraint_allows(&c, "b"));
	strcat(text, "&a");
	ck_assert(!constraint_parse(text, &c));
	memset(text, 'a', CONSTRAINT_FEATURE_SIZE);
	text[CONSTRAINT_FEATURE_SIZE] = '\0';
	ck_assert(!constraint_parse(text, &c));
	ck_assert(constraint_parse(text + 1, &c));
}
END_TEST

/* Nothing that is made of its characters leads out of the stack. */
START_TEST(test_any)
{
	static const char letters[] = "ab&|,()[]*2";

	srandom(11);
	for (int round = 0; round < 20000; round++) {
		char text[24];
		size_t length = (size_t)random() % sizeof(text);

		for (size_t i = 0; i < length; i++)
			text[i] = letters[(size_t)random() %
					  (sizeof(letters) - 1)];
		text[length] = '\0';
		if (!constraint_parse(text, &c))
			ck_assert_int_eq(c.count, 0);
		/* Without negation more features never hurt. */
		ck_assert(!constraint_allows(&c, "") ||
			  constraint_allows(&c, "a,b,2,a2,b2,ab,ba"));
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_expressions,
		test_not_understood,
		test_bounds,
		test_any,
		NULL,
	};

	return suite_run("constraint", tests);
}
