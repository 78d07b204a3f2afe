/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daf.c - Dynamic Adjusting Factoring
 *
 * The part of a batch follows from how much the times of tasks differ, so that
 * the slowest of n chunks is not expected to end late: E. Cesar et al.
 * (farm.h), section 5.3.  The least chunk is that of the master's capability
 * (section 7); step 4 would make the last n chunks of the rest, x_j times as
 * large, and cost up to 1 % of the time more.
 *
 * With equal tasks all are handed out at once, so that a worker
 * that turns slow holds up the others; shared.c is for that.
 */
#include <math.h>

#include "predictor/farm/farm_policy.h"

static int daf_chunk(const struct handout *h)
{
	const struct handout_rules *r = &h->rules;
	double R = r->M - h->batch_next;

	return (int)fmax(ceil(R / (handout_x(h) * r->n)), r->chunk_min);
}

const struct farm_policy policy_daf = {
	.name = "daf",
	.help = "dynamic adjusting factoring",
	.chunk = daf_chunk,
};
