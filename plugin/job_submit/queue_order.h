/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_order.h - the place in the queue of a job that is submitted
 *
 * By its site factor, see plugin/site/plan.h.  What becomes of it when the job
 * is changed is for predictd.
 */
#pragma once

#include <slurm/slurm.h>

#include "plugin/site/policy.h"

/* Return the plan for a job that is submitted: PLAN_OFF if an operator, or a
 * plugin before this one, gave it a site factor, or Slurm would not use one. */
enum policy_plan queue_order_plan(const job_desc_msg_t *desc,
				  const struct policy *policy,
				  const char *default_partition);

/* Set its site factor, after the prediction, which may have set its limit;
 * NULL: there is none. */
void queue_order_submit(job_desc_msg_t *desc, const struct policy *policy,
			const char *default_partition,
			const struct prediction_answer *prediction);
