/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_line.c - the script or command of a line of sbatch, srun or salloc
 *
 * The words of the line are read once, with the table of sbatch's options: a
 * row says whether a value follows.  An option that no row has is taken to
 * have none.
 */
#include <string.h>

#include "predictor/features/script/command/command_line.h"
#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/command/submit_options.h"

struct submit_words {
	const char *const *words;
	int count, at;
	int program;
	struct submit_line *line;
};

/* Return the value in the next word; NULL: there is none. */
static const char *next_value(struct submit_words *w)
{
	return w->at + 1 < w->count ? w->words[++w->at] : NULL;
}

static void keep_value(struct submit_words *w,
		       const struct submit_option *option, const char *value)
{
	if (!strcmp(option->name, "test-only"))
		w->line->test_only = true;
	if (!value)
		return;
	if (!strcmp(option->name, "wrap"))
		w->line->wrap = value;
	else if (!strcmp(option->name, "chdir"))
		w->line->directory = value;
	else if (!strcmp(option->name, "export"))
		w->line->exported = value;
	else if (!strcmp(option->name, "dependency"))
		w->line->dependency = value;
	else if (!strcmp(option->name, "array"))
		w->line->array = value;
}

/* "--name", "--name=value" */
static void read_long(struct submit_words *w)
{
	const char *name = w->words[w->at] + 2;
	size_t length = strcspn(name, "=");
	const struct submit_option *option =
		submit_option_find(w->program, name, length);

	if (!option)
		return;
	if (name[length])
		keep_value(w, option, name + length + 1);
	else
		keep_value(w, option,
			   option->value == SUBMIT_VALUE_ONE ? next_value(w)
							     : NULL);
}

/* "-n5", "-n" "5", "-Hn5" */
static void read_letters(struct submit_words *w)
{
	for (const char *c = w->words[w->at] + 1; *c; c++) {
		const struct submit_option *option =
			submit_option_letter(w->program, *c);

		if (!option || option->value == SUBMIT_VALUE_NONE)
			continue;
		if (c[1])
			keep_value(w, option, c + 1);
		else if (option->value == SUBMIT_VALUE_ONE)
			keep_value(w, option, next_value(w));
		return;
	}
}

static int find_program(const char *path)
{
	static const struct {
		const char *name;
		int program;
	} programs[] = { { "sbatch", SUBMIT_SBATCH },
			 { "srun", SUBMIT_SRUN },
			 { "salloc", SUBMIT_SALLOC } };

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (!strcmp(command_basename(path), programs[i].name))
			return programs[i].program;
	return 0;
}

static bool is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/* Up to the script or command. */
static void read_options(struct submit_words *w)
{
	/* ":" stands between the components of a job. */
	bool components = w->program == SUBMIT_SBATCH;

	for (; w->at < w->count; w->at++) {
		const char *word = w->words[w->at];

		if (components && !strcmp(word, ":"))
			continue;
		if (!is_option(word))
			return;
		if (!strcmp(word, "--")) {
			w->at++;
			return;
		}
		if (word[1] == '-')
			read_long(w);
		else
			read_letters(w);
	}
	w->at = w->count; /* a value may be missing */
}

int submit_line_skip(int program, const char *const words[], int count, int at)
{
	struct submit_line line = { .batch = false };
	struct submit_words w = { .words = words,
				  .count = count,
				  .at = at,
				  .program = program,
				  .line = &line };

	read_options(&w);
	return w.at;
}

bool submit_line_read(const char *const words[], int count,
		      struct submit_line *ret)
{
	struct submit_words w = {
		.words = words, .count = count, .at = 1, .line = ret
	};

	*ret = (struct submit_line){ .batch = false };
	w.program = count ? find_program(words[0]) : 0;
	ret->batch = w.program == SUBMIT_SBATCH;
	if (!w.program)
		return false;
	read_options(&w);
	ret->first = w.at;
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
