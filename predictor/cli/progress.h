/* progress.h - how far something long has come
 *
 * On a terminal one line of the standard error, which changes and goes away in
 * the end; elsewhere nothing.
 */
#ifndef PREDICTOR_CLI_PROGRESS_H
#define PREDICTOR_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	const char *what; /* "predicting"; lent */
	const char *unit; /* "jobs"; lent */
	bool shown;       /* it is a terminal */
	double began_s, drawn_s;
};

void progress_begin(struct progress *ret, const char *what, const char *unit);

/* So many are done, of `count` (0: nobody knows).  As cheap as looking at the
 * clock, most of the time. */
void progress_show(struct progress *progress, size_t done, size_t count);

void progress_end(struct progress *progress);

#endif
