/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sharing_links.h - what the messages of a profiled application take
 *
 * NOTE.md, section 4: the terms of [2] section 2.2, for all nodes at once.
 */
#pragma once

#include "predictor/models/sharing/sharing.h"

/* The node that finishes its own work last, `s` after every other. */
struct sharing_lag {
	int node; /* of the setting; -1: none */
	double s;
};

/* How links make a run longer, and the nodes whose messages take longest. */
struct sharing_delay {
	double longer_s; /* for messages that are waited for */
	int node;        /* -1: it is not longer */
	double ahead_s;  /* the run time at least, by messages sent ahead */
	int ahead_node;
};

/* `answers`: see sharing_count_answers(). */
void sharing_find_delay(const struct profile *p,
			const struct sharing_setting *now,
			const double answers[PROFILE_NODES_MAX],
			const struct sharing_lag *lag_before,
			const struct sharing_lag *lag_now,
			struct sharing_delay *ret);

/* The node of the setting that has the part of node k of the profile. */
static inline int sharing_place_of(const struct profile *p,
				   const struct sharing_setting *now, int k)
{
	return (int)((int64_t)k * now->node_count / p->nodes);
}
