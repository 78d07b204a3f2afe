/* inline_input.h - numbers in the input that a script brings along
 *
 * Of a here-document, wherever the script puts it, lines of a namelist, and
 * lines of a keyword and a number:
 *
 *	nstep = 5000, dt = 0.25d0
 *	%mem=16GB
 *	run 25000
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_INLINE_INPUT_H
#define PREDICTOR_FEATURES_SCRIPT_INLINE_INPUT_H

#include "predictor/features/parameters.h"
#include "predictor/features/script/shell_words.h"

/* Add to *set what is not there yet.  *ret_variables grows by the shell's
 * variables that gave a number; *ret_others by those that the text holds
 * otherwise. */
void inline_input_read(const struct shell *shell,
		       const struct shell_here_doc *doc, struct parameters *set,
		       shell_variables *ret_variables,
		       shell_variables *ret_others);

#endif
