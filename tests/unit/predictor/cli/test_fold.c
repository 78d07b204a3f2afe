/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fold.c - long texts in lines of a terminal */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/fold.h"
#include "tests/unit/suite.h"

START_TEST(test_lines_end_between_words)
{
	static const struct {
		const char *text;
		size_t width, length, skipped;
	} cases[] = {
		{ "", 7, 0, 0 },
		{ "seven77", 7, 7, 0 },
		{ "seven77 and", 7, 7, 1 },
		{ "seven77s and", 7, 8, 1 }, /* not cut */
		{ "a seven77s", 7, 1, 1 },
		{ "ab  cdefg", 7, 3, 1 },
		{ "n[1,3,17]", 7, 6, 0 }, /* behind a comma */
		{ "n1, n3,n4", 7, 3, 1 }, /* rather at a blank */
		{ "ein \xc3\xbc"
		  "ber so",
		  8, 9, 1 },                    /* characters, not bytes */
		{ "least 90 %, and", 8, 5, 1 }, /* a number keeps its % */
		{ "least 90 %, and", 11, 11, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t skipped = 77;

		ck_assert_msg(
			fold_line(cases[i].text, cases[i].width, &skipped) ==
					cases[i].length &&
				skipped == cases[i].skipped,
			"%s: %zu, %zu", cases[i].text,
			fold_line(cases[i].text, cases[i].width, &skipped),
			skipped);
	}
}
END_TEST

/* What fold_print() prints; the caller frees. */
static char *folded(const char *text, size_t indent, size_t width)
{
	char *result = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&result, &size);

	ck_assert_ptr_nonnull(file);
	fold_print(file, text, indent, width);
	fclose(file);
	return result;
}

START_TEST(test_later_lines_are_indented)
{
	char *text = folded("one two three four five six seven", 3, 24);

	ck_assert_str_eq(text, "one two three four\n   five six seven\n");
	free(text);
	text = folded("", 3, 24);
	ck_assert_str_eq(text, "\n");
	free(text);
	/* a terminal too narrow for anything */
	text = folded("one two three four five six seven", 30, 10);
	ck_assert_ptr_nonnull(strstr(text, "one two three four\n"));
	free(text);
}
END_TEST

START_TEST(test_width_by_variable)
{
	setenv("COLUMNS", "113", 1);
	ck_assert_uint_eq(fold_width(), 113);
	setenv("COLUMNS", "none", 1);
	ck_assert_uint_eq(fold_width(), 80);
	setenv("COLUMNS", "-1", 1);
	ck_assert_uint_eq(fold_width(), 80);
	unsetenv("COLUMNS");
	ck_assert_uint_eq(fold_width(), 80);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_lines_end_between_words,
				       test_later_lines_are_indented,
				       test_width_by_variable, NULL };

	return suite_run("fold", tests);
}
