/* SPDX-License-Identifier: GPL-2.0-or-later */
/* identify.h - which application a submission runs, with which parameters
 *
 * The application identifies similar runs: the command that the script executes
 * (script.h) with what changes from run to run masked (masked_name.h), else the
 * job's name.  Parameters are the numbers, traits the texts in the arguments of
 * script and command, in variables of the script, and those that the user
 * gives; numbers in its here-documents, too (user_parameters.h).  From weakest
 * to strongest: the script's own arguments that the command does not have,
 * variables and loops around the command (those of the environment that the
 * script uses among them, job_environment.h), the command's arguments,
 * `#PREDICT name=value` lines, PREDICT_name variables, --predict-param.  The
 * user can name the application, too: `#PREDICT application=NAME`,
 * PREDICT_APPLICATION, or --predict-param=application=NAME.
 *
 *	srun ./heat2d -n 4000                heat2d n=4000
 *	python3 train.py --lr 0.1            python:train.py lr=0.1
 *	gmx grompp ...; gmx mdrun -nt 8      gmx:mdrun nt=8
 *	srun ./gen; srun ./solve -k 9        gen+solve k=9
 */
#pragma once

#include "predictor/features/application.h"
#include "predictor/features/script/command/file_arguments.h"
#include "predictor/features/submission.h"

/* Cannot fail: what is not understood is left out, and parameters that do not
 * fit.  Reads at most SUBMISSION_SCRIPT_MAX bytes of script.  Never touches the
 * file system. */
void application_identify(const struct submission *job,
			  struct application *ret);

/* Possible files among the arguments of the command, for a caller that may read
 * their sizes. */
void application_files(const struct submission *job,
		       struct file_arguments *ret);

/* What --export=ALL,N=100 gives, where the command has no other value
 * for it. */
void application_add_exported(const char *text, struct application *ret);

/* Find the application of a run without a known submission: its masked
 * job name. */
void application_from_name(const char *job_name, struct application *ret);

/* The same from the command line of its submission ("sbatch -n 8 run.sh 100"),
 * which sacct has as SubmitLine: `srun COMMAND` and `sbatch --wrap COMMAND` as
 * at submission; of `sbatch FILE` the name of the file, and the numbers in its
 * arguments.  Without that, or if `line` is NULL, as application_from_name().
 */
void application_from_submit_line(const char *line, const char *job_name,
				  struct application *ret);
