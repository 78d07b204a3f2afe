/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_nodes.h - keeps what is known of Slurm's nodes and rules up to date
 *
 * A thread runs `scontrol show node` at the start and every few minutes, and
 * gives the result to the engine.  Where scontrol is missing or fails, the
 * engine keeps the facts it has, and the thread tries again: after a few
 * seconds at first, later at the interval.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/engine/engine.h"

struct slurm_nodes;

/* Start the thread.  `engine` must live longer than it.  NULL with *err. */
struct slurm_nodes *slurm_nodes_create(const char *scontrol, int interval_s,
				       struct engine *engine,
				       struct sp_error *err);

/* End the thread, at once even if scontrol runs.  NULL is allowed. */
void slurm_nodes_destroy(struct slurm_nodes *nodes);
