/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - creates and destroys the engine */
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/job_records.h"
#include "predictor/engine/loading.h"
#include "predictor/engine/nodes/assumed_set.h"
#include "predictor/engine/nodes/block_weights.h"
#include "predictor/engine/nodes/rejected_set.h"
#include "predictor/engine/nodes/snapshots.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/engine/refresh.h"
#include "predictor/engine/waiting.h"
#include "predictor/features/node_facts.h"
#include "predictor/placement/allocations.h"
#include "predictor/placement/placement_rules.h"
#include "predictor/scheduler/start_costs.h"
#include "predictor/snapshot/snapshot.h"

struct engine *engine_create(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	ordered_lock_init(&engine->lock, LOCK_ENGINE);
	ordered_lock_init(&engine->facts_lock, LOCK_FACTS);
	engine->nodes = nodes_create();
	engine->profiles = profiles_create();
	engine->predictions = predictions_create();
	engine->jobs = job_records_create();
	engine->waiting = waiting_create();
	engine->refresh = refresh_create();
	engine->rejected = rejected_create();
	engine->allocations = allocations_create();
	engine->start_costs = start_costs_create();
	engine->rules = placement_rules_create();
	engine->block_weights = block_weights_create();
	engine->assumed = assumed_create();
	engine->starts = queue_starts_create();
	engine->snapshots = snapshots_create(engine);
	if (!learned_create(&engine->learned) && engine->nodes &&
	    engine->profiles && engine->predictions && engine->jobs &&
	    engine->waiting && engine->refresh && engine->rejected &&
	    engine->allocations && engine->start_costs && engine->rules &&
	    engine->block_weights && engine->assumed && engine->starts &&
	    engine->snapshots) {
		ensemble_set_profiles(engine->learned.ensemble,
				      engine->profiles);
		return engine;
	}
	engine_destroy(engine);
	return NULL;
}

void engine_destroy(struct engine *engine)
{
	if (!engine)
		return;
	snapshots_destroy(engine->snapshots);
	assumed_destroy(engine->assumed);
	queue_starts_destroy(engine->starts);
	for (int i = 0; i < KEPT_SNAPSHOTS; i++)
		snapshot_put(engine->kept[i].snapshot);
	loading_destroy(engine->loading);
	learned_destroy(&engine->learned);
	free(engine->start);
	block_weights_destroy(engine->block_weights);
	placement_rules_destroy(engine->rules);
	start_costs_destroy(engine->start_costs);
	allocations_destroy(engine->allocations);
	records_destroy(engine->rejected);
	refresh_destroy(engine->refresh);
	records_destroy(engine->waiting);
	records_destroy(engine->jobs);
	records_destroy(engine->predictions);
	profiles_destroy(engine->profiles);
	nodes_destroy(engine->nodes);
	node_facts_put(engine->facts);
	ordered_lock_destroy(&engine->facts_lock);
	ordered_lock_destroy(&engine->lock);
	free(engine);
}

int engine_set_start(struct engine *engine, const char *text,
		     struct sp_error *err)
{
	char *copy = strdup(text);

	if (!copy)
		return sp_error_set(err, "out of memory");
	if (ensemble_set_start(engine->learned.ensemble, text, strlen(text),
			       err)) {
		free(copy);
		return -1;
	}
	free(engine->start);
	engine->start = copy;
	return 0;
}
