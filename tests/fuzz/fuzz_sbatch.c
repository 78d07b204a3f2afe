/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_sbatch.c - #SBATCH lines of a script, and the words of a submit line
 *
 * The input is a script; the same text, with NUL bytes or else blanks between
 * its words, is the command line of sbatch, srun and salloc.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/sbatch_script.h"

#define WORDS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

static void read_directives(const char *script)
{
	char *words[SBATCH_WORDS_MAX];
	int count = -1;

	sbatch_script_words(script, words, SBATCH_WORDS_MAX, &count, NULL);
	require(count >= 0 && count <= SBATCH_WORDS_MAX);
	for (int i = 0; i < count; i++) {
		require(strlen(words[i]) < SBATCH_LINE_MAX);
		free(words[i]);
	}
	sbatch_script_tests_only(script);
}

static void read_words(char *text, const char *end)
{
	static const char *const programs[] = { "sbatch", "/usr/bin/srun",
						"salloc" };
	const char *words[WORDS_MAX];
	struct submit_line line;
	int count = 1;

	for (char *at = text; at < end && count < WORDS_MAX;
	     at += strlen(at) + 1)
		words[count++] = at;
	for (int i = 0; i < 3; i++) {
		words[0] = programs[i];
		require(submit_line_read(words, count, &line));
		require(line.first >= 1 && line.first <= count);
		require(line.batch == !i);
	}
	submit_line_wrap(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	read_directives(text);
	for (size_t i = 0; i < size; i++)
		if (text[i] == ' ')
			text[i] = '\0';
	read_words(text, text + size);
	free(text);
	return 0;
}
