/* shell_variables.h - what $NAME, ${NAME:-value}, $1 and "$@" stand for
 *
 * Private to the files shell_*.c and to who asks for what a script has set.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_SHELL_VARIABLES_H
#define PREDICTOR_FEATURES_SCRIPT_SHELL_VARIABLES_H

#include "predictor/features/script/shell_words.h"

/* A parameter expansion as it stands in the text. */
struct shell_expansion {
	char name[SHELL_NAME_SIZE];
	bool all;             /* "$@", "$*", or all of an array */
	const char *fallback; /* in the text; NULL: none */
	size_t fallback_size;
	bool arithmetic; /* $((...)), with this value: */
	double value;
};

/* Read the expansion at shell->at, which is behind its '$', and move behind
 * it.  False: it is not one that we understand; at most its first byte was
 * skipped, `$(...)` whole.  *ret_variables grows by those that a sum was made
 * of, *ret_uses by the arguments. */
bool shell_read_expansion(struct shell *shell, struct shell_expansion *ret,
			  shell_variables *ret_variables,
			  shell_arguments *ret_uses);

/* The value of a variable or an argument; NULL: it is not known.  *uses and
 * *variables grow by what it was made of. */
const char *shell_value(const struct shell *shell, const char *name,
			shell_arguments *uses, shell_variables *variables);

/* Forgets the variable if the value does not fit, or is NULL. */
void shell_assign(struct shell *shell, const char *name, size_t length,
		  const char *value, shell_arguments uses);
void shell_export(struct shell *shell, const char *name, size_t length);

shell_arguments shell_argument_bit(int number);

/* Move from an opening parenthesis behind the one that closes it. */
void shell_skip_parentheses(struct shell *shell);

/* Take in a command that only assigns, in bash or csh; false: it does more. */
bool shell_take_assignments(struct shell *shell,
			    const struct shell_command *command);

#endif
