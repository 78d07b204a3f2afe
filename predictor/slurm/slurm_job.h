/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_job.h - a job as slurmctld has it, from squeue
 *
 * Runs are recorded from it, so no text of a user's may be mistaken for a field
 * of Slurm's: see squeue_record.h.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/run.h"
#include "predictor/slurm/slurm_values.h"
#include "predictor/slurm/squeue_record.h"

#define SLURM_COMMAND_SIZE 4096

struct slurm_job {
	enum slurm_phase phase;
	int restarts;
	double used_s; /* without suspensions; HUGE_VAL: Slurm does not say */
	bool missed;   /* predictd did not reply at its submission */
	char command[SLURM_COMMAND_SIZE]; /* script and arguments, with blanks
					     between; empty: not known */
	/* Without cluster.  submitted_at_s and started_at_s are NAN where Slurm
	 * says Unknown; ended_at_s is NAN unless the phase is SLURM_ENDED, as
	 * Slurm prints the expected end of a running job. */
	struct run run;
};

/* Make the command that prints it; the texts are lent to *ret. */
void slurm_job_args(const char *squeue, const char *job_id,
		    struct squeue_args *ret);

/* Read the record of `job_id` among those in `text` (an array has several). */
int slurm_job_parse(const char *text, size_t size, uint32_t job_id,
		    struct slurm_job *ret, struct sp_error *err);
