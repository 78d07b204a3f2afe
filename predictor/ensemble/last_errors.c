/* SPDX-License-Identifier: GPL-2.0-or-later */
/* last_errors.c - the last errors of applications, and of models on them */
#include <stdlib.h>

#include "predictor/ensemble/last_errors.h"

struct errors_key {
	const struct last_errors *errors;
	uint64_t key;
	int model;
};

static bool errors_match(const void *context, uint32_t position)
{
	const struct errors_key *key = context;
	const struct errors *errors = &key->errors->of[position];

	return errors->key == key->key && errors->model == key->model;
}

static uint64_t hash_of(int model, uint64_t key)
{
	return index_hash((uint64_t)model, &key, sizeof(key));
}

void last_errors_clear(struct last_errors *e)
{
	free(e->of);
	index_clear(&e->index);
}

struct errors *last_errors_find(const struct last_errors *e, int model,
				uint64_t key)
{
	struct errors_key sought = { e, key, model };
	uint32_t at = key ? index_find(&e->index, hash_of(model, key),
				       errors_match, &sought)
			  : INDEX_NONE;

	return at == INDEX_NONE ? NULL : &e->of[at];
}

struct errors *last_errors_get(struct last_errors *e, int model, uint64_t key)
{
	struct errors *errors = last_errors_find(e, model, key);

	if (errors || !key)
		return errors;
	if (index_reserve(&e->index) ||
	    index_grow(&e->of, &e->capacity, e->count, sizeof(e->of[0])))
		return NULL;
	index_add(&e->index, hash_of(model, key), e->count);
	errors = &e->of[e->count++];
	*errors = (struct errors){ .key = key, .model = model };
	return errors;
}
