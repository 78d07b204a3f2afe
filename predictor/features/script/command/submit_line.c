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

/* Where the walk is. */
struct submit_words {
	const char *const *words;
	int count, at, program;
	submit_option_note note;
	void *into;
};

/* Note an option whose value is `value`, or may be the next word if that is
 * NULL. */
static void note_option(struct submit_words *w,
			const struct submit_option *option, bool exact,
			const char *value)
{
	if (!value && option && option->value == SUBMIT_VALUE_ONE &&
	    w->at + 1 < w->count)
		value = w->words[++w->at];
	if (w->note)
		w->note(w->into, option, exact, value);
}

/* "--name", "--name=value" */
static void read_long(struct submit_words *w)
{
	const char *name = w->words[w->at] + 2;
	size_t length = strcspn(name, "=");
	const struct submit_option *option =
		submit_option_find(w->program, name, length);

	note_option(w, option, option && !option->name[length],
		    name[length] ? name + length + 1 : NULL);
}

/* "-n5", "-n" "5", "-Hn5" */
static void read_letters(struct submit_words *w)
{
	for (const char *c = w->words[w->at] + 1; *c; c++) {
		const struct submit_option *option =
			submit_option_letter(w->program, *c);
		bool alone = !option || option->value == SUBMIT_VALUE_NONE;

		note_option(w, option, true, !alone && c[1] ? c + 1 : NULL);
		if (!alone)
			return;
	}
}

int submit_line_walk(int program, const char *const words[], int count, int at,
		     submit_option_note note, void *into)
{
	struct submit_words w = { words, count, at, program, note, into };

	for (; w.at < count; w.at++) {
		const char *word = words[w.at];

		/* ":" stands between the components of a job. */
		if (program == SUBMIT_SBATCH && !strcmp(word, ":"))
			continue;
		if (word[0] != '-' || !word[1])
			return w.at;
		if (!strcmp(word, "--"))
			return w.at + 1;
		if (word[1] == '-')
			read_long(&w);
		else
			read_letters(&w);
	}
	return count; /* a value may be missing */
}

static void keep_value(void *into, const struct submit_option *option,
		       bool exact, const char *value)
{
	static const struct {
		const char *name;
		size_t offset;
	} kept[] = {
		{ "wrap", offsetof(struct submit_line, wrap) },
		{ "chdir", offsetof(struct submit_line, directory) },
		{ "export", offsetof(struct submit_line, exported) },
		{ "dependency", offsetof(struct submit_line, dependency) },
		{ "array", offsetof(struct submit_line, array) },
	};
	struct submit_line *line = into;

	(void)exact;
	if (option && !strcmp(option->name, "test-only"))
		line->test_only = true;
	for (size_t i = 0; option && value && i < 5; i++)
		if (!strcmp(option->name, kept[i].name))
			*(const char **)((char *)line + kept[i].offset) = value;
}

static int find_program(const char *path)
{
	/* In the order of their bits. */
	static const char *const programs[] = { "sbatch", "srun", "salloc" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(command_basename(path), programs[i]))
			return 1 << i;
	return 0;
}

bool submit_line_read(const char *const words[], int count,
		      struct submit_line *ret)
{
	int program = count ? find_program(words[0]) : 0;

	*ret = (struct submit_line){ .batch = program == SUBMIT_SBATCH };
	if (program)
		ret->first = submit_line_walk(program, words, count, 1,
					      keep_value, ret);
	return program;
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
