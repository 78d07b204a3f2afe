/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inline_input.h - numbers in the here-documents of a script
 *
 * Lines of a namelist, and lines of a keyword and a number:
 *
 *	nstep = 5000, dt = 0.25d0
 *	%mem=16GB
 *	run 25000
 */
#pragma once

#include "predictor/features/parameters.h"
#include "predictor/features/script/shell/shell_words.h"

/* Add to *set what is not there yet.  Adds the shell's variables whose values
 * were numbers to *ret_variables, and others in the text to *ret_others. */
void inline_input_read(struct shell *shell, const struct shell_here_doc *doc,
		       struct parameters *set, shell_variables *ret_variables,
		       shell_variables *ret_others);

/* Numbers in a text that is code, as of `R -e CODE`: name = number, also among
 * the arguments of a call. */
void inline_input_code(struct shell *shell, const char *code,
		       struct parameters *set);
