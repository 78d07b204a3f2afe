/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_line.c - the script or command of a line of sbatch, srun or salloc */
#include <string.h>

#include "predictor/features/script/command_line.h"
#include "predictor/features/script/command_tables.h"
#include "predictor/features/script/submit_line.h"

/* Whether the word at *at is the option `name`; its value is in the same word,
 * or in the next one, to which *at is moved. */
static bool read_option_value(const char *const words[], int count, int *at,
			      const char *name, const char **ret_value)
{
	const char *rest = words[*at] + strlen(name);

	if (strncmp(words[*at], name, strlen(name)))
		return false;
	if (*rest == '=')
		*ret_value = rest + 1;
	else if (*rest && name[1] == '-') /* "--chdirx" */
		return false;
	else if (*rest) /* "-D/x" */
		*ret_value = rest;
	else if (*at + 1 < count)
		*ret_value = words[++*at];
	return true;
}

bool submit_line_read(const char *const words[], int count,
		      struct submit_line *ret)
{
	const char *program = count ? command_basename(words[0]) : "";
	int at = 1;

	*ret = (struct submit_line){ .batch = !strcmp(program, "sbatch") };
	if (!ret->batch && strcmp(program, "srun") && strcmp(program, "salloc"))
		return false;
	for (; at < count && words[at][0] == '-'; at++) {
		if (!strcmp(words[at], "--")) {
			at++;
			break;
		}
		if (!read_option_value(words, count, &at, "--wrap",
				       &ret->wrap) &&
		    !read_option_value(words, count, &at, "--chdir",
				       &ret->directory) &&
		    !read_option_value(words, count, &at, "-D",
				       &ret->directory) &&
		    command_tables_list(submit_values, words[at]))
			at++;
	}
	ret->first = at < count ? at : count;
	return true;
}

const char *submit_line_wrap(const char *line)
{
	static const char option[] = " --wrap";
	const char *at = strstr(line, option);

	if (!at)
		return NULL;
	at += strlen(option);
	return *at == '=' || *at == ' ' ? at + 1 : NULL;
}
