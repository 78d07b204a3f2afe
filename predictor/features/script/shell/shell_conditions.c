/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_conditions.c - whether a test holds: yes, no, or unknown
 *
 * A test is split into its words and matched with one form: one operand,
 * two, an arithmetic comparison, or several of these with -a and -o.  Each
 * operand is known, or known to be unset, or unknown, and so is the result; the
 * caller follows both branches of what is unknown.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/shell/shell_arithmetic.h"
#include "predictor/features/script/shell/shell_conditions.h"
#include "predictor/features/script/shell/shell_unknown.h"
#include "predictor/features/script/shell/shell_variables.h"

/* Bytes that are matched with a pattern; bounds the time. */
#define TEXT_MAX 256

/* The words between the brackets of a test. */
struct test_words {
	const char *const *words;
	int count;
	bool patterns; /* of [[ ]] */
};

static enum shell_truth truth(bool value)
{
	return value ? SHELL_YES : SHELL_NO;
}

enum shell_truth shell_match(struct shell *shell, const char *pattern,
			     const char *text)
{
	size_t size = strlen(pattern), length = strlen(text);

	if (size > TEXT_MAX || length > TEXT_MAX)
		return SHELL_UNKNOWN;
	/* Where a [ has no ], fnmatch() looks for its end each time. */
	shell_work(shell,
		   60 + size * length *
				   (strchr(pattern, '[') ? 1 + size / 2 : 1));
	if (shell->work_left <= 0)
		return SHELL_UNKNOWN;
	return truth(!fnmatch(pattern, text, 0));
}

/* $NAME and ${NAME} of a variable that nobody sets. */
static bool is_unset(const struct shell *shell, const char *word)
{
	static const char *const set_elsewhere[] = {
		"SLURM",   "HOME", "USER", "TMP", "PWD",   "HOST",
		"SCRATCH", "PATH", "LD_",  "LOG", "SHELL", NULL,
	};
	char name[SHELL_NAME_SIZE];
	size_t brace = word[0] == '$' && word[1] == '{';
	const char *start = word + 1 + brace;
	size_t length = 0;

	while (start[length] == '_' || isalnum((unsigned char)start[length]))
		length++;
	if (word[0] != '$' || !length || isdigit((unsigned char)*start) ||
	    strcmp(start + length, brace ? "}" : "") ||
	    !piece_copy(name, sizeof(name), start, length))
		return false;
	for (int i = 0; set_elsewhere[i]; i++)
		if (!strncmp(name, set_elsewhere[i], strlen(set_elsewhere[i])))
			return false;
	for (int i = 0; i < shell->variables_count; i++)
		if (!strcmp(shell->variables[i].name, name))
			return false;
	return true;
}

static bool is_number(const char *word, double *ret)
{
	char *end;

	*ret = strtod(word, &end);
	return end != word && !*end;
}

static enum shell_truth test_empty(const struct shell *shell, const char *word)
{
	if (is_unset(shell, word))
		return SHELL_YES;
	return shell_has_unknown(word) ? SHELL_UNKNOWN : truth(!*word);
}

static enum shell_truth negate(enum shell_truth value)
{
	return value == SHELL_UNKNOWN ? value : truth(value == SHELL_NO);
}

/* -z A, -n A, and A alone */
static enum shell_truth test_one(const struct shell *shell,
				 const struct test_words *test)
{
	const char *option = test->count == 2 ? test->words[0] : "-n";
	const char *word = test->words[test->count - 1];

	if (!strcmp(option, "-z"))
		return test_empty(shell, word);
	if (!strcmp(option, "-n"))
		return negate(test_empty(shell, word));
	return SHELL_UNKNOWN;
}

static enum shell_truth compare_numbers(const char *operation, double a,
					double b)
{
	const struct {
		const char *name, *sign;
		bool holds;
	} rows[] = {
		{ "-eq", "==", a == b }, { "-ne", "!=", a != b },
		{ "-le", "<=", a <= b }, { "-ge", ">=", a >= b },
		{ "-lt", "<", a < b },   { "-gt", ">", a > b },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(operation, rows[i].name) ||
		    !strcmp(operation, rows[i].sign))
			return truth(rows[i].holds);
	return SHELL_UNKNOWN;
}

/* A = B and A -lt B */
static enum shell_truth test_two(struct shell *shell,
				 const struct test_words *test)
{
	const char *operation = test->words[1];
	bool equal = !strcmp(operation, "=") || !strcmp(operation, "==");
	const char *a = is_unset(shell, test->words[0]) ? "" : test->words[0];
	const char *b = is_unset(shell, test->words[2]) ? "" : test->words[2];
	double x, y;

	if (shell_has_unknown(a) || shell_has_unknown(b))
		return SHELL_UNKNOWN;
	if (equal || !strcmp(operation, "!=")) {
		enum shell_truth same = test->patterns
						? shell_match(shell, b, a)
						: truth(!strcmp(a, b));

		return equal ? same : negate(same);
	}
	if (is_number(a, &x) && is_number(b, &y))
		return compare_numbers(operation, x, y);
	return SHELL_UNKNOWN;
}

/* ((A < B)) */
static enum shell_truth test_sum(const struct shell *shell, const char *text)
{
	static const char *const signs[] = { "==", "!=", "<=", ">=",
					     "<",  ">",  NULL };
	size_t size = strlen(text);
	shell_variables variables = 0;
	shell_arguments uses = 0;
	double a, b;

	for (int i = 0; size > 4 && signs[i]; i++) {
		const char *sign = strstr(text, signs[i]);

		if (!sign)
			continue;

		const char *rest = sign + strlen(signs[i]);
		const char *end = text + size - 2;

		if (rest > end ||
		    !shell_calculate(shell, text + 2, (size_t)(sign - text - 2),
				     &a, &variables, &uses) ||
		    !shell_calculate(shell, rest, (size_t)(end - rest), &b,
				     &variables, &uses) ||
		    shell_any_unsure(shell, variables))
			return SHELL_UNKNOWN;
		return compare_numbers(signs[i], a, b);
	}
	return SHELL_UNKNOWN;
}

/* The index of `word` between two others; 0: it is not there. */
static int find_between(const struct test_words *test, const char *word)
{
	for (int i = test->count - 2; i > 0; i--)
		if (!strcmp(test->words[i], word))
			return i;
	return 0;
}

static enum shell_truth evaluate(struct shell *shell,
				 const struct test_words *test)
{
	int either = find_between(test, "-o");
	int at = either ? either : find_between(test, "-a");
	struct test_words left = *test, rest = *test;

	if (at || (test->count > 1 && !strcmp(test->words[0], "!"))) {
		rest.words += at + 1;
		rest.count -= at + 1;
	}
	if (at) {
		/* The value of either side that decides alone. */
		enum shell_truth decides = truth(either);

		left.count = at;

		enum shell_truth a = evaluate(shell, &left);
		enum shell_truth b = evaluate(shell, &rest);

		return a == decides || b == decides ? decides
		       : a == b                     ? a
						    : SHELL_UNKNOWN;
	}
	if (rest.count < test->count)
		return negate(evaluate(shell, &rest));
	if (test->count == 1 || test->count == 2)
		return test_one(shell, test);
	return test->count == 3 ? test_two(shell, test) : SHELL_UNKNOWN;
}

/* true, false, and 0, which is no command. */
static enum shell_truth test_command(const char *word)
{
	if (!strcmp(word, "true") || !strcmp(word, ":"))
		return SHELL_YES;
	if (!strcmp(word, "false") ||
	    (*word && !word[strspn(word, "0123456789")]))
		return SHELL_NO;
	return SHELL_UNKNOWN;
}

enum shell_truth shell_condition(struct shell *shell,
				 const struct shell_command *command, int at)
{
	const char *word = at < command->count ? command->words[at] : "";
	const char *last =
		command->count ? command->words[command->count - 1] : "";
	/* "&&" parts the words of one [[ ]] into commands. */
	bool patterns = !strcmp(word, "[[") || !strcmp(last, "]]");
	bool bracket = !strcmp(word, "[") || !strcmp(word, "[[") ||
		       !strcmp(word, "test");
	struct test_words test = {
		.words = command->words + at + bracket,
		.count = command->count - at - bracket -
			 (!strcmp(last, "]") || !strcmp(last, "]]")),
		.patterns = patterns,
	};
	size_t count = (size_t)(command->count - at);

	if (!strcmp(word, "!"))
		return negate(shell_condition(shell, command, at + 1));
	if (!bracket && !patterns && strncmp(word, "((", 2))
		return test_command(word);
	shell_work(shell, 200 + 3 * count * count);
	for (int i = at; i < command->count; i++)
		if (command->unsure[i])
			return SHELL_UNKNOWN;
	return *word == '(' ? test_sum(shell, word) : evaluate(shell, &test);
}
