/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - a progress bar
 *
 * One line on the standard error, removed at the end; only on a terminal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct progress {
	const char *what; /* "predicting"; lent */
	const char *unit; /* "jobs"; lent */
	bool shown;       /* the standard error is a terminal */
	double began_s, drawn_s;
};

void progress_begin(struct progress *ret, const char *what, const char *unit);

/* `done` of `count` (0: not known) are done.  Costs little more than reading
 * the clock. */
void progress_show(struct progress *progress, size_t done, size_t count);

void progress_end(struct progress *progress);
