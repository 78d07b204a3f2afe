/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_substitute.c - what a command within $(...) prints
 *
 * The commands are those that print a path or a text which they were given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/shell/shell_substitute.h"

/* Substitutions within substitutions. */
#define DEEP_MAX 2

struct printer {
	const char *name;
	const char *option; /* that it must have; NULL: any */
	bool (*print)(const struct shell_command *command, int first, char *ret,
		      size_t size);
};

static bool print_words(const struct shell_command *command, int first,
			char *ret, size_t size)
{
	size_t used = 0;

	for (int i = first; i < command->count; i++) {
		int length = snprintf(ret + used, size - used, "%s%s",
				      i > first ? " " : "", command->words[i]);

		used += (size_t)length;
		if (used >= size)
			return false;
	}
	return true;
}

/* One path: what is printed of several is not known. */
static bool print_path(const struct shell_command *command, int first,
		       char *ret, size_t size)
{
	return first + 1 == command->count &&
	       print_words(command, first, ret, size);
}

/* basename PATH [SUFFIX] */
static bool print_name(const struct shell_command *command, int first,
		       char *ret, size_t size)
{
	const char *slash = strrchr(command->words[first], '/');
	const char *name = slash ? slash + 1 : command->words[first];
	const char *suffix =
		first + 1 < command->count ? command->words[first + 1] : "";
	size_t length = strlen(name), cut = strlen(suffix);

	if (cut < length && !strcmp(name + length - cut, suffix))
		length -= cut;
	return first + 2 >= command->count && length &&
	       piece_copy(ret, size, name, length);
}

/* One directive of printf at *format, which goes on behind it: %s, %d, %03d.
 * Returns the length of what it prints, -1: it is not known. */
static int print_directive(const char **format, const char *argument, char *ret,
			   size_t size)
{
	const char *at = *format + 1;
	bool zero = *at == '0';
	char *end;
	long width = strtol(at, &end, 10), value;

	*format = end + 1;
	if (*end == 's' && end == at)
		return snprintf(ret, size, "%s", argument);
	if (*end != 'd' || width < 0 || width > 9 || (end > at && !zero))
		return -1;
	value = strtol(argument, &end, 10);
	if (end == argument || *end)
		return -1;
	return snprintf(ret, size, "%0*ld", (int)width, value);
}

/* printf FORMAT [ARGUMENT...] */
static bool print_format(const struct shell_command *command, int first,
			 char *ret, size_t size)
{
	const char *format = command->words[first++];
	size_t used = 0;

	while (*format && used < size) {
		int length = 1;

		if (*format == '\\')
			return false;
		if (*format == '%') {
			const char *argument = first < command->count
						       ? command->words[first]
						       : "";

			first++;
			length = print_directive(&format, argument, ret + used,
						 size - used);
		} else {
			ret[used] = *format++;
		}
		if (length < 0)
			return false;
		used += (size_t)length;
	}
	if (used >= size || first < command->count)
		return false;
	ret[used] = '\0';
	return true;
}

static const struct printer printers[] = {
	{ "which", NULL, print_path },    { "readlink", NULL, print_path },
	{ "realpath", NULL, print_path }, { "command", "-v", print_path },
	{ "type", "-p", print_path },     { "type", "-P", print_path },
	{ "basename", NULL, print_name }, { "echo", NULL, print_words },
	{ "printf", NULL, print_format }, { NULL, NULL, NULL },
};

/* Return whether the code begins with such a command: most does not. */
static bool is_printer(const char *code, size_t size)
{
	for (; size && (*code == ' ' || *code == '\t'); size--)
		code++;
	for (const struct printer *p = printers; p->name; p++) {
		size_t length = strlen(p->name);

		if (size > length && !memcmp(code, p->name, length))
			return true;
	}
	return false;
}

static bool print_output(const struct shell_command *command, char *ret,
			 size_t size)
{
	const char *option = command->count > 1 ? command->words[1] : "";
	int first = 1;

	while (first < command->count && command->words[first][0] == '-')
		first++;
	if (first >= command->count)
		return false;
	for (const struct printer *p = printers; p->name; p++)
		if (!strcmp(command->words[0], p->name) &&
		    (!p->option || !strcmp(option, p->option)))
			return p->print(command, first, ret, size);
	return false;
}

bool shell_substitute(struct shell *shell, const char *code, size_t size,
		      char *ret, size_t ret_size,
		      shell_variables *ret_variables, shell_arguments *ret_uses,
		      bool *ret_unsure)
{
	struct shell inner;
	struct shell_command command, rest;

	if (shell->substitutions == DEEP_MAX || size > ret_size ||
	    shell->calls_count || !is_printer(code, size))
		return false;
	shell_work(shell, 600);
	shell_open_inner(&inner, shell, code, size, shell->own.words,
			 (size_t)shell->own.count);
	inner.substitutions = shell->substitutions + 1;
	inner.own.shifted = shell->own.shifted;
	bool one = shell_read(&inner, &command) && !shell_read(&inner, &rest);

	shell->work_left = inner.work_left;
	if (!one || !print_output(&command, ret, ret_size))
		return false;
	*ret_variables |= command.variables;
	*ret_uses |= command.uses;
	for (int i = 0; i < command.count; i++)
		*ret_unsure |= command.unsure[i];
	return true;
}
