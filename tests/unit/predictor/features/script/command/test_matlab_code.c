/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_matlab_code.c - what a line of MATLAB code runs */
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/command/matlab_code.h"
#include "tests/unit/suite.h"

/* "name a=1", or "- a=1" where nothing is run. */
static const char *read_code(const char *code)
{
	static char text[512];
	char name[MATLAB_NAME_SIZE];
	struct parameters set = { 0 };
	size_t used;

	used = (size_t)snprintf(text, sizeof(text), "%s",
				matlab_code_read(code, name, &set) ? name
								   : "-");
	for (int i = 0; i < set.count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " %s=%g", set.of[i].name,
					 set.of[i].value);
	return text;
}

START_TEST(test_code)
{
	static const struct {
		const char *code, *found;
	} cases[] = {
		{ "", "-" },
		{ "exit", "-" },
		{ "sim", "sim" },
		{ "sim(100, 0.5, x); exit", "sim arg1=100 arg2=0.5" },
		{ "addpath('lib'); N = 2000; sim(N, 5)", "sim N=2000 arg2=5" },
		{ "try, sim(3), catch e, disp(e), exit(1), end, exit",
		  "sim arg1=3" },
		{ "try; try sim(3); end", "sim arg1=3" },
		{ "run('x/y/sim.m'); exit", "sim" },
		{ "run sim", "sim" },
		{ "r = sim(7); save r", "sim arg1=7" },
		{ "[a, b] = sim(7);", "sim arg1=7" },
		{ "x = [1, 2, 3]; sim", "sim" },
		{ "x == 3, (", "x" },
		{ "[", "-" },
		{ "a=1;b=2;a=3", "- a=3 b=2" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(read_code(cases[i].code), cases[i].found);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_code, NULL };

	return suite_run("matlab_code", tests);
}
