/* state.h - what the engine's files share; nobody else's */
#ifndef PREDICTOR_ENGINE_STATE_H
#define PREDICTOR_ENGINE_STATE_H

#include <pthread.h>

#include "predictor/base/index.h"
#include "predictor/engine/choice.h"
#include "predictor/engine/engine.h"
#include "predictor/engine/records.h"
#include "predictor/engine/scores.h"
#include "predictor/models/history.h"
#include "predictor/placement/nodes.h"

struct engine {
	pthread_mutex_t lock; /* of all below */
	struct history *history;
	struct nodes *nodes;
	struct records *predictions;
	struct records *jobs;
	struct scores *scores;
	struct index ended; /* fingerprints of runs that were learned from */
	void *models[MODELS_MAX]; /* as in models[] */

	/* Of whom nothing else is said, because most sites have only one:
	 * the one that was last heard of. */
	char cluster[RUN_NAME_SIZE];

	uint64_t predictions_made;
	uint64_t predictions_with_history;
	uint64_t measurements;
};

/* Remember the cluster, under the lock. */
void engine_heard_of(struct engine *engine, const char *cluster);

#endif
