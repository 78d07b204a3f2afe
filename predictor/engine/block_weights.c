/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_weights.c - the work of nodes that traces showed, for placement models */
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/engine/block_weights.h"
#include "predictor/engine/engine_state.h"

struct block_weights {
	struct known_weights {
		uint64_t key; /* 0: none */
		struct placement_weights weights;
	} of[BLOCK_WEIGHTS_MAX];
};

struct block_weights *block_weights_create(void)
{
	return calloc(1, sizeof(struct block_weights));
}

void block_weights_destroy(struct block_weights *w)
{
	free(w);
}

static uint64_t hash_of(const struct block_weights_key *key)
{
	const uint32_t numbers[] = { key->user_id, key->tasks, key->nodes };
	uint64_t hash = index_hash(0, numbers, sizeof(numbers));

	hash = index_hash_text(hash, key->cluster);
	hash = index_hash_text(hash, key->application);
	return hash ? hash : 1;
}

void block_weights_put(struct block_weights *w,
		       const struct block_weights_key *key,
		       const struct placement_weights *weights)
{
	uint64_t hash = hash_of(key);
	struct known_weights *at = &w->of[hash % BLOCK_WEIGHTS_MAX];

	if (!weights->count && at->key != hash)
		return;
	at->key = hash;
	at->weights = *weights;
}

void block_weights_find(const struct block_weights *w,
			const struct prediction *p,
			struct placement_weights *ret)
{
	const struct block_weights_key key = {
		.user_id = p->user_id,
		.tasks = p->tasks,
		.nodes = p->nodes,
		.cluster = p->cluster,
		.application = p->application.name,
	};
	uint64_t hash = hash_of(&key);
	const struct known_weights *at = &w->of[hash % BLOCK_WEIGHTS_MAX];

	*ret = (struct placement_weights){ .count = 0 };
	if (at->key == hash)
		*ret = at->weights;
}

void engine_learn_weights(struct engine *engine,
			  const struct block_weights_key *key,
			  const struct placement_weights *weights)
{
	pthread_mutex_lock(&engine->lock);
	block_weights_put(engine->block_weights, key, weights);
	pthread_mutex_unlock(&engine->lock);
}
