/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_state.h - what the engine's files share; nobody else's */
#ifndef PREDICTOR_ENGINE_ENGINE_STATE_H
#define PREDICTOR_ENGINE_ENGINE_STATE_H

#include <pthread.h>

#include "predictor/engine/engine.h"
#include "predictor/engine/known_clusters.h"
#include "predictor/engine/learned.h"
#include "predictor/ensemble/profiles.h"
#include "predictor/engine/records.h"
#include "predictor/conditions/nodes.h"

struct allocations;
struct start_costs;
struct assumed_sets;
struct queue_starts;
struct placement_rules;
struct block_weights;
struct node_facts;
struct loading;
struct snapshot;
struct snapshots;

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
	pthread_mutex_t lock; /* of all below but what `loading` points to */
	struct learned learned;
	char *start; /* of engine_set_start(), for each `learned`; NULL: none */
	struct nodes *nodes;
	struct profiles *profiles;
	struct records *predictions;
	struct records *jobs;
	struct records *waiting;  /* waiting.h */
	struct records *rejected; /* rejected_set.h */
	struct allocations *allocations;
	struct start_costs *start_costs;
	struct placement_rules *rules;
	struct block_weights *block_weights;
	struct loading *loading; /* NULL unless the past is being loaded */

	/* The one that sent data last: the default where a request names
	 * none. */
	char cluster[RUN_NAME_SIZE];
	struct known_clusters clusters;

	uint64_t predictions_made;
	uint64_t predictions_with_history;
	uint64_t missed;
	uint64_t measurements;
	uint64_t link_measurements;

	struct horizon horizons[HORIZONS]; /* by hash of the kind */

	struct kept_snapshot kept[KEPT_SNAPSHOTS];

	struct snapshots *snapshots; /* these three have locks of their own */
	struct assumed_sets *assumed;
	struct queue_starts *starts;

	pthread_mutex_t facts_lock;
	struct node_facts *facts; /* a reference; NULL: not known */
};

/* What Slurm says of the nodes of a cluster (empty: whichever), a reference;
 * NULL: not known. */
struct node_facts *engine_node_facts(struct engine *engine,
				     const char *cluster);

/* That of the prediction's kind of job: application, parameters and nodes; under
 * the lock. */
struct horizon *engine_horizon(struct engine *engine,
			       const struct prediction *p);

/* Remember the cluster, under the lock. */
void engine_note_cluster(struct engine *engine, const char *cluster);

#endif
