/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tools.h - subcommands that are programs of their own
 *
 * `spredict NAME` runs LIBEXECDIR/spredict-NAME, as git runs git-NAME: spredict
 * itself only asks predictd, and is small enough for each login node.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/cli/cli.h"

struct tool {
	const char *name;
	enum cli_group group;
	const char *package; /* which has the program */
	const char *help;    /* one line */
};

extern const struct tool tools[]; /* ends with a row without a name */

/* Return NULL if there is none of this name. */
const struct tool *tool_find(const char *name);

/* Replace this process by the program of the subcommand argv[at], with the
 * options before it and the arguments behind it.  Returns only if that fails,
 * and argv has been changed then: *err names the package that is missing, or
 * says that there is no such subcommand, and *ret_unknown is true. */
void tool_run(int argc, char **argv, int at, bool *ret_unknown,
	      struct sp_error *err);
