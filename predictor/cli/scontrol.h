/* scontrol.h - what Slurm's own commands know, with the user's own rights
 *
 * Asks scontrol: no library of Slurm is linked, so one spredict serves every
 * release.
 */
#ifndef PREDICTOR_CLI_SCONTROL_H
#define PREDICTOR_CLI_SCONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/client/client.h"
#include "predictor/features/run.h"

#define SCONTROL_OUTPUT_MAX (1 << 20) /* bytes that a command may print */
#define SCONTROL_PATH_SIZE  108       /* of a Unix socket */

/* Run a command and give its standard output, terminated; the caller frees.
 * It gets 10 s.  A command that is missing, fails or says too much is an
 * error, with the first line that it said itself. */
int scontrol_run(const char *const argv[], char **ret_output,
		 struct sp_error *err);

/* What `scontrol show config` says of use here. */
struct scontrol_site {
	char cluster[RUN_NAME_SIZE]; /* empty: not said */
	char url[CLIENT_URL_SIZE];   /* predict_url; empty: not said */
	char munge_socket[SCONTROL_PATH_SIZE]; /* empty: MUNGE's own */
	double quantile; /* predict_quantile, or the default */
};

/* Read it from the text that scontrol prints.  What is missing or makes no
 * sense keeps its default. */
void scontrol_site_parse(const char *text, struct scontrol_site *ret);

/* What `scontrol --oneliner show job` says of use here. */
struct scontrol_job {
	uint32_t job_id;
	char name[RUN_NAME_SIZE];
	char state[32];
	char reason[64];
	char prediction_id[PREDICTION_ID_SIZE]; /* empty: none */
};

int scontrol_job_parse(const char *text, struct scontrol_job *ret,
		       struct sp_error *err);

#endif
