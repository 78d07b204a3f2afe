/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sbatch_script.h - the #SBATCH lines of a script
 *
 * As sbatch reads them: only before the first command; blanks separate words,
 * except within ' and "; \ quotes the next byte, # begins a comment.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"

#define SBATCH_WORDS_MAX 256  /* in all #SBATCH lines together */
#define SBATCH_LINE_MAX  4096 /* bytes of such a line */

/* Find the words of the #SBATCH lines of a script: at most `max`, each to be
 * freed by the caller, also after a failure. */
int sbatch_script_words(const char *script, char *ret_words[], int max,
			int *ret_count, struct sp_error *err);

/* Return whether a #SBATCH line has --test-only: no job follows. */
bool sbatch_script_tests_only(const char *script);
