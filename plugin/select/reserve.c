/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reserve.c - for which waiting jobs backfill keeps nodes free */
#include <math.h>
#include <stdlib.h>

#include "plugin/select/reserve.h"
#include "plugin/site/plan.h"
#include "plugin/site/spank_options.h"

#define MINUTE_S 60.0

/* Backfill starts a component when it has a start for all; data are staged in
 * for a start; and whoever has a deadline or an advance reservation counts on
 * one. */
static bool needs_start(const job_record_t *job)
{
	return job->het_job_id || job->burst_buffer || job->resv_name ||
	       job->resv_ptr || (job->deadline && job->deadline != NO_VAL);
}

/* Return the length that counts; NAN: not known.  With --time-min that is the
 * limit in backfill's test, though not the job's. */
static double length_of_job(const struct policy *policy,
			    const job_record_t *job)
{
	const char *median =
		spank_option_find(job->spank_job_env, job->spank_job_env_size,
				  OPTION_MEDIAN_VARIABLE);
	double limit_s =
		job->time_limit < NO_VAL ? job->time_limit * MINUTE_S : NAN;

	if (policy->plan_key == PLAN_KEY_LIMIT)
		return limit_s;
	if (!median)
		return NAN;
	return fmin(job->time_min ? NAN : limit_s, strtod(median, NULL));
}

bool reserve_is_early(const struct policy *policy, const job_record_t *job,
		      time_t now)
{
	const char *partition = job->part_ptr ? job->part_ptr->name : "";
	time_t begin = job->details->begin_time;

	/* As predictd places it in the queue. */
	if (begin < job->details->accrue_time)
		begin = job->details->accrue_time;
	return begin && !needs_start(job) &&
	       policy_plan(policy, partition, NULL) == PLAN_ON &&
	       !plan_reserves(policy, length_of_job(policy, job),
			      difftime(now, begin));
}
