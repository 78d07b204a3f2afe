/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_state.c - what the engine's files share */
#include <string.h>
#include <stdio.h>

#include "predictor/base/index.h"
#include "predictor/base/piece.h"
#include "predictor/engine/engine_state.h"
#include "predictor/features/node_facts.h"

void engine_note_cluster(struct engine *engine, const char *cluster)
{
	const size_t size = sizeof(engine->cluster);

	if (!*cluster || strcmp(engine->cluster, cluster) == 0)
		return;
	piece_copy(engine->cluster, size, cluster, strnlen(cluster, size - 1));
	known_clusters_add(&engine->clusters, engine->cluster);
}

bool engine_knows_cluster(struct engine *engine, const char *cluster)
{
	struct node_facts *facts = engine_node_facts(engine, cluster);
	bool known = facts || !*cluster;

	node_facts_put(facts);
	if (known)
		return true;
	ORDERED_LOCK_HOLD(&engine->lock);

	return known_clusters_has(&engine->clusters, cluster);
}

/* Return the bool at `offset` of a cluster's facts, else `unknown`. */
static bool fact_find(struct engine *engine, const char *cluster, size_t offset,
		      bool unknown)
{
	struct node_facts *facts = engine_node_facts(engine, cluster);
	bool found = facts ? *(bool *)((char *)facts + offset) : unknown;

	node_facts_put(facts);
	return found;
}

#define FACT(member, unknown) \
	fact_find(engine, cluster, offsetof(struct node_facts, member), unknown)

bool engine_shows_jobs(struct engine *engine, const char *cluster)
{
	return FACT(jobs_public, false);
}

bool engine_hides_jobs(struct engine *engine, const char *cluster)
{
	return !FACT(jobs_public, true);
}

bool engine_hides_nodes(struct engine *engine, const char *cluster)
{
	return FACT(nodes_hidden, true);
}

bool engine_advises_memory(struct engine *engine, const char *cluster)
{
	return !FACT(memory_unadvised, false);
}

void engine_own_cluster(struct engine *engine, char ret[RUN_NAME_SIZE])
{
	struct node_facts *facts = engine_node_facts(engine, "");

	snprintf(ret, RUN_NAME_SIZE, "%s", facts ? facts->cluster : "");
	node_facts_put(facts);
}

void engine_set_node_facts(struct engine *engine, struct node_facts *facts)
{
	ordered_lock_take(&engine->facts_lock);

	struct node_facts *before = engine->facts;

	engine->facts = facts;
	ordered_lock_give(&engine->facts_lock);
	node_facts_put(before);
}

struct node_facts *engine_node_facts(struct engine *engine, const char *cluster)
{
	struct node_facts *facts = NULL;

	ORDERED_LOCK_HOLD(&engine->facts_lock);

	if (engine->facts &&
	    (!*cluster || strcmp(engine->facts->cluster, cluster) == 0))
		facts = node_facts_get(engine->facts);
	return facts;
}

static uint64_t kind_of(const struct prediction *p)
{
	uint64_t kind = index_hash_text(p->nodes, p->application.name);

	for (int i = 0; i < p->application.parameters.count; i++)
		kind = index_hash(kind, &p->application.parameters.of[i].value,
				  sizeof(double));
	return kind;
}

struct horizon *engine_horizon(struct engine *engine,
			       const struct prediction *p)
{
	uint64_t kind = kind_of(p);
	struct horizon *h = &engine->horizons[kind % HORIZONS];

	if (h->kind != kind)
		*h = (struct horizon){ .kind = kind };
	return h;
}
