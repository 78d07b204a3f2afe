/* SPDX-License-Identifier: GPL-2.0-or-later */
/* speeds.h - nodes that are not what they were, or not what their peers are */
#ifndef PREDICTOR_CONDITIONS_SPEEDS_H
#define PREDICTOR_CONDITIONS_SPEEDS_H

#include "predictor/conditions/nodes.h"

/* A node is slow that has less than this share of the speed it should have. */
#define WATCH_SLOW_SHARE 0.9

/* Speeds are remembered for 16 days, one in three hours. */
#define WATCH_STEP_S 10800.0

struct node_speed {
	double now;   /* median of the newest few; NAN: never measured */
	double past;  /* median of what is remembered; NAN: it is too little */
	double peers; /* median of the cluster's nodes, if most are alike; NAN:
			 they are not, or there are too few */
	bool slow;    /* against one of the two */
};

/* The speeds of all nodes, by position: room for nodes_count(). */
void watch_speeds(const struct nodes *nodes, struct node_speed *ret);

/* Which resources of a node have sensors that stick or jump: bit i for
 * resource i. */
void watch_sensors(const struct nodes *nodes, uint32_t position,
		   unsigned *ret_stuck, unsigned *ret_jumping);

#endif
