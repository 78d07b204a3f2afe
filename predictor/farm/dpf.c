/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dpf.c - Dynamic Predictive Factoring
 *
 * Each batch is the same part of the tasks that are left, until its chunks
 * would be smaller than the least; the rest is one batch: E. Cesar et al.
 * (farm.h), section 5.2.  Ending with least chunks, as daf.c does, it would
 * take 1.024 to 1.025 of the ideal time instead of 1.027 to 1.029 where
 * tests/bench has its figure 2: most of what separates the two policies is
 * the end.
 */
#include <math.h>

#include "predictor/farm/farm_policy.h"

static int dpf_chunk(const struct handout *h)
{
	const struct handout_rules *r = &h->rules;
	double R = r->M - h->batch_next;

	double chunk = ceil(r->factor * R / r->n);

	return (int)(chunk > r->chunk_min ? chunk : ceil(R / r->n));
}

const struct farm_policy policy_dpf = {
	.name = "dpf",
	.help = "dynamic predictive factoring: a part of what is left",
	.chunk = dpf_chunk,
};
