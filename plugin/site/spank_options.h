/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spank_options.h - how the SPANK options reach the job_submit plugin
 *
 * `--predict=MODE`, `--predict-nodes=MODE` and each
 * `--predict-param=name=value` of sbatch, srun and salloc (and of #SBATCH
 * lines) are checked on the submission host, and then travel in the job's
 * control environment: job_submit finds entries "NAME=VALUE" in
 * job_desc->spank_job_env, with the names below (slurmd shows them to prologs
 * with "SPANK_" in front).  Slurm hands its own form over too,
 * "_SLURM_SPANK_OPTION_predict_predict-param=...", but only of the last one
 * where an option was repeated: do not use that.
 *
 * A user can set these variables by other means than our options, so the
 * reader checks them again.
 */
#pragma once

#include <stdint.h>

/* "off", "observe", "advise" or "act"; not there: none was given. */
#define OPTION_MODE_VARIABLE "PREDICT_MODE"

/* The same words, for the number of nodes.  job_submit replaces it by what may
 * be done, for the select plugin. */
#define OPTION_NODES_VARIABLE "PREDICT_NODES_MODE"

/* "a=1 b=2.5": parameters separated by single spaces, sorted as first typed,
 * each name once with the value given last; behind them, as far as there is
 * room, those of the command line (command.h); not there: none. */
#define OPTION_PARAMETERS_VARIABLE "PREDICT_PARAMS"

/* "packets", "mpi", "trace", "lbf" or "no"; not there: none was given.  Slurm
 * shows it to prologs with "SPANK_" in front, to steps with "SLURM_SPANK_". */
#define OPTION_PROFILE_VARIABLE "PREDICT_PROFILE"

/* The id of the job's prediction, from job_submit for the prolog: who
 * overwrites the AdminComment does not take it away. */
#define OPTION_PREDICTION_VARIABLE "PREDICT_ID"

/* The median of that prediction in seconds, from job_submit for the select
 * plugin, where predict_plan_reserve is on and the prediction has evidence. */
#define OPTION_MEDIAN_VARIABLE "PREDICT_P50"

/* The script and its arguments with blanks between, from job_submit for the
 * prolog where predictd did not reply: squeue of 24.11 has the script only. */
#define OPTION_ARGUMENTS_VARIABLE "PREDICT_ARGUMENTS"

/* "1": the command has --test-only, of which slurmctld's plugins
 * see nothing. */
#define OPTION_TEST_VARIABLE "PREDICT_TEST_ONLY"

#define OPTION_PARAMETERS_MAX      16
#define OPTION_PARAMETER_NAME_SIZE 32
#define OPTION_PARAMETER_TEXT_SIZE 96 /* name=value and its end */
#define OPTION_PARAMETERS_TEXT_SIZE \
	(OPTION_PARAMETERS_MAX * OPTION_PARAMETER_TEXT_SIZE)
#define OPTION_ARGUMENTS_TEXT_SIZE 1024

/* Return the value of the first variable of that name in a job's control
 * environment, of which entries may be NULL; NULL: there is none. */
const char *spank_option_find(char *const *variables, uint32_t count,
			      const char *name);
