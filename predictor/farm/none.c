/* SPDX-License-Identifier: GPL-2.0-or-later */
/* none.c - no policy: an even share of the tasks for each worker, at once */
#include "predictor/farm/farm_policy.h"

static int none_chunk(const struct handout *h)
{
	int n = h->rules.n;

	/* The first M mod n workers have one more. */
	return h->rules.M / n + (h->chunks < h->rules.M % n);
}

const struct farm_policy policy_none = {
	.name = "none",
	.help = "an even share for each worker, at once",
	.chunk = none_chunk,
};
