/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_order.c - the place in the queue of a job that is submitted */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "plugin/job_submit/queue_order.h"
#include "plugin/site/plan.h"
#include "plugin/site/slurmctld.h"

/* The order counts for nothing else than priority/multifactor. */
static bool priority_check(void)
{
	static bool logged;

	if (slurm_conf.priority_type &&
	    strcmp(slurm_conf.priority_type, "priority/multifactor") == 0)
		return true;
	if (!logged)
		slurm_error("predict: predict_plan needs PriorityType="
			    "priority/multifactor: no job is ordered");
	logged = true;
	return false;
}

enum policy_plan queue_order_plan(const job_desc_msg_t *desc,
				  const struct policy *policy,
				  const char *default_partition)
{
	enum policy_plan plan =
		policy_plan(policy, desc->partition, default_partition);

	return plan != PLAN_OFF && desc->site_factor == NO_VAL &&
			       priority_check()
		       ? plan
		       : PLAN_OFF;
}

/* A job waits from its --begin on.  That it is held, or depends on others,
 * is for predictd, which knows how long. */
void queue_order_submit(job_desc_msg_t *desc, const struct policy *policy,
			const char *default_partition,
			const struct prediction_answer *prediction)
{
	const char *why;
	enum policy_plan plan =
		queue_order_plan(desc, policy, default_partition);

	if (plan == PLAN_OFF)
		return;

	/* NO_VAL and INFINITE are longer than all that counts. */
	double length_s =
		plan_length_s(policy, desc->time_limit, prediction, &why);
	time_t now = time(NULL);
	int64_t factor = plan_site_factor(
		policy, desc->begin_time > now ? desc->begin_time : now,
		length_s);

	slurm_debug(
		"predict: user %u: site factor %" PRId64 "%s, by %.0f s%s%s",
		desc->user_id, factor, plan == PLAN_ON ? "" : " would be set",
		length_s, why ? " of limit: " : "", why ? why : "");
	if (plan == PLAN_ON)
		desc->site_factor = (uint32_t)(NICE_OFFSET + factor);
}
