/* identify.h - which application a submission runs, with which parameters
 *
 * The application is what makes runs alike: the command that the script
 * executes (script.h) with what changes from run to run masked
 * (masked_name.h), else the job's name.  Parameters are the numbers in the
 * arguments of script and command, in what the script sets and brings along
 * for it, and what the user names himself (spoken.h).  From weakest to
 * strongest: the script's own arguments where the command does not have them,
 * what stands around the command, the command's arguments, `#PREDICT
 * name=value` lines, PREDICT_name variables, --predict-param.  The application
 * can be named too: `#PREDICT application=NAME`, PREDICT_APPLICATION, or
 * --predict-param=application=NAME.
 *
 *	srun ./heat2d -n 4000                heat2d n=4000
 *	python3 train.py --lr 0.1            python:train.py lr=0.1
 *	gmx grompp ...; gmx mdrun -nt 8      gmx:mdrun nt=8
 */
#ifndef PREDICTOR_FEATURES_SCRIPT_IDENTIFY_H
#define PREDICTOR_FEATURES_SCRIPT_IDENTIFY_H

#include "predictor/features/application.h"
#include "predictor/features/script/file_arguments.h"
#include "predictor/features/submission.h"

/* Cannot fail: what can't be understood is left out, more parameters than fit
 * too.  Reads at most SUBMISSION_SCRIPT_MAX bytes of script.  Never touches
 * the file system. */
void application_identify(const struct submission *job,
			  struct application *ret);

/* What may be files among the arguments of the command, for who is allowed to
 * look how large they are. */
void application_files(const struct submission *job,
		       struct file_arguments *ret);

/* The application of a run whose submission nobody saw: its job name,
 * masked. */
void application_from_name(const char *job_name, struct application *ret);

/* The same from the line that submitted it ("sbatch -n 8 run.sh 100"), as sacct
 * shows it in SubmitLine: `srun COMMAND` and `sbatch --wrap COMMAND` as if
 * they had been seen; of `sbatch FILE` the name of the file, and the numbers
 * in its arguments.  Otherwise, and where `line` is NULL or another's, as by
 * application_from_name(). */
void application_from_submit_line(const char *line, const char *job_name,
				  struct application *ret);

#endif
