/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_nodes.h - a job that leaves its number of nodes open, at submission */
#pragma once

#include "plugin/site/policy.h"

struct nodes_open {
	enum prediction_mode mode; /* what may be done; off: not open */
	struct moldable_goal goal;
	char goal_text[MOLDABLE_GOAL_SIZE];
	double limit_s;               /* the user's; NAN: none */
	uint32_t least, most;         /* the same: not open */
	struct placement_curve curve; /* `reach` is 0: not known */
	double slowest; /* the longest run time of the range, relative to that
			   predicted; NAN: not known */
};

/* Before the prediction is requested, for a job in these partitions, as for
 * policy_mode(): sets job->nodes_goal, which lends from *ret. */
void nodes_begin(const struct policy *policy, const char *partitions,
		 const char *default_partition, struct submission *job,
		 struct nodes_open *ret);

/* The curve of the reply's placement model, and what follows from it. */
void nodes_curve(const char *placement, struct nodes_open *nodes);

/* Return what the select plugin may do: it chooses only where predictd has
 * chosen a number at submission. */
enum prediction_mode nodes_mode(const struct nodes_open *nodes,
				const struct prediction_answer *prediction);

/* Why no limit may be set: policy_no_limit()'s reason, or that the run time is
 * not known on each number of nodes.  NULL: it may. */
const char *nodes_no_limit(const struct nodes_open *nodes,
			   const struct policy *policy,
			   const struct prediction_answer *prediction);
