/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_raise.h - raises limits that we set, of jobs that wait
 *
 * In mode act the plugin gives a job without a limit one, and notes it in
 * AdminComment.  While the job waits it is predicted again; where its limit
 * would be a tenth longer by the newest prediction, it gets that, up to
 * predict_limit_max and MaxTime of its partitions.
 *
 * Only a limit that is still the one that we gave: what we raised is remembered
 * until predictd ends.  Tasks of arrays and components of heterogeneous jobs
 * are left alone, as a change of one may be of others that run.
 */
#pragma once

#include "predictor/daemon/replan.h"

/* Return the limit in minutes that a job of the queue is to get; 0: it keeps
 * its own.  given_min is what it was raised to before, 0: it was not. */
uint32_t limit_raise_find(const struct policy *policy,
			  const struct queue_entry *job,
			  const struct prediction *p, uint32_t given_min);

/* After replan_round(), by what it has read.  Runs commands, of the thread of a
 * slurm_thread. */
void limit_raise_round(struct replan *replan, struct engine *engine);
