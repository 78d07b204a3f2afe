/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submission_check.h - would Slurm take this job? */
#pragma once

#include "predictor/cli/cli.h"
#include "predictor/features/submission.h"
#include "predictor/wire/wire.h"

/* Before predictd is asked: by the partitions of Slurm, as they are now.  -1:
 * Slurm would refuse the job, or there are too few nodes.  Where it would
 * let it wait, a warning is printed.  Where Slurm does not reply nothing
 * is said. */
int submission_check_partitions(struct cli *cli, const struct submission *job,
				struct sp_error *err);

/* By predictd's reply, which knows the nodes.  -1: there are too few. */
int submission_check_nodes(struct json_object *reply, struct sp_error *err);
