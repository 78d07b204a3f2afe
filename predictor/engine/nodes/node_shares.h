/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_shares.h - what a job gets of the CPUs of its nodes */
#pragma once

#include "predictor/base/hostlist.h"
#include "predictor/engine/engine.h"

#define NODE_SHARES_MAX 1024 /* nodes */

/* A node is never expected to be slower than this. */
#define NODE_SLOWDOWN_MAX 20.0

struct node_share {
	const char *node; /* lent by the list */
	double share; /* of a CPU that a process gets, 0 to 1; NAN: not known */
};

/* Forecast the shares of list->count <= NODE_SHARES_MAX nodes over the next
 * minutes, in the order of the list.  Returns the greatest slowdown to be
 * expected of one of them against the fastest, 1 or more, from the low ends of
 * the forecasts (one of ten is lower); NAN if one node is not known. */
double engine_node_shares(struct engine *engine, const char *cluster,
			  const struct hostlist *list, double now_s,
			  struct node_share ret[]);
