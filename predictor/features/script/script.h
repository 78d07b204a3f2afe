/* script.h - the command that a job is about, of all that its script holds
 *
 * The first command of the highest rank (command_line.h) is the one: a program
 * started by srun or mpirun, else any other program, else one that only a
 * variable names, else work that by its name comes before or after another's
 * (grompp, plot_results.py), else a tool.  Code in the words of a command
 * (bash -c, eval, matlab -r) is read as well, and so are the bodies of
 * functions that are called.  A script that is in another language than a
 * shell's is itself the command.
 *
 * Parameters are the numbers in the arguments of that command; weaker ones
 * what stands around it in the script:
 *
 *	loop.i    how often the loop over i, which it stands in, goes round
 *	NAME      a number that here-documents before it set (inline_input.h)
 *	NAME      a number in a variable of the script that is exported, or
 *	          that it or a command before it is given, other than as a
 *	          whole argument, under whose name it counts already
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_SCRIPT_H
#define PREDICTOR_FEATURES_SCRIPT_SCRIPT_H

#include "predictor/features/application.h"
#include "predictor/features/script/command_line.h"
#include "predictor/features/script/file_arguments.h"
#include "predictor/features/submission.h"

struct script_finding {
	enum command_rank rank;
	struct application command; /* name empty: only the job's is known */
	struct parameters around;
	shell_arguments uses; /* the script's arguments that are in it */
};

/* Of the first `size` bytes of the script.  *ret_files gets what may be files
 * among the arguments; NULL: they are not wanted. */
void script_read(const struct submission *job, size_t size,
		 struct script_finding *ret, struct file_arguments *ret_files);

/* The same where the job's arguments are the command. */
void script_read_command(const struct submission *job,
			 struct script_finding *ret,
			 struct file_arguments *ret_files);

#endif
