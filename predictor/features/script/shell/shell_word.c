/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_word.c - append to the words of a command */
#include <ctype.h>
#include <string.h>

#include "predictor/features/script/shell/shell_unknown.h"
#include "predictor/features/script/shell/shell_variables.h"
#include "predictor/features/script/shell/shell_word.h"

void shell_word_put(struct shell_word *word, const char *text, size_t size)
{
	struct shell_command *command = word->command;
	/* The last byte is kept for the terminator. */
	size_t room = sizeof(command->text) - 1;

	room = command->used < room ? room - command->used : 0;
	size = size < room ? size : room;
	word->open = true;
	memcpy(command->text + command->used, text, size);
	command->used += size;
}

void shell_word_finish(struct shell_word *word)
{
	struct shell_command *command = word->command;

	if (!word->open)
		return;
	word->open = false;
	if (command->count < SHELL_WORDS_MAX &&
	    command->used < sizeof(command->text)) {
		command->unsure[command->count] = word->unsure;
		command->words[command->count++] = command->text + word->start;
		command->text[command->used++] = '\0';
	} else {
		command->used = word->start;
	}
	word->unsure = false;
	word->start = command->used;
}

/* Return bytes up to the next blank or '$', at least one. */
static size_t plain_length(const char *text, size_t size)
{
	size_t length = 1;

	while (length < size && !isspace((unsigned char)text[length]) &&
	       text[length] != '$' && text[length] != '`')
		length++;
	return length;
}

void shell_word_put_value(struct shell *shell, struct shell_word *word,
			  const char *value, size_t size, bool quoted,
			  bool list)
{
	bool unsure = word->unsure;

	size = strnlen(value, size);
	if (size > SHELL_EXPANDED_MAX - shell->expanded)
		size = SHELL_EXPANDED_MAX - shell->expanded;
	shell->expanded += size;
	shell_work(shell, 15 + size);
	if (quoted && !list) {
		shell_word_put(word, value, size);
		return;
	}
	for (size_t i = 0; i < size && shell->work_left > 0;) {
		bool piece = value[i] == '$' || value[i] == '`';
		/* A piece that is not known may have blanks. */
		size_t length =
			piece ? shell_unknown_length(value + i, size - i) : 0;

		if (!length && isspace((unsigned char)value[i])) {
			shell_word_finish(word);
			i++;
			continue;
		}
		if (!length)
			length = plain_length(value + i, size - i);
		shell_work(shell, 15 + length);
		shell_word_put(word, value + i, length);
		word->unsure = unsure;
		i += length;
	}
}

void shell_word_put_arguments(struct shell *shell, struct shell_word *word,
			      bool quoted)
{
	const struct shell_positions *p = shell->positions;

	for (int i = 1 + p->shifted; i < p->count; i++) {
		if (shell->expanded++ >= SHELL_EXPANDED_MAX) {
			shell->expanded = SHELL_EXPANDED_MAX;
			return;
		}
		if (i > 1 + p->shifted)
			shell_word_finish(word);
		shell_word_put_value(shell, word, p->words[i], SIZE_MAX, quoted,
				     false);
		word->command->uses |=
			p->called ? p->uses : shell_argument_bit(i);
	}
	word->command->whole |= p->variables;
}
