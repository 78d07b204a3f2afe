/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - the place of a job in the queue, by its age and its limit */
#include "plugin/site/plan.h"

#define MINUTE_S 60.0

double plan_bound_s(const struct policy *policy)
{
	return policy->plan_order * policy->plan_order_max_min * MINUTE_S;
}

int64_t plan_site_factor(const struct policy *policy, int64_t submitted_at_s,
			 uint32_t limit_min)
{
	uint32_t counted_min = limit_min < policy->plan_order_max_min
				       ? limit_min
				       : policy->plan_order_max_min;
	double penalty_s = policy->plan_order * counted_min * MINUTE_S;
	int64_t factor = PLAN_OFFSET - (submitted_at_s - PLAN_EPOCH_S) -
			 (int64_t)penalty_s;

	if (factor < 1)
		return 1;
	return factor > 2 * PLAN_OFFSET ? 2 * PLAN_OFFSET : factor;
}
