/* SPDX-License-Identifier: GPL-2.0-or-later */
/* script.h - the main command of a job script
 *
 * It is the first command of the highest rank (command_line.h): a program
 * started by srun or mpirun, else any other program, else one in a variable,
 * else preparation or postprocessing by its name (grompp, plot_results.py),
 * else a tool.  Code in the words of a command (bash -c, eval, matlab -r) is
 * read as well, and the bodies of functions that are called.  A script in a
 * language other than the shell's is itself the command.  Other programs of the
 * same rank are kept in their order: "gen+solve"; not those after a '|'.
 *
 * Parameters are the numbers in the arguments of that command, traits the texts
 * in them and, as "name", the program's name where a part of it is masked.
 * Weaker ones come from around it in the script:
 *
 *	loop.i    rounds of the loop over i that it is in
 *	NAME      a number in here-documents before it (inline_input.h)
 *	NAME      a number in a variable that is exported, or used by it or a
 *	          command before it; not one that is a whole argument, which
 *	          is a parameter by that name already; likewise traits, of
 *	          texts without a folder
 */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/script/command/command_line.h"
#include "predictor/features/script/command/file_arguments.h"
#include "predictor/features/submission.h"

struct script_result {
	bool background; /* all of it runs beside the script */
	enum command_rank rank;
	struct application command; /* name empty: not known */
	struct application around;  /* without a name */
	shell_arguments uses;       /* the script's arguments that it has */
};

/* Read the first `size` bytes of the script.  *ret_files (may be NULL) gets the
 * possible files among the arguments. */
void script_read(const struct submission *job, size_t size,
		 struct script_result *ret, struct file_arguments *ret_files);

/* A command of the script, as it was understood. */
struct script_step {
	size_t line; /* in the script, from 1; 0: in code inside of it */
	enum command_rank rank;
	bool chosen; /* it is the application so far, or a part of it */
	const struct shell_command *command;
};

/* Called for each command in order, with `context`. */
typedef void script_observer(void *context, const struct script_step *step);

/* As script_read(), observed. */
void script_observe(const struct submission *job, size_t size,
		    script_observer *observe, void *context,
		    struct script_result *ret);

/* The same if the job's arguments are the command. */
void script_read_command(const struct submission *job,
			 struct script_result *ret,
			 struct file_arguments *ret_files);
