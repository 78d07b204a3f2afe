/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots.h - snapshots of the cluster, for schedulers and for what-if
 *
 * A thread makes the next snapshot for as long as they are in use, from the
 * engine's memory, whose lock it takes for a few nodes at a time: predictions
 * do not wait for it.
 */
#pragma once

#include "predictor/engine/engine.h"
#include "predictor/snapshot/snapshot.h"

struct snapshots;

/* `engine` must exist as long as the result. NULL: out of memory. */
struct snapshots *snapshots_create(struct engine *engine);
void snapshots_destroy(struct snapshots *snapshots); /* NULL is allowed */

/* Return the newest snapshot as text in that format, as a delta to the
 * client's of that epoch and version (0 and 0: none).  `cluster` NULL or empty:
 * the one that sent data last.  NULL: there is none yet, retry within a second;
 * or memory ran out.  The caller frees. */
char *engine_snapshot_text(struct engine *engine, const char *cluster,
			   int format, uint64_t epoch, uint64_t version,
			   size_t *ret_size);

/* Find the placement model of the job with that prediction, as the next
 * snapshot has it.  -1: none. */
int engine_placement(struct engine *engine, const char *prediction_id,
		     struct placement_model *ret);
