/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_arguments.c - the numbers in the arguments of a command */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/command/arguments.h"
#include "tests/unit/suite.h"

/* The parameters of a command line, as "a=1 b=2". */
static const char *read_line(const char *line, shell_arguments skip)
{
	static char text[1024];
	struct parameters set = { 0 };
	struct shell_command command;
	struct shell shell;
	size_t used = 0;

	shell_open(&shell, line, strlen(line), NULL, 0);
	ck_assert(shell_read(&shell, &command));
	/* The first word stands for the command itself. */
	const struct arguments arguments = { .words = command.words + 1,
					     .count = command.count - 1,
					     .skip = skip,
					     .except = -1,
					     .pairs = " var " };

	arguments_read(&arguments, &set);
	text[0] = '\0';
	for (int i = 0; i < set.count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s=%.15g", i ? " " : "",
					 set.of[i].name, set.of[i].value);
	return text;
}

START_TEST(test_forms)
{
	static const struct {
		const char *line, *parameters;
	} cases[] = {
		{ "app", "" },
		{ "app 8000", "arg1=8000" },
		{ "app in.dat 100 -v 1e-3", "arg2=100 v=0.001" },
		{ "app -n 8000 -k7 --steps=10 --tol 0.5", "k=7 n=8000 steps=10 "
							  "tol=0.5" },
		{ "app N=4000 -DM=5 -D K=6", "DM=5 K=6 N=4000" },
		{ "app -5 -x -5 +3", "arg1=-5 arg2=3 x=-5" },
		{ "app --verbose in.dat --out=o.dat -", "" },
		{ "app 64k 2M 1.5G 1T 5x", "arg1=64000 arg2=2000000 "
					   "arg3=1500000000 "
					   "arg4=1000000000000" },
		{ "app .5 5. 0x10 1e400 nan inf", "arg1=0.5 arg2=5 arg3=16" },
		{ "app -n 5 -n 6", "n=6" },
		{ "app --a.b-c_d=1 --a/b=2 --=3 =4", "a.b=2 a.b-c_d=1" },
		{ "app '' 7", "arg1=7" },
		{ "app -- 7", "arg1=7" },
		{ "app -n", "" },
		{ "app +p40 ++ppn 7 +x 5", "p=40 ppn=7 x=5" },
		{ "app -var N 5 -var x y 7 -vat M 5", "N=5 arg3=7 arg5=5" },
		{ "app 16GB 4KiB 3Mi 2kB", "arg1=16000000000 arg2=4096 "
					   "arg3=3145728 arg4=2000" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(read_line(cases[i].line, 0),
				 cases[i].parameters);
}
END_TEST

START_TEST(test_left_out_but_counted)
{
	ck_assert_str_eq(read_line("app 1 2 3", 1 << 2), "arg1=1 arg3=3");
	ck_assert_str_eq(read_line("app -n 5 a=1", 1 << 2), "a=1");
	ck_assert_str_eq(read_line("app -n 5 a=1", 1 << 3), "n=5");
	ck_assert_str_eq(read_line("app -n5 7", 1 << 1), "arg1=7");
}
END_TEST

START_TEST(test_more_than_fit)
{
	char line[4096] = "app";

	for (int i = 0; i < 40; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line),
			 " %d", i);

	const char *parameters = read_line(line, 0);
	int count = 0;

	for (const char *at = parameters; (at = strchr(at, '=')); at++)
		count++;
	ck_assert_int_eq(count, PARAMETERS_MAX);
}
END_TEST

START_TEST(test_numbers)
{
	static const char *const bad[] = { "",   "-",   "+",     "k",  " 1",
					   "1 ", "1kk", "1KBs",  "e5", "--1",
					   "0x", "1e",  "1.2.3", "1,5" };
	double value = 77;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!arguments_number(bad[i], &value), "%s", bad[i]);
	ck_assert_double_eq(value, 77);
	ck_assert(arguments_number("-1.5e3", &value));
	ck_assert_double_eq(value, -1500);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_forms, test_left_out_but_counted,
				       test_more_than_fit, test_numbers, NULL };

	return suite_run("arguments", tests);
}
