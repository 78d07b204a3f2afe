/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_reports.h - what is sent of a job: its run, and this node's share */
#pragma once

#include "collectors/runs/open_job.h"
#include "collectors/runs/spool.h"

/* What this node saw of a job that has ended; sets job->signal, job->tasks and
 * job->script_ended_s.  Dropped if the spool refuses it. */
void job_put_share(struct spool *spool, struct open_job *job);

/* A run of the job, with its application where that was found late.  -1: the
 * spool refuses it. */
int job_put_run(struct spool *spool, const struct open_job *job,
		const struct run *reported);
