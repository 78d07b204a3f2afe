/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_made.h - for tests of snapshots: nodes, jobs and deltas */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/snapshot/snapshot_state.h"
#include "predictor/snapshot/snapshot_delta.h"
#include "tests/unit/suite.h"

static inline struct snapshot_node *add_node(struct snapshot *s,
					     const char *name)
{
	struct snapshot_node *n = &s->nodes[s->node_count++];

	*n = (struct snapshot_node){ .leaf = 3,
				     .available = { 0.5f, 0.75f, NAN },
				     .error = 0.03f,
				     .load = 1.5f,
				     .speed = 0.9f,
				     .memory_mb = 64000,
				     .bandwidth_bps = 9.4e8f,
				     .latency_s = 3.2e-5f,
				     .turn_s = 1.5e-3f };
	strcpy(n->name, name);
	return n;
}

static inline void add_job(struct snapshot *s, uint64_t id, double busy_s)
{
	struct snapshot_job *job = &s->jobs[s->job_count++];

	job->id = id;
	placement_model_from_runtime(2, 8, busy_s, &job->model);
}

/* What a client gets that has `before`. */
static inline struct snapshot *delta_to(const struct snapshot_deltas *deltas,
					struct snapshot *before,
					size_t *ret_size)
{
	struct snapshot *next = NULL;
	struct sp_error err = { "" };
	size_t size;
	char *text = snapshot_deltas_text(deltas, SNAPSHOT_FORMAT,
					  before ? before->epoch : 0,
					  before ? before->version : 0, &size);

	ck_assert_ptr_nonnull(text);
	ck_assert_msg(!snapshot_read(text, size, before, &next, &err), "%s\n%s",
		      err.text, text);
	free(text);
	if (ret_size)
		*ret_size = size;
	return next;
}
