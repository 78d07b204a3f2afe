/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submission_check.c - would Slurm take this job? */
#include <stdio.h>
#include <stdlib.h>

#include "predictor/cli/submission_check.h"
#include "predictor/slurm/partition_record.h"
#include "predictor/slurm/slurm_command.h"

#define NEVER "this job could never start: "

int submission_check_partitions(struct cli *cli, const struct submission *job,
				struct sp_error *err)
{
	const char *const argv[] = { "scontrol",   "--all",
				     "--oneliner", "show",
				     "partition",  cli->cluster ? "-M" : NULL,
				     cli->cluster, NULL };
	struct sp_error why;
	char *text = slurm_command_run(argv, SCONTROL_TIMEOUT_S,
				       SCONTROL_OUTPUT_MAX, &why);
	int rc = 0;

	if (!text) {
		cli_note(cli, "Slurm's partitions are not known: %s", why.text);
		return 0;
	}
	switch (partition_records_judge(text, cli_site(cli)->limits_enforced,
					job, &why)) {
	case SUBMISSION_TAKEN:
		break;
	case SUBMISSION_WAITS:
		fprintf(stderr,
			"spredict: warning: the job would not start: "
			"%s\n",
			why.text);
		break;
	case SUBMISSION_NEVER:
		rc = sp_error_set(err, NEVER "%s", why.text);
		break;
	case SUBMISSION_REFUSED:
		rc = sp_error_set(err, "Slurm would refuse this job: %s",
				  why.text);
		break;
	}
	free(text);
	return rc;
}

int submission_check_nodes(struct json_object *reply, struct sp_error *err)
{
	struct json_object *prediction, *unfit;

	if (json_object_object_get_ex(reply, "prediction", &prediction) &&
	    json_object_object_get_ex(prediction, "unfit", &unfit) &&
	    json_object_get_boolean(unfit))
		return sp_error_set(err, NEVER "too few nodes have what it "
					       "needs, busy or not");
	return 0;
}
