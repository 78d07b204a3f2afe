/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_requests.h - what the driver asks of slurmctld
 *
 * The RPCs of salloc, sbatch and scontrol; what depends on Slurm's release
 * stays here.  Functions returning int give 0, or -1 with *err set.
 */
#pragma once

#include <stdint.h>

#include <slurm/slurm.h>

#include "predictor/base/error.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"

/* 25.11 names jobs by a step. */
#ifdef SLURM_STEP_ID_INITIALIZER
#define JOB_ID_OF(record) ((record)->step_id.job_id)
#else
#define JOB_ID_OF(record) ((record)->job_id)
#endif

/* What of Slurm a job of the log needs. */
struct slurm_request {
	uint32_t priority; /* 0: Slurm gives one */
	/* "LOG=SLURM,...", names in the log and in Slurm; others go to the
	 * default one.  A log's "a/b" is found by either, too.  NULL: none */
	const char *partitions;
	const char *dependency; /* with ids of Slurm; NULL: none */
	const char *variable;   /* "NAME=VALUE" for the plugins; NULL: none */
	bool accounts; /* the job's account and QOS are known to Slurm */
	bool requeue;  /* may be started again, as batch jobs may */
};

/* Jobs of one group that follow each other are submitted together: an array,
 * whose tasks count from 0, or a heterogeneous job, whose ids follow *ret_id,
 * the first one's. A job of several components is a heterogeneous one, too;
 * they share its CPUs. 1: Slurm refuses it, as its partition has other limits
 * or too few nodes. */
int slurm_requests_submit(const struct rehearse_job *job,
			  const struct slurm_request *request, uint32_t *ret_id,
			  struct sp_error *err);

/* Batch jobs and associations need users that the system knows: append those of
 * the jobs to a file in the format of passwd(5), by the log's names where they
 * are new. */
int slurm_requests_users(const char *path, const struct rehearse_jobs *jobs,
			 struct sp_error *err);

/* End a job that has run; one that is gone counts as ended. */
int slurm_requests_complete(uint32_t id, struct sp_error *err);

/* Keep all nodes free of jobs. */
int slurm_requests_reserve(time_t from, double seconds, struct sp_error *err);
