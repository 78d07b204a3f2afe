/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_order.c - the place in the queue of a job that is submitted or
 * changed */
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

/* A job waits from its --begin on.  That it is held, or depends on others,
 * is for predictd, which knows how long. */
void queue_order_submit(job_desc_msg_t *desc, const struct policy *policy,
			const char *default_partition,
			const struct prediction_answer *prediction)
{
	const char *why;
	enum policy_plan plan =
		policy_plan(policy, desc->partition, default_partition);

	if (plan == PLAN_OFF || desc->site_factor != NO_VAL ||
	    !priority_check())
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

static bool is_operator(uint32_t uid)
{
	return uid == 0 || uid == slurm_conf.slurm_user_id ||
	       (&validate_operator && validate_operator(uid));
}

static bool is_resized(const job_desc_msg_t *desc)
{
	return desc->min_nodes != NO_VAL || desc->max_nodes != NO_VAL ||
	       desc->min_cpus != NO_VAL || desc->max_cpus != NO_VAL ||
	       desc->num_tasks != NO_VAL || desc->pn_min_cpus != NO_VAL16 ||
	       desc->cpus_per_task != NO_VAL16;
}

/* The partition of a job is not known; so jobs of a site that plans in some
 * partitions only are left to predictd. */
void queue_order_change(job_desc_msg_t *desc, const struct policy *policy,
			uint32_t uid)
{
	bool nice_given = desc->nice != NO_VAL;
	const struct plan_mark mark = {
		.resized = is_resized(desc),
		.nice = nice_given ? (int64_t)desc->nice - NICE_OFFSET : -1,
	};

	/* slurmctld refuses a negative nice value. */
	if (policy->plan != PLAN_ON || is_operator(uid) ||
	    (nice_given && mark.nice < 0) || !priority_check())
		return;
	if (nice_given || mark.resized || desc->time_limit != NO_VAL)
		desc->nice =
			(uint32_t)(NICE_OFFSET + plan_mark_make(policy, &mark));
}
