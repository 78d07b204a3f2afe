/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_application.h - the application of a job whose submission
 * predictd missed
 *
 * At a submission the plugin sends script, arguments and parameters, from which
 * predictd finds the application.  Where there was no reply in time, they are
 * collected at the job's start, so that the run counts for its application all
 * the same: the script from slurmctld, arguments and --predict-param from the
 * prolog's environment.  Where that has no arguments, those of slurmctld's
 * record count, which 24.11 lacks.  Variables PREDICT_* of the job's own
 * environment are not seen.
 */
#pragma once

#include "collectors/runs/events.h"
#include "predictor/features/application.h"
#include "predictor/slurm/slurm_job.h"

/* `script` NULL: the job has none, or it is not known. */
void late_application(const struct slurm_job *job, const char *script,
		      const struct job_event_submission *submitted,
		      struct application *ret);
