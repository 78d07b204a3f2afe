/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overruns.h - warns users whose jobs will probably reach their time limits
 *
 * Each job once, by the means that the site names.  If the site wants it, the
 * limit is extended once, too: shortly before it is reached, and only while no
 * other job waits for the nodes, and there is no reservation.
 */
#pragma once

#include "predictor/engine/engine.h"
#include "predictor/features/queue_state.h"

struct overruns_config {
	const char *command;  /* empty: none; "notify": Slurm's own */
	const char *scontrol; /* lent, as the command is */
	int extend_percent;   /* of the limit; 0: never */
};

struct overruns;

struct overruns *overruns_create(const struct overruns_config *config);
void overruns_destroy(struct overruns *overruns); /* NULL is allowed */

/* The queue was read, and given to the engine.  Runs commands, of the thread of
 * a slurm_thread. */
void overruns_check(struct overruns *overruns, struct engine *engine,
		    const struct queue_state *queue);
