/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement_model.h - run time of a waiting job on any nodes, in a few numbers
 *
 * These stand for a profile, so that a scheduler can hold those of all waiting
 * jobs and try thousands of nodes.  All are of the task that the others wait
 * for, on a CPU of speed 1 without competitors:
 *
 *	L = link_bits / bandwidth + link_messages * latency
 *	T = max(busy / speed + idle + L,
 *	        busy / (speed * available) + (1 - credit) * (idle + L)
 *	        + turns * turn * (1 / available - 1))
 *
 * for the node that makes T largest, and the slowest of the links between the
 * nodes.  This is models/sharing/sharing.h for a program whose processes run in
 * step, with one number, the credit, for the share of idle time that
 * competitors give back, and one, the turns, for how often the task has to wait
 * until they leave it the CPU.
 *
 * A farm (predictor/farm/farm.h) has the sum of its nodes' speeds, as who is
 * slow gets fewer tasks:
 *
 *	T = n busy / (sum of speed * available) + idle + L
 *
 * Where the job has weights, the k-th node of a set, in the order of nodes,
 * has w_k busy to compute instead of busy (placement_weights.h); not in a
 * farm, whose tasks go to free workers.
 */
#pragma once

#include "predictor/snapshot/placement_weights.h"

enum placement_basis {
	PLACEMENT_CONDITIONS, /* nothing is known: T has no unit, and only
				 compares conditions */
	PLACEMENT_HISTORY,    /* its run time; assumed to compute all the
				 time */
	PLACEMENT_PROFILE,    /* all below */
	PLACEMENT_FARM,       /* all below, by the sum of speeds */
	PLACEMENT_BASES
};

/* Run time over the number of nodes n, of a job with a range of them, from past
 * runs (predictor/stats/scaling.h):
 *
 *	T(n) = c[0] + c[1] / n + c[2] log2 n + c[3] n
 */
#define PLACEMENT_CURVE_TERMS 4

struct placement_curve {
	uint32_t from;  /* fewest nodes of these runs */
	uint32_t reach; /* beyond it nothing is known; 0: no curve at all */
	float c_s[PLACEMENT_CURVE_TERMS]; /* >= 0 */
};

struct placement_model {
	enum placement_basis basis;
	uint32_t nodes;
	uint32_t tasks; /* on all nodes */
	struct placement_curve curve;
	float horizon_s; /* over which conditions matter: about its run time */
	float busy_s;
	float idle_s;        /* waiting, but not for messages in transit */
	float credit;        /* 0 to 1 */
	float link_bits;     /* over the busiest link, one after the other */
	float link_messages; /* likewise */
	float turns;
	struct placement_weights weights;
};

/* The worst CPU and link of a node set; for a farm available and speed are such
 * that their product is the mean of the nodes'. */
struct placement_offer {
	float available;     /* 0 to 1, > 0 */
	float speed;         /* > 0 */
	float bandwidth_bps; /* > 0 */
	float latency_s;     /* one way */
	float turn_s;        /* for each competitor */
};

/* Without a profile: `median_s` of run time, or NAN. */
void placement_model_from_runtime(uint32_t nodes, uint32_t tasks,
				  double median_s, struct placement_model *ret);

/* T(n) of a curve in seconds, n >= 1. */
double placement_curve_s(const struct placement_curve *curve, uint32_t n);

/* T above, of the slowest node, or the mean, with the slowest link. */
double placement_runtime_s(const struct placement_model *model,
			   const struct placement_offer *offer);
