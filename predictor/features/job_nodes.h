/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_nodes.h - the nodes of a job one by one, and the links between them
 *
 * What struct conditions has as means and worst values.  NAN: not known.
 */
#ifndef PREDICTOR_FEATURES_JOB_NODES_H
#define PREDICTOR_FEATURES_JOB_NODES_H

#include "predictor/features/profile.h"

struct job_nodes {
	int count; /* 1 to PROFILE_NODES_MAX, in the order of the node list */
	double cpu_available[PROFILE_NODES_MAX]; /* forecast, 0 to 1 */

	/* As in struct measurement, the worst of the nodes. */
	double cpu_turn_s, cpu_credit_s;

	/* The link between two of them; `ret_latency_s`: one way. */
	void (*link_of)(const void *context, int from, int to,
			double *ret_bandwidth_bps, double *ret_latency_s);
	const void *context;
};

#endif
