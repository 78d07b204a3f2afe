/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subjects.h - predictions and runs as models see them */
#pragma once

#include "predictor/features/past_jobs.h"
#include "predictor/features/prediction.h"
#include "predictor/features/run.h"

/* Find the job of a prediction.  Lends the prediction's texts. */
void engine_subject(const struct prediction *p, struct subject *ret);

/* Find a run, with the size and the application that its prediction says (NULL:
 * there is none): a run counts as equal to jobs that request the same, however
 * many nodes and CPUs Slurm makes of it.  Lends the texts of both. */
void engine_past_job(const struct run *run, const struct prediction *p,
		     struct past_job *ret);

/* Return the ensemble's name for a job: the number that its prediction's
 * id is. */
uint64_t engine_ticket(const char *prediction_id);
