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

#include "predictor/features/script/command/arguments.h"
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
	if (name_length >= sizeof(name_copy) || length >= sizeof(value_copy))
		return;
	memcpy(name_copy, name, name_length);
	name_copy[name_length] = '\0';
	memcpy(value_copy, value, length);
	value_copy[length] = '\0';
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
static bool is_own_variable(const char *name)
{
	static const char *const names[] = {
		"MODE",      "PARAMS",   "PROFILE",  "ID",
		"TEST_ONLY", "DATABASE", "HOSTFILE", "NODES_MODE",
		"SHARES",    "SLOWDOWN", "IN_ORDER", NULL
	};

	for (int i = 0; names[i]; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Find the variables PREDICT_name. */
void user_parameters_variables(const struct submission *job,
			       struct application *ret)
{
	const size_t prefix = strlen(SETTING_PREFIX);

	for (size_t i = 0; i < job->settings_count; i++) {
		const struct setting *s = &job->settings[i];

		if (!strncmp(s->name, SETTING_PREFIX, prefix) &&
		    !is_own_variable(s->name + prefix))
			read_pair(ret, s->name + prefix,
				  strlen(s->name + prefix), s->value,
				  strlen(s->value));
	}
}

/* --- Lines of the script -------------------------------------------------- */

/* A line of the script, without its newline. */
struct script_line {
	const char *text;
	size_t size;
};

/* Return the line at *at, which is moved past it. */
static struct script_line next_line(const char **at, const char *end)
{
	const char *newline = memchr(*at, '\n', (size_t)(end - *at));
	struct script_line line = { *at,
				    (size_t)((newline ? newline : end) - *at) };

	*at = newline ? newline + 1 : end;
	if (line.size && line.text[line.size - 1] == '\r')
		line.size--;
	return line;
}

/* Return the delimiter of a here-document that begins in this line; size 0:
 * none. Quotes elsewhere in the script are ignored: no `#PREDICT` line must be
 * lost by them. */
static struct script_line find_delimiter(const struct script_line *line)
{
	const char *end = line->text + line->size;
	const char *at = memmem(line->text, line->size, "<<", 2);
	struct script_line delimiter = { NULL, 0 };

	if (!at || line->text[0] == '#' || (end - at > 2 && at[2] == '<'))
		return delimiter;
	for (at += 2; at < end && strchr("- \t'\"\\", *at);)
		at++;
	delimiter.text = at;
	while (at < end && !strchr(" \t'\";&|<>)", *at))
		at++;
	delimiter.size = (size_t)(at - delimiter.text);
	return delimiter;
}

/* Return the position after the here-document; `at` itself if it has
 * no end. */
static const char *skip_here_doc(const char *at, const char *end,
				 const struct script_line *delimiter)
{
	const char *start = at;

	while (at < end) {
		struct script_line line = next_line(&at, end);

		while (line.size && *line.text == '\t') {
			line.text++;
			line.size--;
		}
		if (line.size == delimiter->size &&
		    !memcmp(line.text, delimiter->text, line.size))
			return at;
	}
	return start;
}

/* Return where `what` is from `at` on; `end`: nowhere. */
static const char *find_text(const char *at, const char *end, const char *what)
{
	const char *found = memmem(at, (size_t)(end - at), what, strlen(what));

	return found ? found : end;
}

/* Read the line that begins with DIRECTIVE at `at`, if it does. */
static void read_directive(const char *script, const char *at, const char *end,
			   struct application *ret, int *left)
{
	const size_t length = strlen(DIRECTIVE);

	if (at > script && at[-1] != '\n')
		return;

	struct script_line line = next_line(&at, end);

	if (line.size <= length || !isspace((unsigned char)line.text[length]))
		return;
	read_pairs(ret, line.text + length, line.text + line.size, left);
}

/* Behind the here-document that the "<<" at `at` begins, if it does.
 * *open_end: it has no end. */
static const char *pass_here_doc(const char *script, const char *at,
				 const char *end, bool *open_end)
{
	const char *start = memrchr(script, '\n', (size_t)(at - script));
	const char *next = start ? start + 1 : script;
	struct script_line line = next_line(&next, end);
	struct script_line delimiter = find_delimiter(&line);
	const char *behind =
		delimiter.size ? skip_here_doc(next, end, &delimiter) : next;

	*open_end = delimiter.size && behind == next;
	return behind;
}

void user_parameters_lines(const char *script, size_t size,
			   struct application *ret)
{
	const char *end = script + size;
	const char *directive = find_text(script, end, DIRECTIVE);
	/* Most scripts have none. */
	const char *here_doc =
		directive < end ? find_text(script, end, "<<") : end;
	int left = PAIRS_MAX, here_docs = HERE_DOCS_MAX;
	bool open_end = false;

	while (directive < end && left > 0) {
		const char *at;

		if (directive < here_doc) {
			read_directive(script, directive, end, ret, &left);
			directive = find_text(directive + 1, end, DIRECTIVE);
			continue;
		}
		at = pass_here_doc(script, here_doc, end, &open_end);
		if (directive < at)
			directive = find_text(at, end, DIRECTIVE);
		/* Only once: the time must be linear in any script. */
		here_doc = open_end || !--here_docs ? end
						    : find_text(at, end, "<<");
	}
}
