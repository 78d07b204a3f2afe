/* submit_line.c - what a command line of sbatch, srun or salloc submits */
#include <string.h>

#include "predictor/features/command_line.h"
#include "predictor/features/command_tables.h"
#include "predictor/features/submit_line.h"

/* The value of an option in its own word or in the next one, where *at moves
 * to; NULL: the word is another option. */
static const char *option_value(const char *const words[], int count, int *at,
				const char *name)
{
	const char *word = words[*at];
	size_t length = strlen(name);

	if (strncmp(word, name, length))
		return NULL;
	if (word[length] == '=')
		return word + length + 1;
	/* "-D/x", but not "--chdirx". */
	if (word[length])
		return word[1] == '-' ? NULL : word + length;
	return *at + 1 < count ? words[++*at] : NULL;
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
		const char *word = words[at];
		const char *value;

		if (!strcmp(word, "--")) {
			at++;
			break;
		}
		if ((value = option_value(words, count, &at, "--wrap")))
			ret->wrap = value;
		else if ((value = option_value(words, count, &at, "--chdir")) ||
			 (value = option_value(words, count, &at, "-D")))
			ret->directory = value;
		else if (command_tables_list(submit_values, word))
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
