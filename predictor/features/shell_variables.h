/* shell_variables.h - what $NAME, ${NAME:-value}, $1 and "$@" stand for
 *
 * Private to shell_words.c and shell_variables.c.
 */
#ifndef PREDICTOR_FEATURES_SHELL_VARIABLES_H
#define PREDICTOR_FEATURES_SHELL_VARIABLES_H

#include "predictor/features/shell_words.h"

/* A parameter expansion as it stands in the text. */
struct shell_expansion {
	char name[SHELL_NAME_SIZE];
	bool all;             /* "$@" or "$*" */
	const char *fallback; /* in the text; NULL: none */
	size_t fallback_size;
};

/* Read the expansion at shell->at, which is behind its '$', and move behind
 * it.  False: it is not one that we understand; at most its first byte was
 * skipped, `$(...)` whole. */
bool shell_read_expansion(struct shell *shell, struct shell_expansion *ret);

/* The value of a variable or an argument; NULL: it is not known.  *uses grows
 * by what it was made of. */
const char *shell_value(const struct shell *shell, const char *name,
			shell_arguments *uses);

/* Forgets the variable if the value does not fit. */
void shell_assign(struct shell *shell, const char *name, size_t length,
		  const char *value, shell_arguments uses);

shell_arguments shell_argument_bit(int number);

/* Move from an opening parenthesis behind the one that closes it. */
void shell_skip_parentheses(struct shell *shell);

#endif
