/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_weights.c - the work of nodes that traces showed, for
 * placement models */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/block_weights.h"

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

struct block_weights_key block_weights_key(const struct prediction *p)
{
	return (struct block_weights_key){
		.user_id = p->user_id,
		.tasks = p->tasks,
		.nodes = p->nodes,
		.cluster = p->cluster,
		.application = p->application.name,
	};
}

void block_weights_find(const struct block_weights *w,
			const struct block_weights_key *key,
			struct placement_weights *ret)
{
	uint64_t hash = hash_of(key);
	const struct known_weights *at = &w->of[hash % BLOCK_WEIGHTS_MAX];

	*ret = (struct placement_weights){ .count = 0 };
	if (at->key == hash)
		*ret = at->weights;
}

const double *block_weights_work(const struct block_weights *w,
				 const struct block_weights_key *key,
				 const struct hostlist *list,
				 double room[PLACEMENT_WEIGHTS_MAX])
{
	uint8_t by_name[PLACEMENT_WEIGHTS_MAX];
	struct placement_weights weights;

	block_weights_find(w, key, &weights);

	uint8_t count = weights.count;

	if (!count || !list || list->count != count)
		return NULL;
	for (uint8_t i = 0; i < count; i++) {
		uint8_t to = i;

		for (; to && strverscmp(list->names[by_name[to - 1]],
					list->names[i]) > 0;
		     to--)
			by_name[to] = by_name[to - 1];
		by_name[to] = i;
	}
	for (uint8_t k = 0; k < count; k++)
		room[by_name[k]] = (double)weights.of[k] / PLACEMENT_WEIGHT_ONE;
	return room;
}

void engine_learn_weights(struct engine *engine,
			  const struct block_weights_key *key,
			  const struct placement_weights *weights)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	block_weights_put(engine->block_weights, key, weights);
}
