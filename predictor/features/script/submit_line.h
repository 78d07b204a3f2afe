/* submit_line.h - what a command line of sbatch, srun or salloc submits
 *
 * Options are looked through with the values that belong to them; what is left
 * is the script or the command.
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_SUBMIT_LINE_H
#define PREDICTOR_FEATURES_SCRIPT_SUBMIT_LINE_H

#include <stdbool.h>

struct submit_line {
	bool batch; /* sbatch: the first word is a script's file */
	const char
		*wrap; /* the text of --wrap, which is a script; NULL: none */
	const char *directory; /* of --chdir; NULL: where it was typed */
	int first; /* index of the script or command; the count: none */
};

/* words[0] is sbatch, srun or salloc, with or without a path; false: it is
 * none of them.  The texts of *ret are lent from the words. */
bool submit_line_read(const char *const words[], int count,
		      struct submit_line *ret);

/* The text of --wrap in a line whose words are no longer told apart, as sacct
 * shows it: all that follows it.  NULL: there is none. */
const char *submit_line_wrap(const char *line);

#endif
