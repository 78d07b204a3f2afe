/* SPDX-License-Identifier: GPL-2.0-or-later */
/* secret_corpus.h - secrets put together, and where they go in
 *
 * A row of tests/corpus/secrets/FILE.tsv is a form, a place and a text, with
 * tabs between them; '#' begins a comment.  "{A36}" in the text becomes 36
 * random characters of an alphabet, so that no key lies in the tree; what
 * stands for a secret, and no character of it, may come out.
 *
 *	{A36} letters and digits    {U16} capitals and digits
 *	{h40} hexadecimal digits    {d4}  digits
 *	{b20} base64 of URLs        {B40} base64
 *	{w9}  a password that people choose: letters, then digits and a '!'
 *	{a6}  small letters         {L16} small letters and digits
 *	{X16} hexadecimal capitals  {640} base64, any of it
 *
 * The place says by which door the text goes in (corpus_doors[]; one that is
 * not there: by several), "\n" in it is the end of a line.  A row of
 * harmless.txt is a text that must stay as it is.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/job_environment.h"
#include "predictor/features/script/explanation.h"
#include "predictor/features/script/identify.h"
#include "predictor/features/secret.h"
#include "tests/unit/random.h"

#define SECRET_CORPUS "tests/corpus/secrets/"

#define CORPUS_TEXT_SIZE   2048
#define CORPUS_OUTPUT_SIZE 65536
#define CORPUS_PIECES_MAX  8

/* A text whose placeholders are filled in. */
struct corpus_text {
	char text[CORPUS_TEXT_SIZE];
	int pieces_count;
	char pieces[CORPUS_PIECES_MAX][128];
};

static inline char corpus_character(struct random *r, char alphabet, size_t i,
				    size_t size)
{
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR"
				  "STUVWXYZ0123456789-_+/";

	switch (alphabet) {
	case 'A':
		return all[random_below(r, 62)];
	case 'U':
		return all[26 + random_below(r, 36)];
	case 'h':
		return "0123456789abcdef"[random_below(r, 16)];
	case 'X':
		return "0123456789ABCDEF"[random_below(r, 16)];
	case 'L':
		i = random_below(r, 36);
		return all[i < 26 ? i : i + 26];
	case '6':
		i = random_below(r, 64);
		return all[i < 62 ? i : i + 2];
	case 'd':
		return all[52 + random_below(r, 10)];
	case 'b':
		return all[random_below(r, 64)];
	case 'B':
		return i % 21 == 20 ? all[64 + random_below(r, 2)]
				    : all[random_below(r, 62)];
	case 'w':
		if (i + 1 == size)
			return '!';
		if (i + 3 >= size)
			return all[52 + random_below(r, 10)];
		return i ? all[random_below(r, 26)]
			 : all[26 + random_below(r, 26)];
	default:
		return all[random_below(r, 26)];
	}
}

static inline void corpus_fill(struct random *r, const char *template,
			       struct corpus_text *ret)
{
	size_t used = 0;

	ret->pieces_count = 0;
	for (const char *at = template; *at && used < CORPUS_TEXT_SIZE - 130;) {
		char alphabet;
		unsigned size;
		int end = 0;

		if (!strncmp(at, "\\n", 2)) {
			ret->text[used++] = '\n';
			at += 2;
		} else if (sscanf(at, "{%c%u}%n", &alphabet, &size, &end) ==
				   2 &&
			   end && size < 128 &&
			   ret->pieces_count < CORPUS_PIECES_MAX) {
			char *piece = ret->pieces[ret->pieces_count++];

			for (size_t i = 0; i < size; i++)
				piece[i] =
					corpus_character(r, alphabet, i, size);
			piece[size] = '\0';
			memcpy(ret->text + used, piece, size);
			used += size;
			at += end;
		} else {
			ret->text[used++] = *at++;
		}
	}
	ret->text[used] = '\0';

	/* A mail address has no random part. */
	const char *at = strchr(ret->text, '@');

	if (!ret->pieces_count && at) {
		while (at > ret->text && !strchr(" ='\"", at[-1]))
			at--;
		sscanf(at, "%100[^ '\"\n]", ret->pieces[0]);
		ret->pieces_count = 1;
	}
}

/* --- Doors ---------------------------------------------------------------- */

static inline void corpus_put(char *output, const char *text)
{
	size_t used = strlen(output);

	snprintf(output + used, CORPUS_OUTPUT_SIZE - used, "%s\n", text);
}

static inline void corpus_put_application(char *output,
					  const struct application *found)
{
	char pair[64];

	corpus_put(output, found->name);
	corpus_put(output, found->traits);
	for (int i = 0; i < found->parameters.count; i++) {
		snprintf(pair, sizeof(pair), "%s=%.15g",
			 found->parameters.of[i].name,
			 found->parameters.of[i].value);
		corpus_put(output, pair);
	}
}

/* All that is stored or shown of a job. */
static inline void corpus_put_job(char *output, const struct submission *job)
{
	struct explanation *e = calloc(1, sizeof(*e));
	struct application found;

	application_identify(job, &found);
	corpus_put_application(output, &found);
	explanation_make(job, e);
	for (size_t i = 0; i < e->count; i++)
		corpus_put(output, e->commands[i].text);
	corpus_put(output, e->unknown);
	free(e);
}

/* Cut at blanks, but not in quotes, which are removed. */
static inline size_t corpus_words(char *text, const char *words[], size_t max)
{
	size_t count = 0;

	while (*text && count < max) {
		char *to = text, quote = 0;

		words[count++] = text;
		for (; *text && (quote || *text != ' '); text++) {
			if (quote ? *text == quote : strchr("\"'", *text) != 0)
				quote = quote ? 0 : *text;
			else
				*to++ = *text;
		}
		if (*text)
			text++;
		*to = '\0';
	}
	return count;
}

static inline void corpus_script(char *text, char *output)
{
	struct submission job;
	char script[CORPUS_TEXT_SIZE + 32];

	snprintf(script, sizeof(script), "#!/bin/bash\n%s\n", text);
	submission_init(&job);
	job.name = "job";
	job.script = script;
	corpus_put_job(output, &job);
}

static inline void corpus_command(char *text, char *output)
{
	struct submission job;

	submission_init(&job);
	job.name = "job";
	job.arguments_count = corpus_words(text, job.arguments, 64);
	corpus_put_job(output, &job);
}

static inline void corpus_arguments(char *text, char *output)
{
	struct submission job;

	submission_init(&job);
	job.name = "job";
	job.script = "#!/bin/bash\n./fit \"$@\"\n./fit2 $1 $2 $3\n";
	job.arguments[0] = "job.sh";
	job.arguments_count = 1 + corpus_words(text, job.arguments + 1, 64);
	corpus_put_job(output, &job);
}

/* NAME=VALUE */
static inline void corpus_setting(const char *setting, char *text, char *output)
{
	struct submission job;

	submission_init(&job);
	job.name = "job";
	job.script = "#!/bin/bash\nsrun ./fit $TOKEN $REPO $PASSWORD\n";
	job.settings_count = 1;
	job.settings[0] = (struct setting){ setting, text };
	if (!setting) {
		char *equals = strchr(text, '=');

		*equals = '\0';
		job.settings[0] = (struct setting){ text, equals + 1 };
	}
	corpus_put_job(output, &job);
}

static inline void corpus_param(char *text, char *output)
{
	corpus_setting("param", text, output);
}

static inline void corpus_variable(char *text, char *output)
{
	corpus_setting(NULL, text, output);
}

static inline void corpus_env(char *text, char *output)
{
	corpus_setting(JOB_ENVIRONMENT_READ, text, output);
}

static inline void corpus_export(char *text, char *output)
{
	corpus_setting(JOB_ENVIRONMENT_EXPORTED, text, output);
}

/* What job_submit takes of the environment. */
static inline void corpus_environment(char *text, char *output)
{
	char *const variables[] = { text, NULL };
	const char *found[JOB_ENVIRONMENT_MAX];
	int count = job_environment_find("./fit $TOKEN $REPO $PASSWORD\n",
					 variables, 1, found);

	if (count)
		corpus_put(output, found[0]);
}

static inline void corpus_name(char *text, char *output)
{
	struct application found;

	application_from_name(text, &found);
	corpus_put_application(output, &found);
}

static inline void corpus_submit_line(char *text, char *output)
{
	struct application found;

	application_from_submit_line(text, "job", &found);
	corpus_put_application(output, &found);
}

/* What is logged, sent or printed as a text. */
static inline void corpus_line(char *text, char *output)
{
	secret_mask_text(text);
	corpus_put(output, text);
}

static inline void corpus_any(char *text, char *output)
{
	char copy[CORPUS_TEXT_SIZE];

	corpus_script(text, output);
	corpus_command(strcpy(copy, text), output);
	corpus_arguments(strcpy(copy, text), output);
	corpus_line(text, output);
}

/* A pipe is cut by the shell; else it is a text. */
static inline void corpus_pipe(char *text, char *output)
{
	corpus_script(text, output);
	corpus_line(text, output);
}

static const struct corpus_door {
	const char *place;
	void (*put)(char *text, char *output);
} corpus_doors[] = {
	{ "script", corpus_script },
	{ "assignment", corpus_script },
	{ "export", corpus_script },
	{ "prefix", corpus_script },
	{ "here-document", corpus_script },
	{ "inner", corpus_script },
	{ "#PREDICT", corpus_script },
	{ "srun", corpus_command },
	{ "option", corpus_command },
	{ "arguments", corpus_arguments },
	{ "--predict-param", corpus_param },
	{ "PREDICT_", corpus_variable },
	{ "env", corpus_env },
	{ "--export", corpus_export },
	{ "environment", corpus_environment },
	{ "name", corpus_name },
	{ "SubmitLine", corpus_submit_line },
	{ "log", corpus_line },
	{ "error", corpus_line },
	{ "json", corpus_line },
	{ "pipe", corpus_pipe },
	{ NULL, corpus_any },
};

/* --- Runs ----------------------------------------------------------------- */

/* Return whether a part of the secret came out: six characters of it, or all
 * of a shorter one. */
static inline int corpus_leaks(const struct corpus_text *t, const char *output)
{
	for (int i = 0; i < t->pieces_count; i++) {
		size_t size = strlen(t->pieces[i]),
		       window = size < 6 ? size : 6;
		char part[8];

		for (size_t at = 0; at + window <= size; at++) {
			memcpy(part, t->pieces[i] + at, window);
			part[window] = '\0';
			if (strstr(output, part))
				return 1;
		}
	}
	return 0;
}

static inline int corpus_row(struct random *r, char *row, int verbose)
{
	const char *form = strtok(row, "\t"), *place = strtok(NULL, "\t");
	const char *template = strtok(NULL, "\n");
	static char output[CORPUS_OUTPUT_SIZE];
	struct corpus_text filled;
	char text[CORPUS_TEXT_SIZE];
	int door = 0;

	if (!template)
		return -1;
	while (corpus_doors[door].place &&
	       strcmp(corpus_doors[door].place, place) != 0)
		door++;
	corpus_fill(r, template, &filled);
	if (!filled.pieces_count)
		return -1;
	strcpy(text, filled.text);
	output[0] = '\0';
	corpus_doors[door].put(text, output);
	if (!corpus_leaks(&filled, output))
		return 0;
	if (verbose)
		printf("kept: %s, %s: %s\n%s", form, place, template, output);
	return 1;
}

/* Return how many secrets of a file were kept, each put together `rounds`
 * times; -1: it cannot be read, or a row makes no sense.  *count gets the
 * number of its rows. */
static inline int corpus_kept(const char *path, int rounds, int verbose,
			      int *count)
{
	FILE *file = fopen(path, "r");
	struct random r = { 48 };
	char line[CORPUS_TEXT_SIZE], row[CORPUS_TEXT_SIZE];
	int kept = 0;

	*count = 0;
	if (!file)
		return -1;
	while (kept >= 0 && fgets(line, sizeof(line), file)) {
		int leaks = 0;

		if (*line == '#' || *line == '\n')
			continue;
		++*count;
		for (int i = 0; i < rounds && leaks >= 0; i++) {
			strcpy(row, line);
			int rc = corpus_row(&r, row, verbose && !leaks);

			leaks = rc < 0 ? -1 : leaks + rc;
		}
		if (leaks < 0)
			printf("%s: no row: %s", path, line);
		kept = leaks < 0 ? -1 : kept + (leaks > 0);
	}
	fclose(file);
	return kept;
}

/* Return how many texts of a file are taken for secrets, as a text, as the
 * words of a command or as a value. */
static inline int corpus_alarms(const char *path, int verbose, int *count)
{
	FILE *file = fopen(path, "r");
	char line[CORPUS_TEXT_SIZE], copy[CORPUS_TEXT_SIZE];
	int alarms = 0;

	*count = 0;
	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file)) {
		struct secret_scan scan = { .words = true };
		struct secret_span span;
		const char *words[64];
		size_t words_count;
		int alarm;

		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || !*line)
			continue;
		++*count;
		strcpy(copy, line);
		secret_mask_text(copy);
		alarm = strcmp(copy, line) != 0;
		strcpy(copy, line);
		words_count = corpus_words(copy, words, 64);
		for (size_t i = 0; i < words_count; i++) {
			size_t at = 0;

			alarm |= secret_next(&scan, words[i], strlen(words[i]),
					     &at, &span);
			if (*words[i] != '-' && !strchr(words[i], '='))
				alarm |= secret_in("in", 2, words[i],
						   strlen(words[i])) &&
					 words_count == 1;
		}
		if (alarm && verbose)
			printf("false alarm: %s\n", line);
		alarms += alarm;
	}
	fclose(file);
	return alarms;
}
