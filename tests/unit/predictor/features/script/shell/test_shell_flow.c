/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_shell_flow.c - functions and loops of a script */
#include <stdio.h>
#include <string.h>

#include "predictor/features/script/shell/shell_arithmetic.h"
#include "predictor/features/script/shell/shell_flow.h"
#include "tests/unit/suite.h"

static const char *const arguments[] = { "job.sh", "8000", "70" };

/* All commands, functions followed, and the rounds of the loops that each
 * stands in. */
static const char *read_script(const char *script)
{
	static char text[4096];
	static struct shell shell;
	static struct shell_command command;
	size_t used = 0;

	text[0] = '\0';
	shell_open(&shell, script, strlen(script), arguments, 3);
	for (int n = 0; n < 100 && shell_next(&shell, &command); n++) {
		int at = command.count > 1 && !strcmp(command.words[0], "{");

		if (shell_call(&shell, &command, at))
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s",
					 used ? " / " : "");
		for (int i = 0; i < command.count; i++)
			used += (size_t)snprintf(
				text + used, sizeof(text) - used, "%s%s",
				i ? "|" : "", command.words[i]);
		for (int i = 0; i < shell.loops_count; i++)
			used += (size_t)snprintf(
				text + used, sizeof(text) - used, " [%s %g]",
				shell.loops[i].name, shell.loops[i].count);
	}
	return text;
}

START_TEST(test_functions)
{
	static const struct {
		const char *script, *commands;
	} cases[] = {
		{ "f() { a $1 $2; }\nf 5\nb $1", "{|a|5 / } / b|8000" },
		{ "f() {\na \"$@\"\n}\nb\nf \"$@\"", "b / { / a|8000|70 / }" },
		{ "function f { \na $1\n}\nf 5", "a|5 / }" },
		{ "f() { { a; }; b; }\nf\nc", "{|{|a / } / b / } / c" },
		{ "f() { g $1; }\ng() { a $1; }\nf 5", "{|a|5 / } / }" },
		{ "f() { a; }\n", "" },
		{ "N=5\nf() { N=6; }\na $N\nf\na $N", "a|5 / {|N=6 / } / a|6" },
		{ "f() { shift; a $1 \"$@\"; }\nf 5 6 7\nshift\nb $1 $2",
		  "{|shift / a|6|6|7 / } / shift / b|70" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(read_script(cases[i].script),
				 cases[i].commands);
}
END_TEST

START_TEST(test_recursion_ends)
{
	const char *text = read_script("f() { f; f; }\nf\nf\na");

	ck_assert_ptr_nonnull(strstr(text, "/ a"));
}
END_TEST

START_TEST(test_loops)
{
	static const struct {
		const char *head, *loop;
	} cases[] = {
		{ "for i in a b c", "[i 3]" },
		{ "for i in $(seq 10)", "[i 10]" },
		{ "for i in $(seq 3 2 9)", "[i 4]" },
		{ "for i in `seq 0 4`", "[i 5]" },
		{ "for i in $(seq 1 $1)", "[i -1]" },
		{ "for i in {1..10}", "[i 10]" },
		{ "for i in {10..7}", "[i 4]" },
		{ "for i in *.dat", "[i -1]" },
		{ "for i in $(ls)", "[i -1]" },
		{ "for i in $2 x", "[i 2]" },
		{ "for ((i=0;i<10;i++))", "[i 10]" },
		{ "for (( i = 1; i <= $2; i++ ))", "[i 70]" },
		{ "for ((;;))", "[ -1]" },
		{ "while true", "[ -1]" },
		{ "until [ -f x ]", "[ -1]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char script[128];
		const char *text;

		snprintf(script, sizeof(script), "%s; do\na\ndone\nb",
			 cases[i].head);
		text = strstr(read_script(script), "/ a ");
		ck_assert_ptr_nonnull(text);
		ck_assert_msg(!strncmp(text + 4, cases[i].loop,
				       strlen(cases[i].loop)),
			      "%s: %s", script, text);
		ck_assert_str_eq(text + strlen(text) - 4, " / b");
	}
	ck_assert_ptr_nonnull(
		strstr(read_script("foreach i (1 2 3)\na\nend\n"), "a [i 3]"));
}
END_TEST

START_TEST(test_sums)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "7", 7 },         { " 2 + 3*4 ", 14 }, { "2*3 - 4", 2 },
		{ "7/2", 3 },       { "3-7/2", 0 },      { "7%4", 3 },
		{ "$1 / 1000", 8 }, { "${2}*2", 140 },
	};
	static const char *const bad[] = { "",    "x",       "1+",  "(1",
					   "1)",  "1/0",     "1%0", "2**3",
					   "1<2", "a b",     "$3",  "1 2",
					   "${1", "(2+3)*4", NULL };
	struct shell shell;
	shell_variables variables = 0;
	shell_arguments uses = 0;
	double value = 77;

	shell_open(&shell, "", 0, arguments, 3);
	for (int i = 0; bad[i]; i++)
		ck_assert_msg(!shell_calculate(&shell, bad[i], strlen(bad[i]),
					       &value, &variables, &uses),
			      "%s", bad[i]);
	ck_assert_double_eq(value, 77);
	ck_assert_uint_eq(uses, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert(shell_calculate(&shell, cases[i].text,
					  strlen(cases[i].text), &value,
					  &variables, &uses));
		ck_assert_double_eq(value, cases[i].value);
	}
	ck_assert_uint_eq(uses, 1 << 1 | 1 << 2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_functions, test_recursion_ends,
				       test_loops, test_sums, NULL };

	return suite_run("shell_flow", tests);
}
