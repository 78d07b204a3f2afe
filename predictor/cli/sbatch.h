/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sbatch.h - the submission that sbatch would make
 *
 * Command line, #SBATCH lines and environment are read as sbatch does, as far
 * as predictions depend on them.  As in sbatch, the command line overrides the
 * environment, and this the script.
 */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/cli/fetch.h"
#include "predictor/features/job_environment.h"
#include "predictor/features/prediction.h"
#include "predictor/features/script/sbatch_script.h"
#include "predictor/features/submission.h"

#define SBATCH_GPUS_SIZE 512 /* bytes of what --gpus says */

/* The options of sbatch and of spank_predict(8) that have an effect; sbatch's
 * others are in submit_options.h. */
extern const struct cli_option sbatch_options[];

struct sbatch {
	struct submission job; /* its texts are owned by the members below */
	enum prediction_mode mode;
	const char *work_dir; /* that file arguments are relative to */
	const char *wrap;     /* the command of --wrap, or NULL */
	const char *exported; /* of --export, or NULL */
	const char *array;    /* of --array, or NULL */
	bool no_files;        /* of --predict-files */
	bool use_min_nodes;   /* of --use-min-nodes */
	bool suggest;         /* of --suggest, for predict */
	bool nodes_kept;      /* --predict-nodes is less than act */
	int components;       /* of a heterogeneous job; else 1 */

	char *script;
	char *words[SBATCH_WORDS_MAX]; /* of #SBATCH lines */
	int words_count;
	char *names[SUBMISSION_SETTINGS_MAX]; /* of PREDICT_ variables */
	int names_count;
	char path[SUBMISSION_TEXT_MAX]; /* of the script, absolute */
	char directory[SUBMISSION_TEXT_MAX];
	char sizes[SUBMISSION_TEXT_MAX]; /* of files, as parameters */
	char exports[JOB_ENVIRONMENT_MAX][JOB_ENVIRONMENT_TEXT_SIZE];

	/* --gpus and its like, as --gres would have them; empty: not given. */
	struct {
		char per_node[SBATCH_GPUS_SIZE], per_job[SBATCH_GPUS_SIZE];
		char per_socket[SBATCH_GPUS_SIZE], per_task[SBATCH_GPUS_SIZE];
	} gpus;
};

/* Read argv (argv[0] is skipped), the environment and the script, as the
 * component with that index (from 0) of a heterogeneous job; from 1 on `head`
 * is the component 0, else NULL: the standard input is read once.  Also parses
 * the common options; nothing else is read if help or version are requested.
 * Clear *ret with sbatch_clear() after success and failure. */
int sbatch_read(struct cli *cli, int argc, char **argv,
		const struct sbatch *head, int component, struct sbatch *ret,
		struct sp_error *err);

void sbatch_clear(struct sbatch *sbatch);

/* Send it to `path` of predictd, as fetch() does; nothing is stored there. */
int sbatch_send(struct cli *cli, const struct sbatch *sbatch, const char *path,
		struct json_object **ret_reply, struct sp_error *err);

/* --- Between its files ---------------------------------------------------- */

/* Parse options up to the first argument that is none: argv[*ret_first]. */
int sbatch_options_parse(struct cli *cli, int argc, char **argv,
			 struct sbatch *into, int *ret_first,
			 struct sp_error *err);

/* Apply the environment variables SBATCH_PARTITION and so on. */
int sbatch_environment(struct sbatch *into, struct sp_error *err);
