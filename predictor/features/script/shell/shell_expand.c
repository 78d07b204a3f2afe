/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_expand.c - put the values of expansions into words
 *
 * shell_read_expansion() parses `${NAME:-text}` and its like; here the operator
 * is applied to the value.  The text after an operator is read as a part of the
 * script in its place, so that expansions nest.  Values that are not known stay
 * as they are written (shell_unknown.h).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/script/shell/shell_conditions.h"
#include "predictor/features/script/shell/shell_expand.h"
#include "predictor/features/script/shell/shell_substitute.h"
#include "predictor/features/script/shell/shell_unknown.h"
#include "predictor/features/script/shell/shell_variables.h"

/* A value and a pattern of ${NAME%pattern} that are longer are not matched,
 * which bounds the time. */
#define CUT_VALUE_SIZE   256
#define CUT_PATTERN_SIZE 64

/* Return whether an expansion after the first `length` bytes of a word, which
 * ends before shell->at, is the whole word or the whole value of an option:
 * "$N", -n$N, --n="$N". */
static bool is_whole(const struct shell *shell, const char *word, size_t length,
		     bool quoted)
{
	const char *next = shell->at;

	if (length && word[length - 1] != '=' &&
	    !(length == 2 && word[0] == '-'))
		return false;
	if (quoted && next < shell->end && *next == '"')
		next++;
	return next == shell->end || strchr(" \t\r\n;&|<>()", *next);
}

/* As it is written; a long one as "$()". */
static void put_unknown(struct shell_word *word, const char *text, size_t size)
{
	if (size > SHELL_UNKNOWN_MAX)
		shell_word_put(word, "$()", 3);
	else
		shell_word_put(word, text, size);
}

/* The text after an operator, as if it stood in the script. */
static void put_text(struct shell *shell, struct shell_word *word,
		     const struct shell_expansion *expansion, bool quoted)
{
	const char *at = shell->at, *end = shell->end;
	int depth = shell->depth;

	shell->at = expansion->text;
	shell->end = expansion->text + expansion->size;
	while (shell_more(shell)) {
		if (quoted) {
			shell_read_double_quoted(shell, word);
		} else if (!shell_read_part(shell, word)) {
			if (isspace((unsigned char)*shell->at))
				shell_word_finish(word);
			else
				shell_word_put(word, shell->at, 1);
			shell->at++;
		}
	}
	shell->at = at;
	shell->end = end;
	shell->depth = depth;
}

/* ${NAME:-text}, ${NAME:=text} of a variable without a value */
static void put_default(struct shell *shell, struct shell_word *word,
			const struct shell_expansion *expansion, bool quoted)
{
	struct shell_command *command = word->command;
	const char *text = command->text + command->used;

	put_text(shell, word, expansion, quoted);
	if (expansion->operation != '=' || shell->skipping ||
	    command->used == sizeof(command->text))
		return;
	command->text[command->used] = '\0';
	shell_assign(shell, expansion->name, strlen(expansion->name), text,
		     command->uses, word->unsure);
}

/* ${NAME%pattern}, ${NAME##pattern}.  False: not known. */
static bool put_cut(struct shell *shell, struct shell_word *word,
		    const struct shell_expansion *expansion, const char *value,
		    bool quoted)
{
	char pattern[CUT_PATTERN_SIZE], text[CUT_VALUE_SIZE];
	bool head = expansion->operation == '#';
	size_t length = strlen(value), cut = 0;
	enum shell_truth matches = SHELL_NO;

	if (length >= sizeof(text) || expansion->size >= sizeof(pattern))
		return false;
	strcpy(text, value);
	memcpy(pattern, expansion->text, expansion->size);
	pattern[expansion->size] = '\0';
	if (strpbrk(pattern, "$`\"'"))
		return false;
	for (size_t i = 0; i <= length && matches == SHELL_NO; i++) {
		size_t size = expansion->twice ? length - i : i;
		char *end = text + (head ? size : length);
		const char *start = head ? text : end - size;

		*end = '\0';
		matches = shell_match(shell, pattern, start);
		if (matches == SHELL_YES)
			cut = size;
		*end = value[end - text];
	}
	if (matches == SHELL_UNKNOWN)
		return false;
	shell_word_put_value(shell, word, value + (head ? cut : 0),
			     length - cut, quoted, false);
	return true;
}

/* ${NAME:offset:length}.  False: not known. */
static bool put_part(struct shell *shell, struct shell_word *word,
		     const struct shell_expansion *expansion, const char *value,
		     bool quoted)
{
	char *end;
	long size = (long)strlen(value), length = size;
	long offset = strtol(expansion->text, &end, 10);

	if (end != expansion->text && *end == ':')
		length = strtol(end + 1, &end, 10);
	offset += offset < 0 ? size : 0;
	if (*end != '}' || offset < 0 || offset > size || length < 0)
		return false;
	shell_word_put_value(shell, word, value + offset, (size_t)length,
			     quoted, false);
	return true;
}

/* ${NAME[2]}, or the first for $NAME; blanks part the elements.  False: not
 * known. */
static bool put_element(struct shell *shell, struct shell_word *word,
			const struct shell_expansion *expansion,
			const char *value, bool quoted)
{
	char *end = NULL;
	long index = expansion->size ? strtol(expansion->text, &end, 10) : 0;

	if (end && (end == expansion->text || *end != ']' || index < 0))
		return false;
	value += strspn(value, " ");
	for (; index && *value; index--) {
		value += strcspn(value, " ");
		value += strspn(value, " ");
	}
	shell_word_put_value(shell, word, value, strcspn(value, " "), quoted,
			     false);
	return true;
}

/* Put what ${NAME...} stands for, given the value of NAME (NULL: not known).
 * False: that is not known. */
static bool put_operation(struct shell *shell, struct shell_word *word,
			  const struct shell_expansion *expansion,
			  const char *value, bool array, bool quoted)
{
	switch (expansion->operation) {
	case '-':
	case '=':
		if (value && *value)
			break;
		put_default(shell, word, expansion, quoted);
		return true;
	case '+':
		if ((value && *value) || !strncmp(expansion->name, "SLURM", 5))
			put_text(shell, word, expansion, quoted);
		return true;
	case '%':
	case '#':
		return value && put_cut(shell, word, expansion, value, quoted);
	case ':':
		return value && put_part(shell, word, expansion, value, quoted);
	case '[':
		return value &&
		       put_element(shell, word, expansion, value, quoted);
	}
	if (!value)
		return false;
	if (array && !expansion->all)
		return put_element(shell, word, expansion, value, quoted);
	shell_word_put_value(shell, word, value, SIZE_MAX,
			     quoted && !expansion->all, expansion->all);
	return true;
}

static void put_number(struct shell *shell, struct shell_word *word,
		       double value)
{
	char text[32];
	int size = snprintf(text, sizeof(text), "%.15g", value);

	shell_work(shell, 250);
	shell_word_put(word, text, (size_t)size);
}

/* The value of an expansion, if it is known; else as it is written, in one
 * word. */
static void put_expansion(struct shell *shell, struct shell_word *word,
			  const char *start,
			  const struct shell_expansion *expansion, bool quoted)
{
	struct shell_command *command = word->command;
	shell_variables used = 0;

	if (!expansion) {
		put_unknown(word, start, (size_t)(shell->at - start));
		return;
	}
	if (expansion->arithmetic) {
		put_number(shell, word, expansion->value);
		return;
	}
	if (expansion->all && strchr("@*", expansion->name[0])) {
		shell_word_put_arguments(shell, word, quoted);
		return;
	}

	const char *value =
		shell_value(shell, expansion->name, &command->uses, &used);

	command->variables |= used;
	word->unsure |= shell_any_unsure(shell, used);
	if (!put_operation(shell, word, expansion, value,
			   shell_is_array(shell, used), quoted))
		put_unknown(word, start, (size_t)(shell->at - start));
}

/* $(which NAME): false if its output is not known. */
static bool put_output(struct shell *shell, struct shell_word *word,
		       const char *code, size_t size, bool quoted)
{
	struct shell_command *command = word->command;
	char text[SHELL_UNKNOWN_MAX];

	shell_work(shell, 60);
	if (!shell_substitute(shell, code, size, text, sizeof(text),
			      &command->variables, &command->uses,
			      &word->unsure)) {
		if (shell->codes_count < SHELL_CODES_MAX) {
			shell->codes[shell->codes_count].text = code;
			shell->codes[shell->codes_count++].size = size;
		}
		return false;
	}
	shell_word_put_value(shell, word, text, SIZE_MAX, quoted, false);
	return true;
}

void shell_expand_backticks(struct shell *shell, struct shell_word *word)
{
	const char *start = shell->at++;
	const char *code = shell->at, *end = code;
	bool nested = false; /* others in it are escaped */

	for (; end < shell->end && *end != '`'; end++)
		if (*end == '\\' && end + 1 < shell->end) {
			end++;
			nested = true;
		}
	shell->at = end + (end < shell->end);
	if (!put_output(shell, word, code, (size_t)(end - code), true))
		put_unknown(word, start,
			    nested ? SIZE_MAX : (size_t)(shell->at - start));
}

void shell_expand(struct shell *shell, struct shell_word *word, bool quoted)
{
	struct shell_command *command = word->command;
	const char *start = shell->at++;
	const char *text = command->text + word->start;
	size_t length = command->used - word->start;
	shell_variables before = command->variables;
	struct shell_expansion expansion;
	bool understood = shell_read_expansion(
		shell, &expansion, &command->variables, &command->uses);
	size_t size = (size_t)(shell->at - start);

	shell_work(
		shell,
		70 + 2 * (size < SHELL_UNKNOWN_MAX ? size : SHELL_UNKNOWN_MAX));

	/* Variables of arithmetic are not parameters by their own names. */
	if (understood && expansion.arithmetic) {
		shell_variables used = command->variables & ~before;

		command->whole |= used;
		word->unsure |= shell_any_unsure(shell, used);
	}
	if (understood || size < 4 || start[1] != '(' || start[2] == '(' ||
	    !put_output(shell, word, start + 2, size - 3, quoted))
		put_expansion(shell, word, start,
			      understood ? &expansion : NULL, quoted);
	if (is_whole(shell, text, length, quoted))
		command->whole |= command->variables & ~before;
	if (quoted)
		word->open = true;
}
