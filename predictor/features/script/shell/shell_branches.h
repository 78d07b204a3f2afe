/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_branches.h - which branches of `if` and `case` are taken
 *
 * Conditions have three values: true, false and unknown.  Branches whose
 * condition is unknown are read from the first on, up to one that runs a
 * program.  A variable that is set in such a branch keeps its value, but is
 * unsure behind it (shell_word.h).  Conditions of csh are all unknown, and
 * their branches are all read.
 *
 * Private to the files shell_*.c and script.c.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* Apply the keywords of a command; sets shell->dead.  Words before `in` and
 * after it are those of `case`.  False: it does not run, being in a branch that
 * is not taken, or behind an "&&" or "||" that stops before it. */
bool shell_branches_follow(struct shell *shell, struct shell_command *command);

/* After a ";;": a pattern follows. */
void shell_branches_next(struct shell *shell);

/* Return whether a ')' after the words of this command ends a pattern. */
bool shell_branches_pattern(struct shell *shell,
			    const struct shell_command *command);

/* A variable was set. */
void shell_branches_assigned(struct shell *shell, shell_variables bit);

/* A program was run in the current branches. */
void shell_branches_worked(struct shell *shell);

/* Close those after the first `count`. */
void shell_branches_leave(struct shell *shell, int count);
