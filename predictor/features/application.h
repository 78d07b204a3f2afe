/* application.h - which application a submission runs, with which parameters
 *
 * The application is what makes runs alike: the command that the script
 * executes with its numbers and paths masked, else the job's name.  Parameters
 * are the numbers in the arguments of script and command, and what the user
 * names himself; from weakest to strongest: positional and option arguments,
 * `#PREDICT name=value` lines, PREDICT_name variables, --predict-param.
 * The application can be named too: `#PREDICT application=NAME`,
 * PREDICT_APPLICATION, or --predict-param=application=NAME.
 *
 * --predict-param comes as settings "param", "n=8000" (several with blanks
 * between them); variables as settings "PREDICT_n", "8000".
 */
#ifndef PREDICTOR_FEATURES_APPLICATION_H
#define PREDICTOR_FEATURES_APPLICATION_H

#include "predictor/features/parameters.h"
#include "predictor/features/submission.h"

#define APPLICATION_NAME_SIZE 96

struct application {
	char name[APPLICATION_NAME_SIZE]; /* never empty */
	struct parameters parameters;
};

/* Cannot fail: what can't be understood is left out, more parameters than fit
 * too.  Reads at most SUBMISSION_SCRIPT_MAX bytes of script.  Never touches
 * the file system. */
void application_identify(const struct submission *job,
			  struct application *ret);

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
