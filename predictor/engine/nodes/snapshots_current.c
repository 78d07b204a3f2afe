/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots_current.c - the snapshot that predictions and queries are
 * answered from
 *
 * Where the thread of snapshots.c makes snapshots of the cluster, the newest of
 * them.  Else, on a small site, one is made at once and kept for the next
 * predictions: for a second, on a very small site until something is measured.
 * On a larger one the thread begins, and goes on for an hour after the last
 * prediction; until its first snapshot no node is known.
 *
 * Kept snapshots are under the engine's lock, which is not held while one is
 * made but for a few nodes at a time.
 */
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/snapshots_state.h"

/* Sites of up to this size, in nodes, with four links for one: it takes 2 ms,
 * and 10 ms if all nodes were measured since the last time. */
#define AT_ONCE_MAX    1024
#define LINKS_PER_NODE 4

/* Up to this size it takes no longer than the prediction itself. */
#define EAGER_MAX 32

#define KEPT_S 1.0

/* How long the thread goes on after a prediction. */
#define PREDICTED_S 3600.0

/* Return a reference; NULL: there is none, or it is too old. */
static struct snapshot *kept_find(const struct engine *engine,
				  const char *cluster, double time_s,
				  uint32_t size)
{
	for (int i = 0; i < KEPT_SNAPSHOTS; i++) {
		const struct kept_snapshot *kept = &engine->kept[i];

		if (!kept->snapshot || strcmp(kept->cluster, cluster) != 0)
			continue;

		double age_s = time_s - kept->snapshot->made_at_s;
		bool same = kept->measurements == engine->measurements;

		if (age_s >= 0 && age_s < KEPT_S && (same || size > EAGER_MAX))
			return snapshot_get(kept->snapshot);
	}
	return NULL;
}

/* In place of an older one of the cluster, else of the oldest of all. */
static void kept_replace(struct engine *engine, const char *cluster,
			 struct snapshot *snapshot, uint64_t measurements)
{
	struct kept_snapshot *oldest = &engine->kept[0];

	for (int i = 0; i < KEPT_SNAPSHOTS; i++) {
		struct kept_snapshot *kept = &engine->kept[i];

		if (strcmp(kept->cluster, cluster) == 0) {
			oldest = kept;
			break;
		}
		if (!kept->snapshot ||
		    (oldest->snapshot &&
		     kept->snapshot->made_at_s < oldest->snapshot->made_at_s))
			oldest = kept;
	}
	snapshot_put(oldest->snapshot);
	strcpy(oldest->cluster, cluster);
	oldest->snapshot = snapshot_get(snapshot);
	oldest->measurements = measurements;
}

struct snapshot *snapshots_current(struct engine *engine, const char *cluster,
				   double time_s, bool *ret_scheduled)
{
	struct snapshot *s = snapshots_newest(
		engine->snapshots, cluster, time_s, PREDICTED_S, ret_scheduled);

	if (s)
		return s;
	ordered_lock_take(&engine->lock);

	uint32_t size =
		nodes_count(engine->nodes) +
		links_count(nodes_links(engine->nodes)) / LINKS_PER_NODE;
	uint64_t measurements = engine->measurements;

	if (size <= AT_ONCE_MAX)
		s = kept_find(engine, cluster, time_s, size);
	ordered_lock_give(&engine->lock);
	if (s)
		return s;
	if (size > AT_ONCE_MAX) {
		snapshots_ask(engine->snapshots, cluster, PREDICTED_S);
		return NULL;
	}
	s = snapshots_make(engine, cluster, time_s, false);
	if (!s)
		return NULL;
	ordered_lock_take(&engine->lock);
	kept_replace(engine, cluster, s, measurements);
	ordered_lock_give(&engine->lock);
	return s;
}
