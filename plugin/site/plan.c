/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - the place of a job in the queue, by its age and its length */
#include <math.h>

#include "plugin/site/plan.h"

#define MINUTE_S 60.0
#define HOUR_S   3600.0

double plan_length_s(const struct policy *policy, uint32_t limit_min,
		     const struct prediction_answer *prediction,
		     const char **ret_why)
{
	double limit_s = limit_min * MINUTE_S;

	*ret_why = NULL;
	if (policy->plan_key == PLAN_KEY_LIMIT)
		return limit_s;
	*ret_why = prediction ? policy_no_order(policy, prediction)
			      : "there is no prediction";
	return *ret_why ? limit_s : fmin(limit_s, prediction->median_s);
}

int64_t plan_range_s(const struct policy *policy)
{
	return (int64_t)ceil(policy->plan_order * policy->plan_order_max_h *
			     HOUR_S);
}

int64_t plan_site_factor(const struct policy *policy, int64_t began_at_s,
			 double length_s)
{
	double most_s = policy->plan_order_max_h * HOUR_S;
	double counted_s = fmin(length_s, most_s);

	if (policy->plan_key == PLAN_KEY_P50)
		counted_s = most_s * log1p(counted_s / MINUTE_S) /
			    log1p(most_s / MINUTE_S);

	int64_t factor = PLAN_OFFSET - (began_at_s - PLAN_EPOCH_S) -
			 (int64_t)(policy->plan_order * counted_s);

	if (factor < 1)
		return 1;
	return factor > 2 * PLAN_OFFSET ? 2 * PLAN_OFFSET : factor;
}

bool plan_reserves(const struct policy *policy, double length_s,
		   double waited_s)
{
	double counted_s = fmax(MINUTE_S, length_s);

	return isnan(length_s) || waited_s < 0 ||
	       waited_s >= policy->plan_reserve_max_h * HOUR_S ||
	       waited_s + counted_s >= policy->plan_reserve * counted_s;
}
