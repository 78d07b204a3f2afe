/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outcome.h - how a run ended, from what the node saw and slurmctld says */
#pragma once

#include "collectors/runs/open_job.h"
#include "predictor/slurm/slurm_job.h"

/* What slurmctld's reply means for this attempt. */
enum outcome {
	OUTCOME_OPEN,     /* it runs, or its end doesn't show yet */
	OUTCOME_ENDED,    /* the reply says how */
	OUTCOME_REQUEUED, /* the reply is of a later attempt */
	OUTCOME_FOREIGN,  /* of another job that got the same number */
};

enum outcome outcome_of(const struct open_job *job,
			const struct slurm_job *reply);

/* The id of the run's prediction, unless it is known: one who overwrites the
 * AdminComment takes it away there only. */
void outcome_prediction(const struct open_job *job, struct run *run);

/* The finished runs, from slurmctld's reply; `now_s` is the end of a run whose
 * end was not seen. */
void outcome_ended(const struct open_job *job, const struct slurm_job *reply,
		   struct run *ret);
void outcome_requeued(const struct open_job *job, const struct slurm_job *reply,
		      double now_s, struct run *ret);
/* COMPLETED or FAILED if the epilog's exit code and the tasks' ends agree on
 * it, else LOST. */
void outcome_lost(const struct open_job *job, double now_s, struct run *ret);
