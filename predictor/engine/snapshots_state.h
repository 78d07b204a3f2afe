/* snapshots_state.h - what the files of the snapshots share; nobody else's */
#ifndef PREDICTOR_ENGINE_SNAPSHOTS_STATE_H
#define PREDICTOR_ENGINE_SNAPSHOTS_STATE_H

#include "predictor/engine/snapshots.h"

/* How things are now, rows in any order.  Without the engine's lock.  NULL: out
 * of memory. */
struct snapshot *snapshots_make(struct engine *engine, const char *cluster);

/* Fill in the ways of its nodes, whose leaves are known, and those between
 * leaves.  `row_of` each position of a node in the engine: SNAPSHOT_NONE where
 * it is not in the snapshot.  Without the engine's lock.  -1: out of memory. */
int snapshots_make_links(struct engine *engine, const uint32_t *row_of,
			 uint32_t positions, double now_s, struct snapshot *s);

/* The newest one, a reference; NULL: there is none, or it is older than
 * max_age_s.  Takes no lock for more than an instant, and may be called under
 * the engine's. */
struct snapshot *snapshots_newest(struct snapshots *snapshots,
				  const char *cluster, double max_age_s);

/* The same; asks for newer ones, so that there is one in a moment. */
struct snapshot *snapshots_ask(struct snapshots *snapshots, const char *cluster,
			       double max_age_s);

#endif
