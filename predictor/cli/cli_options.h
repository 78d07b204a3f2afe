/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli_options.h - tables of options
 *
 * A table is parsed by getopt_long(), printed by --help, and compared with
 * spredict(1) by `make lint`.  It ends with a row without a name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "predictor/base/error.h"

#define CLI_OPTIONS_MAX 192 /* in all tables of one command line */

struct cli;

struct cli_option {
	const char *name; /* without the dashes */
	char letter;      /* of the short form; 0: none */

	/* How --help names the value: "TIME", or "[TIME]" where it may be left
	 * out.  NULL: the option takes none. */
	const char *argument;

	/* Check `value` (NULL: none was given) and store it in *into, the
	 * simple setters below at `offset`.  It outlives *into.  NULL: the
	 * option is accepted and has no effect. */
	int (*set)(const struct cli_option *row, void *into, const char *value,
		   struct sp_error *err);
	size_t offset;

	const char *variable; /* of the environment; NULL: none */
	const char *help;     /* one line; NULL: not shown by --help */
};

/* Setters of a const char * and of a bool; an empty text is refused. */
int cli_set_text(const struct cli_option *row, void *into, const char *value,
		 struct sp_error *err);
int cli_set_flag(const struct cli_option *row, void *into, const char *value,
		 struct sp_error *err);

/* The members of a row for them, as in
 *	{ "node", CLI_TEXT(struct query, node), ... } */
#define CLI_TEXT(type, member) \
	.set = cli_set_text, .offset = offsetof(type, member)
#define CLI_FLAG(type, member) \
	.set = cli_set_flag, .offset = offsetof(type, member)

/* Options of spredict itself, which every subcommand takes too. */
extern const struct cli_option cli_common_options[];

struct cli_options {
	const struct cli_option *rows; /* NULL: none but the common ones */
	void *into;
	bool in_order; /* stop at the first argument that is no option, where
			  getopt_long() would look for options behind it */
	bool lenient;  /* pass over unknown options with a warning */
};

/* Parse the common options and `own` from argv (argv[0] is skipped) into *cli
 * and own->into.  Afterwards argv[*ret_first] is the first argument that is no
 * option.  Fails on an unknown option or a bad value. */
int cli_options_parse(struct cli *cli, const struct cli_options *own, int argc,
		      char **argv, int *ret_first, struct sp_error *err);

/* Print a blank and the word to the standard output, where `column` characters
 * stand in the line, or begin a new line first.  Gives the new column. */
int cli_print_word(const char *word, int column);

/* Print " [--slow] [--horizon=TIME]", the rows with a help text, in the same
 * way. */
int cli_options_print_usage(const struct cli_option rows[], int column);

/* Print a line for each row with a help text. */
void cli_options_print_help(const struct cli_option rows[]);
