/* arguments.h - the numbers in the arguments of a command
 *
 *	-n 8000  -n8000  --steps 100  --steps=100  N=4000  -D N=4000  8000
 *
 * become n, n, steps, steps, N, N and arg1.  Arguments that belong to no
 * option are counted, numbers or not: `app input.dat 100` has an arg2.  A
 * number may end in k, M, G or T, for a thousand and so on.
 */
#ifndef PREDICTOR_FEATURES_ARGUMENTS_H
#define PREDICTOR_FEATURES_ARGUMENTS_H

#include "predictor/features/parameters.h"
#include "predictor/features/shell_words.h"

/* Add to *set, or give what is there a new value; what is no parameter, or
 * does not fit any more, is left out.  The bits of `skip` say which of the
 * words (the first is bit 1) are counted, but left out. */
void arguments_read(const char *const words[], int count, shell_arguments skip,
		    struct parameters *set);

/* Whether all of `text` is a number. */
bool arguments_number(const char *text, double *ret);

#endif
