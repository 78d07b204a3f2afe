/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_conditions.h - whether a test holds: yes, no, or unknown
 *
 * Private to the files shell_*.c.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* Return whether the command from words[at] on succeeds: [ ... ], [[ ... ]] or
 * a part of it, test, ((...)) with one comparison, true or false.  A variable
 * that the script does not set is taken to be unset, unless Slurm or a login
 * sets it.  All others are unknown. */
enum shell_truth shell_condition(struct shell *shell,
				 const struct shell_command *command, int at);

/* Return whether `text` matches a pattern of the shell; unknown if one of them
 * is long. */
enum shell_truth shell_match(struct shell *shell, const char *pattern,
			     const char *text);
