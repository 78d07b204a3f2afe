/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_figures.h - what is expected of the queue of each partition, for
 * monitoring */
#pragma once

#include "predictor/engine/engine.h"
#include "predictor/features/queue_state.h"

/* The engine has the queue: give it the figures, too.  Takes some milliseconds
 * for each partition. */
void partition_figures_renew(struct engine *engine,
			     const struct queue_state *queue);
