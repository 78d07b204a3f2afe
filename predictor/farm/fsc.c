/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fsc.c - Fixed Size Chunking
 *
 * Batches of equal size, a part of all tasks: E. Cesar et al. (farm.h), section
 * 5.1.
 */
#include <math.h>

#include "predictor/farm/farm_policy.h"

static int fsc_chunk(const struct handout *h)
{
	const struct handout_rules *r = &h->rules;

	return (int)fmax(ceil(r->factor * r->M / r->n), r->chunk_min);
}

const struct farm_policy policy_fsc = {
	.name = "fsc",
	.help = "fixed size chunking: equal batches",
	.chunk = fsc_chunk,
};
