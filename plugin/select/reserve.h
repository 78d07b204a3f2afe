/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reserve.h - for which waiting jobs backfill keeps nodes free
 *
 * Slurm's backfill keeps nodes free for the jobs at the front of the queue
 * until these can start.  By predict_plan_reserve a job must have waited for
 * long, measured by its length (plugin/site/plan.h), before that.
 */
#pragma once

#include "plugin/site/policy.h"
#include "plugin/site/releases.h"

/* Return whether backfill is to have no start of this job that lies in the
 * future.  In doubt it is to have one: without a length, and for jobs whose
 * start others count on.  The caller holds slurmctld's lock on jobs. */
bool reserve_is_early(const struct policy *policy, const job_record_t *job,
		      time_t now);
