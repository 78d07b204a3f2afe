/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figure_3.h - applications as [2] Figure 3 has them, for tests of sharing.c */
#pragma once

#include <math.h>

#include "predictor/models/sharing/sharing.h"

#define NEAR 1e-9

/* Figure 3 of the paper: seconds, busy and idle phases in milliseconds,
 * messages on a link and their size in KB, for 4 nodes. */
static const struct row {
	const char *name;
	double runtime_s, busy_ms, idle_ms, messages, kbytes;
} figure_3[] = {
	{ "CG", 25.6, 60.8, 22.8, 1264, 18.4 },
	{ "IS", 40.1, 2510.6, 531.4, 11, 2117.5 },
	{ "MG", 43.9, 1113.4, 183.0, 228, 55.0 },
	{ "SP", 619.5, 635.8, 44.8, 1606, 102.4 },
	{ "LU", 563.5, 1494.0, 66.0, 15752, 3.8 },
	{ "BT", 898.3, 2126.0, 64.0, 806, 117.1 },
	{ "EP", 104.6, 98420.0, 618.0, 0, 0 },
	{ NULL, 0, 0, 0, 0, 0 },
};

/* On the paper's testbed: whole CPUs, 70 Mbit/s, 0.4 ms. */
static inline struct profile profile_of(const struct row *row)
{
	static struct profile p;
	double cycle = row->busy_ms + row->idle_ms;

	p = (struct profile){ .nodes = 4,
			      .tasks = 4,
			      .runs = 1,
			      .runtime_s = row->runtime_s,
			      .node_count = 4,
			      .pair_count = row->messages > 0 ? 2 : 0 };
	for (int k = 0; k < 4; k++)
		p.node[k] = (struct profile_node){
			.tasks = 1,
			.busy_s = row->runtime_s * row->busy_ms / cycle,
			.ready_s = 0,
			.idle_s = row->runtime_s * row->idle_ms / cycle,
			.busy_phase_s = row->busy_ms / 1e3,
			.idle_phase_s = row->idle_ms / 1e3,
			.cpu_available = 1,
			.cpu_speed = 1,
		};
	for (int k = 0; k < 2; k++)
		p.pair[k] = (struct profile_pair){
			.from = (uint16_t)(k ? 2 : 1),
			.to = (uint16_t)(k ? 1 : 2),
			.messages = row->messages,
			.bytes = row->messages * row->kbytes * 1e3,
			.bandwidth_bps = 70e6,
			.latency_s = 400e-6,
		};
	return p;
}

/* One link that is not as it was. */
struct slow {
	int from, to;
	struct sharing_link link;
};

static inline void link_of(const void *context, int from, int to,
			   struct sharing_link *ret)
{
	const struct slow *slow = context;

	if (from == slow->from && to == slow->to)
		*ret = slow->link;
}

static const struct sharing_node same = { NAN, NAN };
