/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_name.c - the name of an application by its command */
#include <ctype.h>
#include <string.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/command/command_name.h"
#include "predictor/features/script/command/masked_name.h"
#include "predictor/features/script/shell/shell_unknown.h"

static void append_part(char name[APPLICATION_NAME_SIZE], const char *text,
			const char *suffix)
{
	char part[APPLICATION_NAME_SIZE];
	const char *base = command_basename(text);
	size_t length = strnlen(base, sizeof(part) - 1);

	/* `java -jar $PICARD`: modules set such names. */
	if (!strcmp(name, "java") && shell_is_unknown(base) &&
	    isalpha((unsigned char)base[strspn(base, "${")])) {
		base += strspn(base, "${");
		length = strcspn(base, "}:");
		if (length > sizeof(part) - 1)
			length = sizeof(part) - 1;
	}
	if (suffix && length > strlen(suffix) &&
	    !strcmp(base + length - strlen(suffix), suffix))
		length -= strlen(suffix);
	piece_copy(part, sizeof(part), base, length);
	if (*name)
		masked_name_append(name, APPLICATION_NAME_SIZE, ":");
	masked_name_append(name, APPLICATION_NAME_SIZE, part);
}

void command_line_name(const struct command_line *line, const char *function,
		       char name[APPLICATION_NAME_SIZE])
{
	name[0] = '\0';
	if (!line->executable)
		return;
	append_part(name, line->executable, NULL);
	if (line->script || function)
		append_part(name, function ? function : line->script,
			    line->suffix);
	if (line->subcommand)
		append_part(name, line->subcommand, NULL);
}

void command_line_variant(const struct command_line *line,
			  char traits[TRAITS_SIZE])
{
	const char *const parts[] = { line->executable, line->script };

	for (int i = 0; i < 2; i++) {
		char masked[APPLICATION_NAME_SIZE] = "";

		if (!parts[i] || shell_has_unknown(parts[i]))
			continue;
		append_part(masked, parts[i], NULL);
		if (strchr(masked, '#') &&
		    traits_add(traits, "name", strlen("name"),
			       command_basename(parts[i])))
			return;
	}
}

bool command_line_masked(const struct command_line *line)
{
	char masked[APPLICATION_NAME_SIZE] = "";

	if (!line->subcommand || !strpbrk(line->subcommand, "./") ||
	    shell_has_unknown(line->subcommand))
		return false;
	append_part(masked, line->subcommand, NULL);
	return strchr(masked, '#');
}

bool command_name_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; at; at = strchr(at, '+')) {
		at += *at == '+';
		if (!strncmp(at, name, length) &&
		    (!at[length] || at[length] == '+'))
			return true;
	}
	return false;
}
