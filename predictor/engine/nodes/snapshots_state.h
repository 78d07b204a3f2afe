/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots_state.h - what the files of the snapshots share; nobody else's */
#pragma once

#include "predictor/engine/nodes/snapshots.h"

/* Return the nodes and links of a cluster at a time, arranged
 * (snapshot_state.h), and with_jobs the waiting jobs.  Without the engine's
 * lock.  NULL: out of memory. */
struct snapshot *snapshots_make(struct engine *engine, const char *cluster,
				double time_s, bool with_jobs);

/* Fill in the uplinks of its nodes, whose leaves are known, and those between
 * leaves.  `row_of` each position of a node in the engine: SNAPSHOT_NONE where
 * it is not in the snapshot.  Without the engine's lock.  -1: out of memory. */
int snapshots_make_links(struct engine *engine, const uint32_t *row_of,
			 uint32_t positions, double now_s, struct snapshot *s);

/* Return the newest snapshot that the thread has made, a reference; NULL:
 * there is none within SNAPSHOTS_AGE_MAX_S of time_s, or the thread does not
 * make any of this cluster now.  It goes on for keep_s at least (0: no longer
 * than before).  *ret_scheduled (NULL is allowed): a scheduler fetches them.
 * Takes no lock for more than an instant. */
struct snapshot *snapshots_newest(struct snapshots *snapshots,
				  const char *cluster, double time_s,
				  double keep_s, bool *ret_scheduled);

/* What is older says little of now. */
#define SNAPSHOTS_AGE_MAX_S 15.0

/* Have the thread make snapshots of a cluster for keep_s.  Without the engine's
 * lock. */
void snapshots_ask(struct snapshots *snapshots, const char *cluster,
		   double keep_s);

/* Return the snapshot to answer from, a reference.  NULL: there is none yet,
 * or memory ran out.  Without the engine's lock. */
struct snapshot *snapshots_current(struct engine *engine, const char *cluster,
				   double time_s, bool *ret_scheduled);
