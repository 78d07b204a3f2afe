/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_inline_input.c - numbers in the input that a script brings along */
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/command/inline_input.h"
#include "predictor/features/script/shell/shell_variables.h"
#include "tests/unit/suite.h"

static shell_variables variables, others;

/* The script sets N=5 and M=6. */
static const char *read_text(const char *input, bool quoted)
{
	static const char script[] = "N=5\nM=6\n";
	static char text[512];
	struct shell shell;
	struct shell_command command;
	struct parameters set = { 0 };
	struct shell_here_doc doc = { .quoted = quoted,
				      .start = input,
				      .end = input + strlen(input) };
	size_t used = 0;

	shell_open(&shell, script, strlen(script), NULL, 0);
	ck_assert(!shell_read(&shell, &command));
	variables = others = 0;
	inline_input_read(&shell, &doc, &set, &variables, &others);
	text[0] = '\0';
	for (int i = 0; i < set.count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s=%g", i ? " " : "",
					 set.of[i].name, set.of[i].value);
	return text;
}

START_TEST(test_forms)
{
	static const struct {
		const char *input, *found;
	} cases[] = {
		{ "", "" },
		{ "&grid\n nx = 7, ny=8 /\n", "nx=7 ny=8" },
		{ "a = 1.5d-3 ! comment\nb = 2D0\n", "a=0.0015 b=2" },
		{ "%mem=16GB\n", "mem=1.6e+10" },
		{ "run 25000\r\n  endTime 100;\n", "endTime=100 run=25000" },
		{ "pair 1 2\nC 0.0 0.1 0.2\n1 2\n", "" },
		{ "! a = 1\n# b = 2\n", "" },
		{ "f = 'x', g = .true., h = 5x\n", "" },
		{ "celldm(1) = 5\nx%y = 3\n", "y=3" },
		{ "a = 1\na = 2\n", "a=1" },
		{ "a = 1; b = 2\n", "a=1 b=2" },
		{ "= 5\na =\n a", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(read_text(cases[i].input, true),
				 cases[i].found);
}
END_TEST

START_TEST(test_variables)
{
	ck_assert_str_eq(read_text("n = $N\nm ${M}\n", false), "m=6 n=5");
	ck_assert_uint_eq(variables, 3);
	ck_assert_str_eq(read_text("box $N $N\nx = ${Q}\n", false), "");
	ck_assert_uint_eq(variables, 0);
	ck_assert_uint_eq(others, 1);
	ck_assert_str_eq(read_text("n = $N\n", true), "");
	ck_assert_uint_eq(variables | others, 0);
	ck_assert_str_eq(read_text("a = $\nb = ${N\nc = $9\n", false), "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_forms, test_variables, NULL };

	return suite_run("inline_input", tests);
}
