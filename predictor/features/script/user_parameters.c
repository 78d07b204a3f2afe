/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_parameters.c - application and parameters that the user gives
 *
 * All three sources are NAME=VALUE pairs; the name "application" sets the name
 * of the application.  In the script, `#PREDICT` lines are found by a scan that
 * skips here-documents.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "predictor/base/piece.h"
#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/command/command_tables.h"
#include "predictor/features/script/user_parameters.h"

#define SETTING_PREFIX  "PREDICT_"
#define APPLICATION_KEY "application"
#define DIRECTIVE       "#PREDICT"
#define NUMBER_SIZE     64

/* Bound the time; more would find no room in the application's sets. */
#define PAIRS_MAX     256
#define HERE_DOCS_MAX 1000

/* A name that the user gives is not masked. */
static void set_chosen_name(struct application *ret, const char *name,
			    size_t length)
{
	size_t used = 0;

	for (; used < length && used < APPLICATION_NAME_SIZE - 1; used++) {
		unsigned char c = (unsigned char)name[used];

		ret->name[used] = c > 0x20 && c < 0x7f ? (char)c : '_';
	}
	ret->name[used] = '\0';
}

/* One name and its value, neither terminated. */
static void read_pair(struct application *ret, const char *name,
		      size_t name_length, const char *value, size_t length)
{
	char name_copy[2 * PARAMETER_NAME_SIZE];
	char value_copy[NUMBER_SIZE];
	double number;

	if (name_length == strlen(APPLICATION_KEY) &&
	    !strncasecmp(name, APPLICATION_KEY, name_length)) {
		set_chosen_name(ret, value, length);
		return;
	}
	if (!piece_copy(name_copy, sizeof(name_copy), name, name_length) ||
	    !piece_copy(value_copy, sizeof(value_copy), value, length))
		return;
	if (arguments_number(value_copy, &number))
		parameters_set(&ret->parameters, name_copy, number, NULL);
	else
		traits_add(ret->traits, name_copy, name_length, value_copy);
}

/* "a=1 b=2": pairs with blanks between them, up to `end`, and as many as are
 * *left. */
static void read_pairs(struct application *ret, const char *at, const char *end,
		       int *left)
{
	for (; at<end && * left> 0; --*left) {
		const char *word = at;

		while (at < end && !isspace((unsigned char)*at))
			at++;

		const char *equals = memchr(word, '=', (size_t)(at - word));

		if (equals)
			read_pair(ret, word, (size_t)(equals - word),
				  equals + 1, (size_t)(at - equals - 1));
		at += at < end;
	}
}

/* Find the options --predict-param. */
void user_parameters_options(const struct submission *job,
			     struct application *ret)
{
	int left = PAIRS_MAX;

	for (size_t i = 0; i < job->settings_count; i++) {
		const struct setting *s = &job->settings[i];

		if (!strcmp(s->name, "param"))
			read_pairs(ret, s->value, s->value + strlen(s->value),
				   &left);
	}
}

/* Variables of slurm-predict itself, of the SPANK plugin and the
 * little cluster. */
static const char own_variables[] =
	" MODE PARAMS PROFILE ID TEST_ONLY DATABASE HOSTFILE NODES_MODE SHARES"
	" SLOWDOWN IN_ORDER ";

/* Find the variables PREDICT_name. */
void user_parameters_variables(const struct submission *job,
			       struct application *ret)
{
	const size_t prefix = strlen(SETTING_PREFIX);

	for (size_t i = 0; i < job->settings_count; i++) {
		const struct setting *s = &job->settings[i];

		if (!strncmp(s->name, SETTING_PREFIX, prefix) &&
		    !command_tables_list(own_variables, s->name + prefix))
			read_pair(ret, s->name + prefix,
				  strlen(s->name + prefix), s->value,
				  strlen(s->value));
	}
}

/* --- Lines of the script -------------------------------------------------- */

/* Return where the line at `at` ends. */
static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

/* A line ends at `stop`, its "<<" before `at`: return where the here-document
 * ends, `stop` if none begins there, NULL if it has no end.  Quotes elsewhere
 * in the script are ignored: no `#PREDICT` line must be lost by them. */
static const char *skip_here_doc(const char *at, const char *stop,
				 const char *end)
{
	size_t length = 0;

	if (at < stop && *at == '<')
		return stop;
	while (at < stop && strchr("- \t'\"\\", *at))
		at++;
	while (at + length < stop && !strchr(" \t\r'\";&|<>)", at[length]))
		length++;
	for (const char *line = stop; length && line < end;) {
		const char *text = line + 1;

		line = line_end(text, end);
		while (text < line && *text == '\t')
			text++;

		size_t size = (size_t)(line - text);

		size -= size && text[size - 1] == '\r';
		if (size == length && !memcmp(text, at, length))
			return line;
	}
	return length ? NULL : stop;
}

void user_parameters_lines(const char *script, size_t size,
			   struct application *ret)
{
	const size_t length = strlen(DIRECTIVE);
	const char *end = script + size, *stop;
	int left = PAIRS_MAX, here_docs = HERE_DOCS_MAX;

	/* Most scripts have none. */
	if (!memmem(script, size, DIRECTIVE, length))
		return;
	for (const char *at = script; at < end && left > 0; at = stop + 1) {
		stop = line_end(at, end);

		const char *here_doc =
			*at != '#' && here_docs > 0
				? memmem(at, (size_t)(stop - at), "<<", 2)
				: NULL;

		if ((size_t)(stop - at) > length &&
		    !memcmp(at, DIRECTIVE, length) &&
		    isspace((unsigned char)at[length]))
			read_pairs(ret, at + length, stop, &left);
		if (!here_doc)
			continue;

		const char *behind = skip_here_doc(here_doc + 2, stop, end);

		/* Only once: the time must be linear in any script. */
		here_docs = behind ? here_docs - 1 : 0;
		stop = behind ? behind : stop;
	}
}
