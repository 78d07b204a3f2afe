/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_here_docs.h - redirections and here-documents
 *
 * Private to the files shell_*.c.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* At a '<' or '>'. */
void shell_read_redirection(struct shell *shell, struct shell_command *command);

/* After the end of a line with "<<": read its here-documents and skip them. */
void shell_read_here_docs(struct shell *shell);

/* Append the next word to the command's text, without counting it as a word.
 * Returns it, in the command's memory. */
const char *shell_read_target(struct shell *shell,
			      struct shell_command *command);
