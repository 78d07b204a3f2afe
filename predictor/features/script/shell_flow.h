/* shell_flow.h - a script's commands, with functions and loops followed
 *
 * The body of a function is read where the function is called, with the
 * arguments of the call; of one that is never called, not at all.  The body of
 * a loop is read once; how often it would be run is told, where that can be
 * seen.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_SHELL_FLOW_H
#define PREDICTOR_FEATURES_SCRIPT_SHELL_FLOW_H

#include "predictor/features/script/shell_words.h"

/* As shell_read(), also of the bodies of functions that were called. */
bool shell_next(struct shell *shell, struct shell_command *ret);

/* If words[at] of the command names a function, read on in its body; false:
 * it does not, or calls are too many. */
bool shell_call(struct shell *shell, const struct shell_command *command,
		int at);

#endif
