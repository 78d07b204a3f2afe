/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_shell_words.c - the simple commands of a job script */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/shell/shell_flow.h"
#include "predictor/features/script/shell/shell_words.h"
#include "tests/unit/suite.h"

static const char *const arguments[] = { "job.sh", "8000", "a b", "10" };

/* All commands of a script: words between '|', commands between ' / '. */
static const char *read_script(const char *script)
{
	static char text[4096];
	struct shell shell;
	struct shell_command command;
	size_t used = 0;

	text[0] = '\0';
	shell_open(&shell, script, strlen(script), arguments, 4);
	while (shell_next(&shell, &command)) {
		for (int i = 0; i < command.count; i++)
			used += (size_t)snprintf(text + used,
						 sizeof(text) - used, "%s%s",
						 i      ? "|"
						 : used ? " / "
							: "",
						 command.words[i]);
	}
	return text;
}

START_TEST(test_words)
{
	static const struct {
		const char *script, *commands;
	} cases[] = {
		{ "", "" },
		{ "\n \t\r\n;;&&", "" },
		{ "#!/bin/bash\n# x\na b # c\n", "a|b" },
		{ "a#b c", "a#b|c" },
		{ "a 'b  c' \"d e\" f\\ g h\"i\"'j'k", "a|b  c|d e|f g|hijk" },
		{ "a '' \"\" b", "a|||b" },
		{ "a \\\n  b\n", "a|b" },
		{ "a; b & c && d || e | f", "a / b / c / d / e / f" },
		{ "a 'open", "a|open" },
		{ "a \"open", "a|open" },
		{ "a \\", "a" },
		{ "(a b) ; { c; }", "a|b / {|c / }" },
		{ "a `b c` $(d (e) f) $((1+2))", "a|`b c`|$(d (e) f)|3" },
		{ "a\r\nb\r\n", "a / b" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(read_script(cases[i].script),
				 cases[i].commands);
}
END_TEST

START_TEST(test_redirections_are_no_words)
{
	static const struct {
		const char *script, *commands;
	} cases[] = {
		{ "a > b 2>&1 c", "a|c" },
		{ "a >>b <c 2> /dev/null d", "a|d" },
		{ "a &> b c", "a|c" },
		{ "a >| b c >&2", "a|c" },
		{ "a 12 >b", "a|12" },
		{ "a x2>b", "a|x2" },
		{ "a <<< 'b c' d", "a|d" },
		{ "cat <<EOF x\nnot me\nEOF\nb", "cat|x / b" },
		{ "cat <<'EOF' <<-E2\nno\nEOF\nno\n\tE2\nb", "cat / b" },
		{ "cat <<EOF\nno EOF\nEOFx\n", "cat" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(read_script(cases[i].script),
				 cases[i].commands);
}
END_TEST

START_TEST(test_expansions)
{
	static const struct {
		const char *script, *commands;
	} cases[] = {
		{ "a $1 ${3} $4", "a|8000|10" },
		{ "a \"$2\" $2", "a|a b|a|b" },
		{ "a \"$@\"", "a|8000|a b|10" },
		{ "a $* x", "a|8000|a|b|10|x" },
		{ "a '$1' \\$1", "a|$1|$1" },
		{ "N=5\na $N ${N} x${N}y", "a|5|5|x5y" },
		{ "N=5; M=$N; export K=$M; a $K", "a|5" },
		{ "N=5 a $N", "N=5|a|$N" },
		{ "export N=5 X; a $N $X", "a|5|$X" },
		{ "A='-n 5 -k'; a $A \"$A\"", "a|-n|5|-k|-n 5 -k" },
		{ "a ${N:-7} ${N-8} ${N:=9} ${1:-7}", "a|7|8|9|8000" },
		{ "a ${N} ${#N} ${N%x} ${N", "a|${N}|${#N}|${N%x}|${N" },
		{ "a $ $% $", "a|$|$%|$" },
		{ "A=(x y z)\na", "a" },
		{ "N=1\nN=2\na $N", "a|2" },
		{ "N=$((N*2))\na $N", "a|$((N*2))" },
		{ "N=7\nN=$((N*2 + 1))\na $N -n$((N/2))", "a|15|-n7" },
		{ "A=(x \"y z\" $1) # c\nA+=(w)\na ${A[@]}", "a|x|y|z|8000|w" },
		{ "a ${SLURM_X:-5} \"\\d\\$\"", "a|${SLURM_X:-5}|\\d$" },
		{ "set N = 5\nsetenv M 6\na $N $M", "a|5|6" },
		{ "set -e\nset x\na", "a" },
		{ "a $(which b) $(command -v /x/b)", "a|b|/x/b" },
		{ "a $(which b c) $(echo b c)", "a|$(which b c)|b|c" },
		{ "N=run1\na ${N%*} ${N#*} ${N%%*} ${N%n*}", "a|run1|run1|ru" },
		{ "X=$(b -n 5)\na $X", "X=$(b -n 5) / a|$(b -n 5)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_str_eq(read_script(cases[i].script),
				 cases[i].commands);
}
END_TEST

START_TEST(test_control_structures)
{
	ck_assert_str_eq(read_script("f() {\na\n}\ng ()\n"), "");
	ck_assert_str_eq(read_script("f() {\na"), "{ / a");
	ck_assert_str_eq(read_script("function f {\na\n}\nb"), "b");
	ck_assert_str_eq(read_script("case $x in\na) b 1;;\nc|d) e;;\nesac"),
			 "case|$x|in / b|1 / e / esac");
	ck_assert_str_eq(read_script("if a; then b; fi"), "if|a / then|b / fi");
	ck_assert_str_eq(read_script("for ((i=0;i<9;i++)); do a; done"),
			 "for|((i=0;i<9;i++)) / do|a / done");
	ck_assert_str_eq(read_script("((i++)); a"), "a");
}
END_TEST

START_TEST(test_knows_which_arguments_were_used)
{
	static const char script[] = "x\nN=$3\na $1 $N\nb \"$@\"\nc ${2:-1}";
	struct shell shell;
	struct shell_command command;

	shell_open(&shell, script, strlen(script), arguments, 4);
	ck_assert(shell_next(&shell, &command));
	ck_assert_uint_eq(command.uses, 0);
	ck_assert(shell_next(&shell, &command));
	ck_assert_uint_eq(command.uses, 1 << 1 | 1 << 3);
	ck_assert(shell_next(&shell, &command));
	ck_assert_uint_eq(command.uses, 1 << 1 | 1 << 2 | 1 << 3);
	ck_assert(shell_next(&shell, &command));
	ck_assert_uint_eq(command.uses, 1 << 2);
	ck_assert(!shell_next(&shell, &command));
}
END_TEST

START_TEST(test_bounds)
{
	size_t size = 65536;
	char *script = malloc(size);
	struct shell shell;
	struct shell_command command;

	ck_assert_ptr_nonnull(script);
	for (size_t i = 0; i < size; i++)
		script[i] = i % 2 ? ' ' : 'a';
	shell_open(&shell, script, size, arguments, 4);
	ck_assert(shell_next(&shell, &command));
	ck_assert_int_eq(command.count, SHELL_WORDS_MAX);
	ck_assert(!shell_next(&shell, &command));

	memset(script, 'x', size);
	shell_open(&shell, script, size, arguments, 4);
	ck_assert(shell_next(&shell, &command));
	ck_assert_int_eq(command.count, 1);
	ck_assert_uint_eq(strlen(command.words[0]), SHELL_TEXT_SIZE - 1);
	free(script);
}
END_TEST

START_TEST(test_assignments)
{
	size_t length;

	ck_assert(shell_is_assignment("A=", &length));
	ck_assert_uint_eq(length, 1);
	ck_assert(shell_is_assignment("_a9=x=y", &length));
	ck_assert_uint_eq(length, 3);
	ck_assert(!shell_is_assignment("9a=x", &length));
	ck_assert(!shell_is_assignment("--a=x", &length));
	ck_assert(!shell_is_assignment("=x", &length));
	ck_assert(!shell_is_assignment("a", &length));
	ck_assert(!shell_is_assignment("", &length));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_words,
		test_redirections_are_no_words,
		test_expansions,
		test_control_structures,
		test_knows_which_arguments_were_used,
		test_bounds,
		test_assignments,
		NULL,
	};

	return suite_run("shell_words", tests);
}
