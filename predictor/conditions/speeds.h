/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speeds.h - nodes slower than they were, or than their peers */
#pragma once

#include "predictor/conditions/nodes.h"

/* A node is slow below this share of its past or its peers' speed. */
#define WATCH_SLOW_SHARE 0.9

/* Past speeds: 16 days, one in three hours. */
#define WATCH_STEP_S 10800.0

struct node_speed {
	double now;   /* median of the newest few; NAN: never measured */
	double past;  /* median of past samples; NAN: too few */
	double peers; /* median of the cluster's nodes, if most agree; NAN:
			 they are not, or there are too few */
	bool slow;    /* against one of the two */
};

/* Find the speeds of all nodes, by position: room for nodes_count(). */
void nodes_speeds(const struct nodes *nodes, struct node_speed *ret);

/* Which resources of a node have sensors that are stuck or jump: bit i for
 * resource i. */
void nodes_bad_sensors(const struct nodes *nodes, uint32_t position,
		       unsigned *ret_stuck, unsigned *ret_jumping);
