/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arguments.h - the numbers and texts in the arguments of a command
 *
 *	-n 8000  -n8000  --steps 100  --steps=100  N=4000  -D N=4000  +p40  8000
 *
 * become n, n, steps, steps, N, N, p and arg1.  Arguments that belong to no
 * option are counted, numbers or not: `app input.dat 100` has an arg2.  A
 * number may end in k, M, G or T, for a thousand and so on, also in kB or MiB.
 * Several numbers in one word count by their product (64,64,128 or 10x20x30), a
 * time (1-12:00:00, 12h, --time 5m) in seconds.
 *
 * Other words become traits by the same names (traits.h), paths by their last
 * part: --model=llama model=llama, $HOME/water.com arg1=water.com, --data
 * /sets/digits/ data=digits.  Not those of output files, and those whose last
 * part is not known.
 */
#pragma once

#include "predictor/features/parameters.h"
#include "predictor/features/script/command/file_arguments.h"
#include "predictor/features/script/shell/shell_words.h"
#include "predictor/features/traits.h"

struct arguments {
	const char *const *words;
	int count;
	shell_arguments skip; /* words (the first is bit 1) that are counted,
				 but left out */
	const bool *unsure;   /* by word: left out likewise; NULL: none */
	int except;           /* index of a word that is not counted, or
				 -1 */
	const char *pairs;    /* options that are followed by a name and its
				 number, as " var "; NULL: none */
	struct file_arguments *files; /* for words that may be files; NULL:
					 not needed */
	char *traits; /* for texts, of TRAITS_SIZE; NULL: not needed */
};

/* Add parameters to *set, or replace their values; those that do not fit are
 * left out. */
void arguments_read(const struct arguments *arguments, struct parameters *set);

/* Add a word that is no number, by the first `length` bytes of its name; to the
 * files only unless it is `counted`. */
void arguments_add_text(const struct arguments *arguments, const char *name,
			size_t length, const char *text, bool counted);

/* Return whether all of `text` is a number. */
bool arguments_number(const char *text, double *ret);
