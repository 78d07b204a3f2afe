/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon_options.h - the command line that all daemons share
 *
 * One table of rows is both parsed and printed by --help.  A daemon may add
 * rows of its own.
 */
#pragma once

#include "predictor/base/conf.h"

enum daemon_action {
	DAEMON_SERVE,
	DAEMON_CHECK_CONFIG,
	DAEMON_OWN, /* an option of this daemon alone says what to do */
	/* These are done by daemon_options_parse(): */
	DAEMON_HELP,
	DAEMON_VERSION,
	DAEMON_USAGE /* the command line is wrong */
};

struct daemon_options {
	enum daemon_action action;
	const char *config_path;
	const char *own_argument; /* with DAEMON_OWN; NULL: none */
	bool own_check;           /* with DAEMON_OWN: check the site */
	bool own_removal;         /* with DAEMON_OWN: remove the data */
	bool own_mask;            /* with DAEMON_OWN: mask secrets in them */
	bool own_dry_run;         /* with own_mask: only count */
	const char *removal_yes;  /* with one of both: the data's name */
	const char *removal_dump; /* with own_removal: file for a copy */
	bool json;                /* print the result as JSON */
	bool foreground, verbose;
};

struct daemon_option {
	const char *name;     /* the long name; NULL: none */
	char letter;          /* '\0': none */
	const char *argument; /* as help shows it; NULL: takes none */
	bool may_lack_argument;
	const char *help;          /* one line */
	enum daemon_action action; /* what to do; 0: as without it */
	/* Members of struct daemon_options that it sets; 0: none. */
	size_t flag; /* a bool */
	size_t text; /* a const char *, to its argument */
};

#define DAEMON_MEMBER(member) offsetof(struct daemon_options, member)

struct daemon_program {
	const char *name;
	const char *config_path;                 /* default of -f */
	const struct conf_key *config_keys;      /* ends with a NULL name */
	const struct daemon_option *own_options; /* ends with a NULL help; NULL:
						    there are none */
};

/* Parse the command line; print the help, the version or what is wrong.  0: go
 * on with ret->action; else exit now, with *ret_exit_status. */
int daemon_options_parse(const struct daemon_program *program, int argc,
			 char *argv[], struct daemon_options *ret,
			 int *ret_exit_status);
