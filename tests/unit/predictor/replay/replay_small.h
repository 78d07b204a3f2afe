/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_small.h - traces of a few ranks, replayed on nodes of one core */
#pragma once

#include <math.h>

#include "predictor/replay/trace_replay.h"
#include "tests/unit/suite.h"

#define RANKS 5
#define TOL   1e-9

static const struct replay_node one_core[RANKS] = {
	{ 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 },
};

static uint64_t rendezvous_bytes = 4096;

/* On nodes of one core; every pair of nodes has this link. */
static struct replay_result replay(const struct matched_trace *m, int nodes,
				   const int *node, struct replay_link link,
				   bool spinning, struct rank_result ranks[])
{
	struct replay_link links[RANKS * RANKS];
	struct replay_placement place = {
		.nodes_count = nodes,
		.nodes = one_core,
		.links = links,
		.node = node,
		.rendezvous_bytes = rendezvous_bytes,
		.spinning = spinning,
	};
	struct replay_result result;

	for (int i = 0; i < nodes * nodes; i++)
		links[i] = link;
	ck_assert_int_eq(trace_replay(m, &place, &result, ranks, NULL, NULL),
			 0);
	return result;
}

static const struct replay_link no_link = { 0, HUGE_VAL };
static const struct replay_link slow = { .25, 4000 };
static const int together[RANKS] = { 0 };
static const int apart[RANKS] = { 0, 1, 2, 3, 4 };
