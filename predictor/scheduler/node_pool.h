/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_pool.h - particular nodes, as Slurm gives and reserves them
 *
 * A scheduler that counts CPUs can keep any of them for the job that is to
 * start next.  Slurm keeps particular nodes, and finds them by ending running
 * jobs in groups [1]: its reservations come later, and block more.  A node
 * has one CPU here.
 *
 * [1] Slurm, src/plugins/select/cons_tres/job_test.c: _eval_nodes(),
 *     _will_run_test().
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"
#include "predictor/scheduler/job_ends.h"

struct node_pool {
	uint32_t count, free, spare; /* those free, and of them not reserved */
	uint32_t *owners;            /* the job on each node, or NODE_FREE */
	bool *reserved;              /* for the job of node_pool_reserve() */
	bool *ending;                /* of each job; scratch */
	uint8_t *marks;              /* of each node; scratch */
	struct node_run *runs;       /* of usable nodes; scratch */
};

#define NODE_FREE UINT32_MAX

/* Create `nodes` free nodes, for jobs 0 to jobs - 1. */
int node_pool_create(struct node_pool *pool, uint32_t nodes, size_t jobs,
		     struct sp_error *err);
void node_pool_clear(struct node_pool *pool); /* frees; zeroes will do */

/* Give a job the nodes that Slurm would choose, by best fit among runs of
 * consecutive nodes [1]: the shortest run that is enough; while none is, all of
 * the longest.  With `reserved_too` also of the reserved ones.  Return false if
 * there are not enough: then nothing has changed. */
bool node_pool_take(struct node_pool *pool, uint32_t job, uint32_t wanted,
		    bool reserved_too);
void node_pool_release(struct node_pool *pool, uint32_t job);

/* Reserve nodes for a job that does not fit now, instead of those reserved
 * before, and return when it is planned to start.  Jobs end on trial in groups
 * until enough nodes are free; the job starts with the last end of its group.
 * Groups are as far apart as windows of 30 s, 60 s, 120 s ..., with linear_s >
 * 0 (bf_window_linear) of 30 s and so much more each [1]. */
double node_pool_reserve(struct node_pool *pool,
			 const struct planned_end *running, size_t count,
			 uint32_t wanted, double now_s, double linear_s);
