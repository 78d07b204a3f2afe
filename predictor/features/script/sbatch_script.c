/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sbatch_script.c - the #SBATCH lines of a script */
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/sbatch_script.h"

static const char mark[] = "#SBATCH";

/* Find the next word of *line, which is advanced; false: there is none.  The
 * word is not longer than the line. */
static bool next_word(const char **line, const char *end, char *ret_word)
{
	const char *c = *line;
	char quote = '\0';
	size_t used = 0;

	/* No line goes on behind a '\'. */
	while (c < end && (strchr(" \t\r", *c) || (*c == '\\' && c + 1 == end)))
		c++;
	if (c == end || *c == '#')
		return false;
	for (; c < end; c++) {
		if (quote && *c == quote) {
			quote = '\0';
		} else if (!quote && strchr("\"'", *c)) {
			quote = *c;
		} else if (!quote && strchr(" \t\r#", *c)) {
			break; /* a '#' begins a comment here, too */
		} else {
			if (*c == '\\' && c + 1 < end && quote != '\'')
				c++;
			ret_word[used++] = *c;
		}
	}
	ret_word[used] = '\0';
	*line = c;
	return true;
}

static int read_line(const char *line, const char *end, char *ret_words[],
		     int max, int *count, struct sp_error *err)
{
	char word[SBATCH_LINE_MAX];

	if (end - line >= SBATCH_LINE_MAX)
		return sp_error_set(err,
				    "a #SBATCH line is longer than %d "
				    "bytes",
				    SBATCH_LINE_MAX - 1);
	while (next_word(&line, end, word)) {
		if (*count == max)
			return sp_error_set(err,
					    "more than %d words in "
					    "#SBATCH lines",
					    max);
		ret_words[*count] = strdup(word);
		if (!ret_words[*count])
			return sp_error_set(err, "out of memory");
		++*count;
	}
	return 0;
}

int sbatch_script_words(const char *script, char *ret_words[], int max,
			int *ret_count, struct sp_error *err)
{
	size_t length = strlen(mark);

	*ret_count = 0;
	for (const char *line = script, *end; *line; line = end + (*end != 0)) {
		size_t blanks = strspn(line, " \t\r");

		end = line + strcspn(line, "\n");
		if (strncmp(line, mark, length) == 0 &&
		    strchr(" \t", line[length])) {
			if (line[length] &&
			    read_line(line + length, end, ret_words, max,
				      ret_count, err))
				return -1;
		} else if (line[blanks] && line[blanks] != '#' &&
			   line[blanks] != '\n') {
			return 0; /* a command */
		}
	}
	return 0;
}

bool sbatch_script_tests_only(const char *script)
{
	char *words[SBATCH_WORDS_MAX + 1] = { (char *)"sbatch" };
	struct submit_line line = { .test_only = false };
	int count;

	/* Options may be abbreviated; most scripts need not be read. */
	if (!strstr(script, "--te"))
		return false;
	/* What could be read counts. */
	sbatch_script_words(script, words + 1, SBATCH_WORDS_MAX, &count, NULL);
	submit_line_read((const char *const *)words, count + 1, &line);
	for (int i = 1; i <= count; i++)
		free(words[i]);
	return line.test_only;
}
