/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moldable.c - on how many nodes a job should run that leaves the
 * number open */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/conf.h"
#include "predictor/placement/moldable.h"

/* Each number of nodes up to here, then steps of less than half a percent. */
#define EACH_TO 256

#define NODES_MOST (1u << 24) /* of any cluster */

#define EFFICIENCY_LEAST 0.01

int moldable_goal_parse(const char *text, struct moldable_goal *ret,
			struct sp_error *err)
{
	static const char efficiency[] = "efficiency:";
	struct moldable_goal goal = { .aim = MOLDABLE_INDEX };

	if (strcmp(text, "time") == 0) {
		goal.aim = MOLDABLE_TIME;
	} else if (strncmp(text, efficiency, strlen(efficiency)) == 0) {
		goal.aim = MOLDABLE_EFFICIENCY;
		if (conf_number(text + strlen(efficiency), EFFICIENCY_LEAST, 1,
				&goal.efficiency, err))
			return -1;
	} else if (strcmp(text, "index") != 0) {
		return sp_error_set(
			err, "must be index, time or efficiency:0.01 to 1");
	}
	*ret = goal;
	return 0;
}

const char *moldable_goal_print(const struct moldable_goal *goal,
				char ret_text[MOLDABLE_GOAL_SIZE])
{
	if (goal->aim == MOLDABLE_EFFICIENCY)
		snprintf(ret_text, MOLDABLE_GOAL_SIZE, "efficiency:%.4g",
			 goal->efficiency);
	else
		strcpy(ret_text, goal->aim == MOLDABLE_TIME ? "time" : "index");
	return ret_text;
}

double moldable_efficiency(const struct placement_curve *curve, uint32_t n)
{
	return curve->from * placement_curve_s(curve, curve->from) /
	       (n * placement_curve_s(curve, n));
}

/* Less is better. */
static double badness(const struct placement_curve *curve,
		      const struct moldable_goal *goal, uint32_t n)
{
	double T = placement_curve_s(curve, n);
	double efficiency;

	switch (goal->aim) {
	case MOLDABLE_TIME:
		return T;
	case MOLDABLE_EFFICIENCY:
		efficiency = moldable_efficiency(curve, n);
		return efficiency >= goal->efficiency ? -(double)n
						      : 1 / efficiency;
	default:
		return T / moldable_efficiency(curve, n);
	}
}

/* The last one is n_max itself. */
static uint32_t next_number(uint32_t n, uint32_t n_max)
{
	uint32_t next = n + 1 + n / EACH_TO;

	return n < n_max && next > n_max ? n_max : next;
}

uint32_t moldable_best(const struct placement_curve *curve,
		       const struct moldable_goal *goal, double limit_s,
		       uint32_t n_min, uint32_t n_max)
{
	static const struct moldable_goal time_goal = { .aim = MOLDABLE_TIME };
	uint32_t most = n_max < curve->reach ? n_max : curve->reach;

	if (most > NODES_MOST)
		most = NODES_MOST;
	uint32_t best = 0;
	double least = HUGE_VAL;

	for (uint32_t n = n_min ? n_min : 1; n <= most;
	     n = next_number(n, most)) {
		double bad = badness(curve, goal, n);

		if (placement_curve_s(curve, n) * MOLDABLE_ROOM > limit_s)
			continue;
		if (bad < least) {
			least = bad;
			best = n;
		}
	}
	if (!best && limit_s < HUGE_VAL)
		return moldable_best(curve, &time_goal, HUGE_VAL, n_min, n_max);
	return best;
}

/* T(n) is a sum of what falls and what grows with n: the longest is at
 * an end. */
uint32_t moldable_slowest(const struct placement_curve *curve, uint32_t n_min,
			  uint32_t n_max)
{
	uint32_t first = n_min ? n_min : 1;

	if (first > n_max || n_max > curve->reach)
		return 0;
	return placement_curve_s(curve, first) >=
			       placement_curve_s(curve, n_max)
		       ? first
		       : n_max;
}
