/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inline_input.c - numbers in the here-documents of a script
 *
 * Line by line: NAME = NUMBER, any number of them, or a keyword and a number
 * alone.  Variables are replaced by their values, unless the delimiter was
 * quoted.
 */
#include <ctype.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/inline_input.h"
#include "predictor/features/script/shell/shell_unknown.h"
#include "predictor/features/script/shell/shell_variables.h"

#define NUMBER_SIZE 32

struct input_reader {
	struct shell *shell;
	const struct shell_here_doc *doc;
	struct parameters *set;
	shell_variables *variables, *others;
};

static bool is_name(char c)
{
	return c == '_' || isalnum((unsigned char)c);
}

/* Fortran writes 1.0d-8. */
static bool read_number(char *text, double *ret)
{
	char *exponent = strpbrk(text, "dD");

	if (exponent && exponent > text &&
	    strchr("0123456789.", exponent[-1]) && exponent[1])
		*exponent = 'e';
	return arguments_number(text, ret);
}

/* $NAME or ${NAME}: its length, and its value in *ret, NULL: not known. */
static size_t read_variable(const struct input_reader *in, const char *at,
			    const char *end, const char **ret,
			    shell_variables *variables)
{
	char name[SHELL_NAME_SIZE];
	size_t length = shell_unknown_length(at, (size_t)(end - at));
	bool brace = length && at[1] == '{';
	size_t size = length - 1 - 2 * (size_t)brace;
	shell_arguments uses = 0;

	*ret = NULL;
	if (!length || !piece_copy(name, sizeof(name), at + 1 + brace, size))
		return 1;
	*ret = shell_value(in->shell, name, &uses, variables);
	return *ret ? length : 1;
}

/* Read a number, or a variable that has one; returns its length, 0: none. */
static size_t read_value(const struct input_reader *in, const char *at,
			 const char *end, double *ret)
{
	char text[NUMBER_SIZE];
	const char *value = NULL;
	shell_variables variables = 0;
	size_t length;

	if (at < end && *at == '$' && !in->doc->quoted) {
		length = read_variable(in, at, end, &value, &variables);
		if (!value || strlen(value) >= sizeof(text))
			return 0;
		strcpy(text, value);
	} else {
		for (length = 0; at + length < end && length < sizeof(text) &&
				 at[length] != ',' &&
				 !strchr(" \t\r\n;/!#'\")]}", at[length]);)
			length++;
		if (!length || !piece_copy(text, sizeof(text), at, length))
			return 0;
	}
	if (!read_number(text, ret))
		return 0;
	*in->variables |= variables;
	return length;
}

static void add_parameter(const struct input_reader *in, const char *name,
			  size_t length, double value)
{
	char copy[PARAMETER_NAME_SIZE];

	if (piece_copy(copy, sizeof(copy), name, length) &&
	    !parameters_get(in->set, copy))
		parameters_set(in->set, copy, value, NULL);
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && strchr(" \t\r", *at))
		at++;
	return at;
}

/* NAME = NUMBER, any number of them. */
static void read_assignments(const struct input_reader *in, const char *at,
			     const char *end)
{
	const char *start = at;

	for (; (at = memchr(at, '=', (size_t)(end - at))) &&
	       in->shell->work_left > 0;
	     at++) {
		const char *stop = at;
		double value;

		shell_work(in->shell, 200);

		while (stop > start && strchr(" \t", stop[-1]))
			stop--;

		const char *name = stop;

		while (name > start && is_name(name[-1]))
			name--;
		if (name == stop || !isalpha((unsigned char)*name) ||
		    !read_value(in, skip_blanks(at + 1, end), end, &value))
			continue;
		add_parameter(in, name, (size_t)(stop - name), value);
	}
}

/* A keyword and a number, and nothing else in the line. */
static void read_keyword(const struct input_reader *in, const char *at,
			 const char *end)
{
	const char *name = skip_blanks(at, end);
	const char *stop = name;
	double value;

	while (stop < end && is_name(*stop))
		stop++;

	const char *number = skip_blanks(stop, end);
	shell_variables before = *in->variables;

	if (stop == name || number == stop || !isalpha((unsigned char)*name))
		return;

	size_t length = read_value(in, number, end, &value);
	const char *rest = skip_blanks(number + length, end);

	rest += rest < end && *rest == ';';
	if (length && skip_blanks(rest, end) == end)
		add_parameter(in, name, (size_t)(stop - name), value);
	else
		*in->variables = before;
}

/* Variables anywhere else in the text. */
static void note_variables(const struct input_reader *in, const char *at,
			   const char *end)
{
	const char *value;

	while ((at = memchr(at, '$', (size_t)(end - at))) &&
	       in->shell->work_left > 0) {
		shell_work(in->shell, 80);
		at += read_variable(in, at, end, &value, in->others);
	}
}

/* Lines of a long input are read as long as there is room for more. */
static void read_line(const struct input_reader *in, const char *at,
		      const char *end)
{
	shell_work(in->shell, 40 + (size_t)(end - at));
	if (memchr(at, '=', (size_t)(end - at)))
		read_assignments(in, at, end);
	else
		read_keyword(in, at, end);
}

void inline_input_read(struct shell *shell, const struct shell_here_doc *doc,
		       struct parameters *set, shell_variables *ret_variables,
		       shell_variables *ret_others)
{
	struct input_reader in = { .shell = shell,
				   .doc = doc,
				   .set = set,
				   .variables = ret_variables,
				   .others = ret_others };

	/* A command may follow. */
	const long least = shell->work_left - SHELL_WORK_MAX / 4;

	for (const char *at = doc->start;
	     at < doc->end && shell->work_left > least;) {
		const char *newline = memchr(at, '\n', (size_t)(doc->end - at));
		const char *end = newline ? newline : doc->end;
		const char *first = skip_blanks(at, end);

		shell_work(shell, 20 + (size_t)(end - at) / 8);

		/* '!' and '#' begin comments, which may hold old settings. */
		if (first < end && *first != '#' && *first != '!') {
			if (set->count < PARAMETERS_MAX)
				read_line(&in, first, end);
			if (!doc->quoted)
				note_variables(&in, first, end);
		}
		at = newline ? newline + 1 : doc->end;
	}
}

void inline_input_code(struct shell *shell, const char *code,
		       struct parameters *set)
{
	const struct shell_here_doc doc = { .quoted = true };
	shell_variables none = 0;
	const struct input_reader in = { .shell = shell,
					 .doc = &doc,
					 .set = set,
					 .variables = &none,
					 .others = &none };

	read_assignments(&in, code, code + strlen(code));
}
