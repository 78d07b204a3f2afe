/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_variables.h - values of $NAME, ${NAME:-value}, $1 and "$@"
 *
 * Private to the files shell_*.c and to those that read a script's variables.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* A parameter expansion: ${NAME}, ${NAME:-text}. */
struct shell_expansion {
	char name[SHELL_NAME_SIZE];
	bool all;         /* "$@", "$*", or all of an array */
	char operation;   /* '-', '=', '?', '+', '%', '#', '[', ':'; 0: none */
	bool twice;       /* "%%", "##" */
	const char *text; /* after it, in the script */
	size_t size;
	bool arithmetic; /* $((...)) and $#, with this value: */
	double value;
};

/* Read the expansion at shell->at, which is after its '$', and skip it.  False:
 * not understood; at most its first byte was skipped, `$(...)` as a whole.
 * Adds the variables and arguments of arithmetic to *ret_variables and
 * *ret_uses. */
bool shell_read_expansion(struct shell *shell, struct shell_expansion *ret,
			  shell_variables *ret_variables,
			  shell_arguments *ret_uses);

/* Return the value of a variable or an argument; NULL: not known.  Adds what
 * it came from to *uses and *variables. */
const char *shell_value(const struct shell *shell, const char *name,
			shell_arguments *uses, shell_variables *variables);

/* The value becomes unknown if it is NULL or does not fit. */
void shell_assign(struct shell *shell, const char *name, size_t length,
		  const char *value, shell_arguments uses, bool unsure);
void shell_export(struct shell *shell, const char *name, size_t length);

/* The values of these become unknown. */
void shell_forget(struct shell *shell, shell_variables variables);

/* Return whether the variable is an array. */
bool shell_is_array(const struct shell *shell, shell_variables variable);

/* Return whether one of them may have another value when the job runs. */
bool shell_any_unsure(const struct shell *shell, shell_variables variables);

shell_arguments shell_argument_bit(int number);

/* From an opening parenthesis, skip to after the closing one. */
void shell_skip_parentheses(struct shell *shell);

/* Apply a command that only assigns, in bash or csh.  False: it is another. */
bool shell_apply_assignments(struct shell *shell,
			     const struct shell_command *command);
