/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moldable.h - on how many nodes a job should run that leaves the number open
 *
 * From the curve in its placement model; pure, without allocation, and at most
 * a few thousand steps for any range.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/snapshot/placement_model.h"

/* What the best number of nodes is. */
enum moldable_aim {
	MOLDABLE_INDEX,     /* least run time over efficiency: E. Cesar et al.,
			       Modeling Master/Worker applications for automatic
			       performance tuning, 2006, expression (13) */
	MOLDABLE_TIME,      /* least run time */
	MOLDABLE_EFFICIENCY /* most nodes with at least that efficiency */
};

struct moldable_goal {
	enum moldable_aim aim;
	double efficiency; /* above 0, to 1; of MOLDABLE_EFFICIENCY only */
};

/* "index", "time", "efficiency:0.7".  -1: it is none of them. */
int moldable_goal_parse(const char *text, struct moldable_goal *ret,
			struct sp_error *err);

#define MOLDABLE_GOAL_SIZE 32

/* The same as text; returns `ret_text`. */
const char *moldable_goal_print(const struct moldable_goal *goal,
				char ret_text[MOLDABLE_GOAL_SIZE]);

/* Speedup for each node, relative to the fewest nodes that were seen:
 * 1 there. */
double moldable_efficiency(const struct placement_curve *curve, uint32_t n);

/* A time limit must be longer than the run time by this factor: the job would
 * be killed at it. */
#define MOLDABLE_ROOM 1.2

/* Return the best number of nodes from n_min to n_max, as far as the curve
 * reaches, on which the job ends well within limit_s (NAN or HUGE_VAL: none);
 * of equally good ones the least.  Where none is efficient enough, the most
 * efficient one; where it ends within its limit on none, the fastest.  0: n_min
 * is out of reach. */
uint32_t moldable_best(const struct placement_curve *curve,
		       const struct moldable_goal *goal, double limit_s,
		       uint32_t n_min, uint32_t n_max);

/* Return the number of nodes from n_min to n_max on which the job runs
 * longest; 0: the curve does not reach to all of them. */
uint32_t moldable_slowest(const struct placement_curve *curve, uint32_t n_min,
			  uint32_t n_max);
