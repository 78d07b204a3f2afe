/* shell_here_docs.h - redirections, and the texts within a script
 *
 * Private to the files shell_*.c.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_SHELL_HERE_DOCS_H
#define PREDICTOR_FEATURES_SCRIPT_SHELL_HERE_DOCS_H

#include "predictor/features/script/shell_words.h"

/* At a '<' or '>'. */
void shell_take_redirection(struct shell *shell, struct shell_command *command);

/* Behind the newline that ends a line with "<<": read the texts and move
 * behind them. */
void shell_read_here_docs(struct shell *shell);

/* Put the next word at the end of the command's text and finish it, but don't
 * count it.  Lent from the command. */
const char *shell_take_target(struct shell *shell,
			      struct shell_command *command);

#endif
