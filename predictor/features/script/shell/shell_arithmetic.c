/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_arithmetic.c - arithmetic as in $((N * 1000 + 1))
 *
 * Sums of products of numbers and variables.  Division is that of whole
 * numbers, as in bash.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/shell/shell_arithmetic.h"
#include "predictor/features/script/shell/shell_variables.h"

#define LITERAL_MAX 32

struct sum {
	const struct shell *shell;
	const char *at, *end;
	bool failed;
	shell_variables variables;
	shell_arguments uses;
};

static char peek_char(struct sum *sum)
{
	while (sum->at < sum->end && isspace((unsigned char)*sum->at))
		sum->at++;
	return sum->at < sum->end ? *sum->at : '\0';
}

static double sum_fail(struct sum *sum)
{
	sum->failed = true;
	return 0;
}

/* All of `text` as a decimal number. */
static double parse_literal(struct sum *sum, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (!isdigit((unsigned char)*text) || *end || !isfinite(value))
		return sum_fail(sum);
	return value;
}

/* A number, NAME, $NAME or ${NAME}. */
static double parse_operand(struct sum *sum)
{
	char text[LITERAL_MAX];
	size_t length = 0;
	bool dollar = peek_char(sum) == '$';

	sum->at += dollar;

	bool brace = dollar && sum->at < sum->end && *sum->at == '{';

	sum->at += brace;
	while (sum->at < sum->end &&
	       (isalnum((unsigned char)*sum->at) || *sum->at == '_')) {
		if (length == sizeof(text) - 1)
			return sum_fail(sum);
		text[length++] = *sum->at++;
	}
	text[length] = '\0';
	if (brace && (sum->at == sum->end || *sum->at++ != '}'))
		return sum_fail(sum);
	if (!dollar && isdigit((unsigned char)*text))
		return parse_literal(sum, text);

	const char *value = length ? shell_value(sum->shell, text, &sum->uses,
						 &sum->variables)
				   : NULL;

	return value ? parse_literal(sum, value) : sum_fail(sum);
}

/* a / b and a % b of whole numbers; by 0 it is an error, as for a shell. */
static double divide(struct sum *sum, double a, char operation, double b)
{
	if (b == 0)
		return sum_fail(sum);
	return operation == '/' ? trunc(a / b) : fmod(a, b);
}

/* Operands with one of the operations between them; '*' and its like bind
 * first. */
static double parse_operations(struct sum *sum, bool terms)
{
	double value =
		terms ? parse_operations(sum, false) : parse_operand(sum);

	while (!sum->failed) {
		char c = peek_char(sum);

		if (!c || !strchr(terms ? "+-" : "*/%", c))
			break;
		sum->at++;

		double other = terms ? parse_operations(sum, false)
				     : parse_operand(sum);

		if (terms)
			value += c == '-' ? -other : other;
		else
			value = c == '*' ? value * other
					 : divide(sum, value, c, other);
	}
	return value;
}

bool shell_calculate(const struct shell *shell, const char *text, size_t size,
		     double *ret, shell_variables *ret_variables,
		     shell_arguments *ret_uses)
{
	struct sum sum = { .shell = shell, .at = text, .end = text + size };
	double value = parse_operations(&sum, true);

	if (sum.failed || peek_char(&sum) || !isfinite(value))
		return false;
	*ret = value;
	*ret_variables |= sum.variables;
	*ret_uses |= sum.uses;
	return true;
}

bool shell_count_rounds(const struct shell *shell, const char *text,
			size_t size, double *ret)
{
	const char *end = text + size;
	const char *first = memchr(text, '=', size);
	const char *limit =
		first ? memchr(first, ';', (size_t)(end - first)) : NULL;
	const char *than =
		limit ? memchr(limit, '<', (size_t)(end - limit)) : NULL;
	const char *stop =
		than ? memchr(than, ';', (size_t)(end - than)) : NULL;
	shell_variables variables = 0;
	shell_arguments uses = 0;
	double from, to;

	if (!stop)
		return false;

	bool equal = than[1] == '=';

	than += equal ? 2 : 1;
	if (!shell_calculate(shell, first + 1, (size_t)(limit - first - 1),
			     &from, &variables, &uses) ||
	    !shell_calculate(shell, than, (size_t)(stop - than), &to,
			     &variables, &uses) ||
	    to + equal <= from)
		return false;
	*ret = to + equal - from;
	return true;
}
