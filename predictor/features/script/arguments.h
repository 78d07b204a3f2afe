/* arguments.h - the numbers in the arguments of a command
 *
 *	-n 8000  -n8000  --steps 100  --steps=100  N=4000  -D N=4000  +p40  8000
 *
 * become n, n, steps, steps, N, N, p and arg1.  Arguments that belong to no
 * option are counted, numbers or not: `app input.dat 100` has an arg2.  A
 * number may end in k, M, G or T, for a thousand and so on, also in kB or MiB.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_ARGUMENTS_H
#define PREDICTOR_FEATURES_SCRIPT_ARGUMENTS_H

#include "predictor/features/script/file_arguments.h"
#include "predictor/features/parameters.h"
#include "predictor/features/script/shell_words.h"

struct arguments {
	const char *const *words;
	int count;
	shell_arguments skip; /* words (the first is bit 1) that are counted,
				 but left out */
	int except;           /* index of a word that is not even counted, or
				 -1 */
	const char *pairs;    /* options that give a name, and its number in
				 two words, as " -var "; NULL: none */
	struct file_arguments *files; /* gets what may be files; NULL: no */
};

/* Add to *set, or give what is there a new value; what is no parameter, or
 * does not fit any more, is left out. */
void arguments_read(const struct arguments *arguments, struct parameters *set);

/* Whether all of `text` is a number. */
bool arguments_number(const char *text, double *ret);

#endif
