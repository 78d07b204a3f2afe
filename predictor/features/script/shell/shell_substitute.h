/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_substitute.h - what a command within $(...) prints
 *
 *	$(readlink -f ./app)   $(which app)   $(basename x/app .x)   $(echo 5)
 *	$(printf "run_%03d" 7)
 *
 * Private to the files shell_*.c.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* Find the output of code[0..size-1].  Adds the variables and arguments that
 * it came from.  False: not known. */
bool shell_substitute(struct shell *shell, const char *code, size_t size,
		      char *ret, size_t ret_size,
		      shell_variables *ret_variables, shell_arguments *ret_uses,
		      bool *ret_unsure);
