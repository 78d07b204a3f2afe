/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_expand.h - put the values of expansions into words
 *
 * Private to the files shell_*.c.
 */
#pragma once

#include "predictor/features/script/shell/shell_word.h"

/* At a '$': read the expansion and append its value, or itself if that is not
 * known. */
void shell_expand(struct shell *shell, struct shell_word *word, bool quoted);

/* At a '`', likewise. */
void shell_expand_backticks(struct shell *shell, struct shell_word *word);

/* One part of a word (shell_words.c).  False: the word ends here. */
bool shell_read_part(struct shell *shell, struct shell_word *word);

/* The parts of a text in double quotes, up to shell->end or the next '"'. */
void shell_read_double_quoted(struct shell *shell, struct shell_word *word);
