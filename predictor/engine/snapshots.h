/* snapshots.h - the state of things, for schedulers and for what-if
 *
 * A thread makes the next snapshot while somebody asks for them, from the
 * engine's memory, whose lock it takes for a few nodes at a time: predictions
 * do not wait for it.
 */
#ifndef PREDICTOR_ENGINE_SNAPSHOTS_H
#define PREDICTOR_ENGINE_SNAPSHOTS_H

#include "predictor/engine/engine.h"
#include "predictor/snapshot/snapshot.h"

struct snapshots;

/* Of an engine that is there as long as this.  NULL: out of memory. */
struct snapshots *snapshots_create(struct engine *engine);
void snapshots_destroy(struct snapshots *snapshots); /* NULL is allowed */

/* The text of snapshot.h for who knows the one of that epoch and version (0 and
 * 0: none).  `cluster` NULL or empty: the one last heard of.  NULL: there is
 * none yet, ask again in a moment; or memory ran out.  The caller frees. */
char *engine_snapshot_text(struct engine *engine, const char *cluster,
			   uint64_t epoch, uint64_t version, size_t *ret_size);

/* What the next snapshot will tell of the job with that prediction.  -1: nothing. */
int engine_placement(struct engine *engine, const char *prediction_id,
		     struct placement_model *ret);

#endif
