/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_flow.h - the commands of a script, through functions and loops
 *
 * The body of a function is read where it is called, with the arguments of the
 * call.  The body of a loop is read once, and its number of rounds is counted,
 * if that is known.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* As shell_read(), also of the bodies of functions that were called. */
bool shell_next(struct shell *shell, struct shell_command *ret);

/* If words[at] of the command names a function, continue in its body.  False:
 * it does not, or there are too many calls. */
bool shell_call(struct shell *shell, const struct shell_command *command,
		int at);
