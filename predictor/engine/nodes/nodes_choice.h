/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_choice.h - the number of nodes of a job that leaves it open */
#pragma once

#include "predictor/engine/engine.h"
#include "predictor/snapshot/placement_model.h"

/* Choose the job's run time over the number of nodes for schedulers; `reach`
 * is 0 where it is not known, or the number is not open.  Where the select
 * plugin chooses the number (job->nodes_goal), and the quantiles of this user
 * and application have held, set the size and nodes_best of the job's
 * prediction p to its choice.  Without the engine's lock. */
void engine_nodes_choose(struct engine *engine, const struct submission *job,
			 uint32_t cpus_per_node, struct prediction *p,
			 struct placement_curve *ret);
