/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_order.h - the place in the queue of a job that is submitted or changed
 *
 * By its site factor, see plugin/site/plan.h.  slurmctld refuses a change of a
 * site factor by an ordinary user, even if this plugin makes it; a change by
 * its user marks the job instead.
 */
#pragma once

#include <slurm/slurm.h>

#include "plugin/site/policy.h"

/* Set the site factor of a job that is submitted, after the prediction, which
 * may have set its limit; NULL: there is none.  A site factor that an operator
 * gave, or a plugin before this one, is left alone. */
void queue_order_submit(job_desc_msg_t *desc, const struct policy *policy,
			const char *default_partition,
			const struct prediction_answer *prediction);

/* Mark the job that `uid` changes, if that could lengthen it.  Nothing
 * happens to what an operator changes. */
void queue_order_change(job_desc_msg_t *desc, const struct policy *policy,
			uint32_t uid);
