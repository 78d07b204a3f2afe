/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_queue.h - keeps the predicted starts of waiting jobs up to date
 *
 * A thread runs squeue every minute, and gives the queue to the engine, which
 * simulates it in this thread.  Before that, jobs get their places in it
 * (replan.h); then it looks for jobs that will reach their limits.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/daemon/overruns.h"
#include "predictor/engine/engine.h"

struct slurm_queue;

/* Start the thread.  `engine` must live longer than it, as what *overruns
 * lends.  NULL with *err. */
struct slurm_queue *slurm_queue_create(const char *squeue, int interval_s,
				       const struct overruns_config *overruns,
				       struct engine *engine,
				       struct sp_error *err);

/* End the thread, at once even if squeue runs.  NULL is allowed. */
void slurm_queue_destroy(struct slurm_queue *queue);
