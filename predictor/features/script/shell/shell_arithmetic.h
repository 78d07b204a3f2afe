/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_arithmetic.h - arithmetic as in $((N * 1000 + 1))
 *
 * Private to the files shell_*.c.
 */
#pragma once

#include "predictor/features/script/shell/shell_words.h"

/* Find the value of text[0..size-1]: numbers, variables with and without '$',
 * and + - * / % between them.  False: not known, or another operator. */
bool shell_calculate(const struct shell *shell, const char *text, size_t size,
		     double *ret, shell_variables *ret_variables,
		     shell_arguments *ret_uses);

/* Find the rounds of `for ((i = 0; i < 10; i++))`; `text` is between the
 * parentheses. False: not known. */
bool shell_count_rounds(const struct shell *shell, const char *text,
			size_t size, double *ret);
