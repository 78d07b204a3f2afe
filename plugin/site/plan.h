/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - the place of a job in the queue, by its age and its limit
 *
 * key = submission + K * min(limit, most); lower keys go first.  As waiting ages all
 * jobs alike, the key never changes, and one number at submission is enough:
 *
 *	site factor = PLAN_OFFSET - (submission - PLAN_EPOCH_S) - K * min(...)
 *
 * A job is never behind one that was submitted K * most or more after it, as far
 * as the site factor decides.  In rehearsals of KTH-SP2 this order by the users'
 * limits does as much as any order by predictions, so it needs none.
 */
#ifndef PLUGIN_SITE_PLAN_H
#define PLUGIN_SITE_PLAN_H

#include <stdint.h>

#include "plugin/site/policy.h"

/* With these the site factor stays within a 32-bit priority, and above
 * zero, for submissions from 2026 to 2040. */
#define PLAN_EPOCH_S    1767225600LL /* 2026-01-01 00:00 UTC */
#define PLAN_OFFSET     1000000000LL
#define PLAN_ORDER_MOST 100  /* of K */
#define PLAN_HOURS_MOST 1000 /* of the longest limit that counts */

/* The site factor (not shifted by Slurm's NICE_OFFSET) of a job with this limit in
 * minutes; without a limit, pass UINT32_MAX: it counts as the longest.
 * From 1 to 2 * PLAN_OFFSET, whatever the clock says. */
int64_t plan_site_factor(const struct policy *policy, int64_t submitted_at_s,
			 uint32_t limit_min);

/* The bound in seconds: K * most. */
double plan_bound_s(const struct policy *policy);

#endif
