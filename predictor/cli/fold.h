/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fold.h - long texts in lines of a terminal */
#pragma once

#include <stdio.h>

/* Return the columns of the terminal that the standard output is; of another
 * file the variable COLUMNS, else 80. */
size_t fold_width(void);

/* Characters of UTF-8, each taken as one column wide. */
size_t fold_columns(const char *text);

/* Return the bytes of the first line of `text` in at most `width` columns, and
 * in *ret_skipped those of the blank behind it.  A line ends at a blank, or
 * behind a comma where no blank fits; a longer word is a line of its own and is
 * not cut. */
size_t fold_line(const char *text, size_t width, size_t *ret_skipped);

/* Print the text in lines that end before column `width`, the second and later
 * ones behind `indent` blanks, where the first begins. */
void fold_print(FILE *file, const char *text, size_t indent, size_t width);
