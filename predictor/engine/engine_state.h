/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_state.h - what the engine's files share; nobody else's
 *
 * Its locks, in the order in which a thread takes them (ordered_lock.h):
 *
 *   lock                   guards                    taken by
 *   assumed_sets.lock      the chooser that          predictions, and the
 *                          predictions use in turn   first report of a run
 *   queue_starts.lock      the queue, and what was   the thread that reads
 *                          shown of its jobs         Slurm's queue; requests
 *   snapshots.deltas_lock  the deltas of each slot   the thread of snapshots,
 *                                                    schedulers; predictions
 *                                                    only try
 *   snapshots.lock         which cluster a slot      as that one, and
 *                          has, its newest snapshot  predictions
 *   engine.lock            all that was learned,     everyone
 *                          measured and predicted
 *   engine.facts_lock      the pointer to the facts  everyone
 *
 * Held together are assumed_sets.lock and engine.lock, and both of snapshots;
 * and each of the last two with the lock of pending requests
 * (predictor/http/pending.h), which comes before all of these: replies from the
 * history are made under it.  No other lock of predictd is held together with
 * these.  None is held when a function returns.  Visitors are called under
 * engine.lock.
 */
#pragma once

#include "predictor/base/ordered_lock.h"
#include "predictor/engine/engine.h"
#include "predictor/engine/known_clusters.h"
#include "predictor/engine/learned.h"
#include "predictor/ensemble/profiles.h"
#include "predictor/engine/records.h"
#include "predictor/conditions/nodes.h"

/* A snapshot that was made for a prediction (snapshots_current.c). */
#define KEPT_SNAPSHOTS 4

struct kept_snapshot {
	char cluster[RUN_NAME_SIZE];
	struct snapshot *snapshot; /* a reference; NULL: none */
	uint64_t measurements;     /* the engine's count when it was made */
};

/* The last prediction for jobs of a kind: how far ahead to forecast. */
#define HORIZONS 4096

struct horizon {
	uint64_t kind;
	float seconds; /* 0: not predicted yet */
};

struct engine {
	struct ordered_lock lock; /* of all up to `kept`, but for `start` and
				     what `loading` points to: these belong
				     to the thread that loads the past */
	struct learned learned;
	char *start; /* of engine_set_start(), for each `learned`; NULL: none */
	struct nodes *nodes;
	struct profiles *profiles;
	struct records *predictions;
	struct records *jobs;
	struct records *waiting; /* waiting.h */
	struct refresh *refresh;
	struct records *rejected; /* rejected_set.h */
	struct allocations *allocations;
	struct start_costs *start_costs;
	struct placement_rules *rules;
	struct block_weights *block_weights;
	struct loading *loading; /* NULL unless the past is being loaded */
	int64_t change;          /* the last one of a run that was learned */

	/* The one that sent data last: the default where a request names
	 * none. */
	char cluster[RUN_NAME_SIZE];
	struct known_clusters clusters;

	uint64_t predictions_made, predictions_with_history;
	_Atomic uint64_t missed; /* changed without the lock */
	uint64_t measurements, link_measurements;
	struct partition_list partitions; /* of the queue */

	struct horizon horizons[HORIZONS]; /* by hash of the kind */

	struct kept_snapshot kept[KEPT_SNAPSHOTS];

	/* The pointers never change. */
	struct snapshots *snapshots;
	struct assumed_sets *assumed;
	struct queue_starts *starts;

	struct ordered_lock facts_lock;
	struct node_facts *facts; /* a reference; NULL: not known */
};

/* Return what Slurm says of the nodes of a cluster (empty: whichever), a
 * reference; NULL: not known. */
struct node_facts *engine_node_facts(struct engine *engine,
				     const char *cluster);

/* Return the horizon of the prediction's kind of job: application, parameters
 * and nodes.  The caller holds engine->lock, as for the next. */
struct horizon *engine_horizon(struct engine *engine,
			       const struct prediction *p);

/* Remember the cluster. */
void engine_note_cluster(struct engine *engine, const char *cluster);
