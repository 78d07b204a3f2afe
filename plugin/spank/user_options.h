/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_options.h - values of --predict and its like
 *
 * Collects the options as Slurm passes them, from #SBATCH lines and the command
 * line, and makes the texts that travel with the job (spank_options.h).
 * Knows nothing of Slurm.
 */
#pragma once

#include <stdbool.h>

#include "plugin/site/spank_options.h"
#include "predictor/base/error.h"

struct user_options {
	const char *mode;    /* a literal; NULL: none */
	const char *nodes;   /* likewise */
	const char *profile; /* likewise */
	bool no_files;       /* sizes of files are not to be read */
	int parameters_count;
	char parameters[OPTION_PARAMETERS_MAX][OPTION_PARAMETER_TEXT_SIZE];
};

/* The argument of --predict. */
int user_options_set_mode(struct user_options *user, const char *text,
			  struct sp_error *err);

/* The argument of --predict-nodes. */
int user_options_set_nodes(struct user_options *user, const char *text,
			   struct sp_error *err);

/* The argument of --predict-param: "name=value" with a name of letters, digits
 * and "_.-" that does not begin with a sign, and a number or a text without
 * blanks and "=".  The same name again replaces the value. */
int user_options_add_parameter(struct user_options *user, const char *text,
			       struct sp_error *err);

/* The argument of --predict-files, "yes" or "no". */
int user_options_set_files(struct user_options *user, const char *text,
			   struct sp_error *err);

/* The argument of --predict-profile, a name of profile_kinds.h. */
int user_options_set_profile(struct user_options *user, const char *text,
			     struct sp_error *err);

/* Find the value of OPTION_PARAMETERS_VARIABLE; empty if there are none. */
void user_options_parameters(const struct user_options *user,
			     char ret_text[OPTION_PARAMETERS_TEXT_SIZE]);
