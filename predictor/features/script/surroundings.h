/* SPDX-License-Identifier: GPL-2.0-or-later */
/* surroundings.h - parameters and traits that stand around a command */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/script/shell/shell_words.h"
#include "predictor/features/submission.h"

/* Numbers, and texts without a folder, in variables that are exported or in
 * `given`, except those of `whole`, which the command's arguments have. */
void surroundings_add_variables(const struct shell *shell,
				shell_variables given, shell_variables whole,
				struct application *around);

/* Add what the first `end` words set: N=5 ./app, env N=5 ./app. */
void surroundings_add_prefixes(const struct shell_command *command, int end,
			       struct application *around);

/* The rounds of the loops that the shell is in, as loop.NAME. */
void surroundings_add_loops(const struct shell *shell, struct parameters *set);

/* At a `break`: how many rounds the innermost loop has is not known. */
void surroundings_drop_loop(const struct shell *shell, struct parameters *set);

/* Set the variables that the script has from where it was submitted
 * (job_environment.h). */
void surroundings_set_environment(const struct submission *job,
				  struct shell *shell);
