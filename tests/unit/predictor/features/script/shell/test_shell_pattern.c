/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_shell_pattern.c - patterns of the shell, compared with fnmatch() */
#include <fnmatch.h>
#include <string.h>

#include "predictor/features/script/shell/shell_pattern.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static size_t match(const char *pattern, const char *text,
		    enum shell_pattern_part part, bool longest)
{
	size_t length;

	ck_assert(shell_pattern_match(pattern, strlen(pattern), text,
				      strlen(text), part, longest, &length));
	return length;
}

START_TEST(test_parts)
{
	const char *path = "/data/run.7/mesh.tar.gz";

	ck_assert_uint_eq(match("*/", path, SHELL_PATTERN_HEAD, true), 12);
	ck_assert_uint_eq(match("*/", path, SHELL_PATTERN_HEAD, false), 1);
	ck_assert_uint_eq(match(".*", path, SHELL_PATTERN_TAIL, false), 3);
	ck_assert_uint_eq(match(".*", path, SHELL_PATTERN_TAIL, true), 14);
	ck_assert_uint_eq(match("b*", path, SHELL_PATTERN_HEAD, false),
			  SHELL_PATTERN_NONE);
	ck_assert_uint_eq(match("", path, SHELL_PATTERN_HEAD, true), 0);
	ck_assert_uint_eq(match("[!0-9]?[[x]*\\*]", "ab[cd*]",
				SHELL_PATTERN_WHOLE, false),
			  7);
}
END_TEST

START_TEST(test_not_understood)
{
	char many[2 * SHELL_PATTERN_MAX];
	size_t length;

	ck_assert(!shell_pattern_match("[[:digit:]]", 11, "5", 1,
				       SHELL_PATTERN_WHOLE, false, &length));
	memset(many, '?', sizeof(many));
	ck_assert(!shell_pattern_match(many, sizeof(many), many, sizeof(many),
				       SHELL_PATTERN_WHOLE, false, &length));
	/* Stars side by side are one. */
	memset(many, '*', sizeof(many));
	ck_assert(shell_pattern_match(many, sizeof(many), "ab", 2,
				      SHELL_PATTERN_WHOLE, false, &length));
	ck_assert_uint_eq(length, 2);
}
END_TEST

static void random_text(struct random *r, const char *letters, size_t size,
			char *ret)
{
	size_t length = random_below(r, size);

	for (size_t i = 0; i < length; i++)
		ret[i] = letters[random_below(r, strlen(letters))];
	ret[length] = '\0';
}

START_TEST(test_as_fnmatch)
{
	struct random r = { 3 };

	for (int i = 0; i < 200000; i++) {
		char pattern[12], text[12], part[12];
		size_t shortest, longest, first = SHELL_PATTERN_NONE;
		size_t last = SHELL_PATTERN_NONE, length;

		random_text(&r, "ab*?", sizeof(pattern), pattern);
		random_text(&r, "abc", sizeof(text), text);
		length = strlen(text);
		shortest = match(pattern, text, SHELL_PATTERN_HEAD, false);
		longest = match(pattern, text, SHELL_PATTERN_HEAD, true);
		for (size_t k = 0; k <= length; k++) {
			memcpy(part, text, k);
			part[k] = '\0';
			if (fnmatch(pattern, part, 0))
				continue;
			first = first == SHELL_PATTERN_NONE ? k : first;
			last = k;
		}
		ck_assert_uint_eq(shortest, first);
		ck_assert_uint_eq(longest, last);
		ck_assert_int_eq(match(pattern, text, SHELL_PATTERN_WHOLE,
				       false) == length,
				 !fnmatch(pattern, text, 0));
		longest = match(pattern, text, SHELL_PATTERN_TAIL, true);
		for (size_t k = 0; k <= length; k++)
			if (!fnmatch(pattern, text + k, 0)) {
				ck_assert_uint_eq(longest, length - k);
				break;
			}
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_parts, test_not_understood,
				       test_as_fnmatch, NULL };

	return suite_run("shell_pattern", tests);
}
