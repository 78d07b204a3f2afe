/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - the place of a job in the queue, by its age and its length
 *
 * key = begin + K * counted length; lower keys go first.  A job waits from its
 * `begin` on: its submission, or what Slurm calls the time when it became
 * eligible.  As waiting ages all jobs equally, one number is enough for a job
 * that does not change:
 *
 *	site factor = PLAN_OFFSET - (begin - PLAN_EPOCH_S) - K * counted
 *
 * By limits, min(limit, most) is counted.  By predictions, their logarithm,
 * scaled to the same greatest value:
 *
 *	most * ln(1 + min(length, most) / 1 min) / ln(1 + most / 1 min)
 *
 * as they tell seconds from minutes, which is what slowdowns are made of;
 * limits do not.  Each doubling of the length counts the same.
 *
 * A job is never behind one that began K * most or more after it, as far as
 * the site factor decides.  The length is the predicted median, or the limit
 * where that is shorter or the prediction has no evidence.
 *
 * A low `most` is what spares large long jobs: all that are longer are served
 * in the order of submission.  tests/bench/RESULTS.md has what other keys do.
 */
#pragma once

#include "plugin/site/policy.h"

/* With these the site factor stays within a 32-bit priority, and above
 * zero, for submissions from 2026 to 2040. */
#define PLAN_EPOCH_S       1767225600LL /* 2026-01-01 00:00 UTC */
#define PLAN_OFFSET        1000000000LL
#define PLAN_ORDER_MOST    100  /* of K */
#define PLAN_HOURS_MOST    1000 /* of the longest length that counts */
#define PLAN_SLOWDOWN_MOST 1000

/* A site factor that a plan may have given.  What is outside, but for 0, is an
 * operator's. */
#define PLAN_FACTOR_LEAST (PLAN_OFFSET / 8)

/* Return K times the greatest counted length, in seconds. */
int64_t plan_range_s(const struct policy *policy);

/* Return the length in seconds of a job with this limit in minutes; without a
 * limit, pass UINT32_MAX.  `prediction` may be NULL.  *ret_why says why it is
 * not the median, as policy_no_order() does; NULL: it is, or need not be. */
double plan_length_s(const struct policy *policy, uint32_t limit_min,
		     const struct prediction_answer *prediction,
		     const char **ret_why);

/* Return the site factor (not shifted by Slurm's NICE_OFFSET) of a job of this
 * length. From 1 to 2 * PLAN_OFFSET, whatever the clock says. */
int64_t plan_site_factor(const struct policy *policy, int64_t began_at_s,
			 double length_s);

/* Return whether backfill is to keep nodes free for a job of this length (NAN:
 * not known) that has waited for so long: its slowdown
 *
 *	(waited + length) / length
 *
 * is at least plan_reserve, lengths below a minute counting as one, or it has
 * waited for plan_reserve_max_h.  In doubt it is, as Slurm does. */
bool plan_reserves(const struct policy *policy, double length_s,
		   double waited_s);
