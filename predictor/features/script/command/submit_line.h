/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit_line.h - the script or command of a line of sbatch, srun or salloc
 *
 * Options are skipped with their values; the next word is the script or the
 * command.
 */
#pragma once

#include <stdbool.h>

#include "predictor/features/script/command/submit_options.h"

struct submit_line {
	bool batch;     /* sbatch: the first word is the file of a script */
	bool test_only; /* --test-only: no job follows */
	const char
		*wrap; /* the text of --wrap, which is a script; NULL: none */
	const char *directory; /* of --chdir; NULL: where it was typed */
	const char *exported;  /* of --export; NULL: not given */
	const char *dependency, *array; /* of these options; NULL: not given */
	int first; /* index of the script or command; the count: none */
};

/* words[0] is sbatch, srun or salloc, with or without a path; false: it is
 * another.  The texts of *ret are those of the words. */
bool submit_line_read(const char *const words[], int count,
		      struct submit_line *ret);

/* Take note of an option and its value, NULL: it has none, or it is missing.
 * option NULL: not known; not `exact`: its name is abbreviated. */
typedef void (*submit_option_note)(void *into,
				   const struct submit_option *option,
				   bool exact, const char *value);

/* Walk over the options of srun, sbatch or salloc from words[at] on; `note` may
 * be NULL.  Returns the index of the first word that is no option and no value
 * of one. */
int submit_line_walk(int program, const char *const words[], int count, int at,
		     submit_option_note note, void *into);

/* Return the text of --wrap in a line without quotes, as sacct shows it: all
 * that follows it.  NULL: there is none. */
const char *submit_line_wrap(const char *line);
