/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_word.h - append to the words of a command
 *
 * A word is a list of pieces.  Those whose value is not known stay in it as
 * they are written ("$NAME", "$(...)"): the rest of the word is known all the
 * same.  A word is unsure if one of its values may be another when the job
 * runs, as that of a variable which an `if` on the node's state sets.
 *
 * Private to the files shell_*.c.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* The current word; `open` is also true of an empty word (""). */
struct shell_word {
	struct shell_command *command;
	size_t start;
	bool open;
	bool unsure;
};

void shell_word_put(struct shell_word *word, const char *text, size_t size);
void shell_word_finish(struct shell_word *word);

/* Append the value of an expansion, at most `size` bytes; blanks in it separate
 * words unless it is quoted, and always in a list.  Their total size is
 * bounded. */
void shell_word_put_value(struct shell *shell, struct shell_word *word,
			  const char *value, size_t size, bool quoted,
			  bool list);

/* "$@" */
void shell_word_put_arguments(struct shell *shell, struct shell_word *word,
			      bool quoted);
