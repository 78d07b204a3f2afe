/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ranking_case.h - a snapshot, a model and a request, for tests of rank.c */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "predictor/placement/rank.h"
#include "predictor/snapshot/snapshot_state.h"
#include "tests/unit/suite.h"

#define RANKING_MANY 12

/* A request, all that it points to, and memory to work in. */
struct ranking_case {
	struct snapshot *s;
	struct placement_model model;
	struct rank_candidate candidates[RANKING_MANY];
	struct rank_request request;
	void *scratch;
	uint32_t chosen[RANKING_MANY];
	struct rank_result result;
};

static inline struct snapshot *ranking_snapshot(uint32_t count)
{
	struct snapshot *s = snapshot_create(count, 64, 0);

	ck_assert_ptr_nonnull(s);
	s->node_count = count;
	for (uint32_t i = 0; i < count; i++)
		s->nodes[i] = (struct snapshot_node){
			.leaf = SNAPSHOT_NONE,
			.available = { 1, 1, 1 },
			.error = 0.01f,
			.load = NAN,
			.speed = 1,
			.memory_mb = NAN,
			.bandwidth_bps = NAN,
			.latency_s = NAN,
		};
	return s;
}

static inline void ranking_set_up(struct ranking_case *x, uint32_t count,
				  uint32_t nodes)
{
	*x = (struct ranking_case){ .s = ranking_snapshot(count) };
	placement_model_from_runtime(nodes, nodes, 100, &x->model);
	for (uint32_t i = 0; i < count; i++)
		x->candidates[i] = (struct rank_candidate){
			.node = i, .place = i, .leaf = SNAPSHOT_NONE
		};
	x->request = (struct rank_request){
		.snapshot = x->s,
		.model = &x->model,
		.candidates = x->candidates,
		.count = count,
		.nodes = nodes,
	};
	x->scratch = malloc(rank_scratch_size(count));
}

static inline void ranking_tear_down(struct ranking_case *x)
{
	free(x->scratch);
	snapshot_put(x->s);
}

static inline void ranking_set_available(struct ranking_case *x, uint32_t node,
					 double value)
{
	for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
		x->s->nodes[node].available[h] = (float)value;
}

static inline int ranking_choose(struct ranking_case *x)
{
	ck_assert_int_eq(snapshot_finish(x->s), 0);
	return rank_choose(&x->request, x->scratch, x->chosen, &x->result);
}
