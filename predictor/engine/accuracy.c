/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accuracy.c - how right each model has been, user by user */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/engine/accuracy.h"

struct user {
	uint32_t user_id;
	struct accuracy_sums chosen;
	struct accuracy_sums of[MODELS_MAX];
};

struct accuracy {
	uint32_t count, capacity;
	struct user *users;
	struct index index;
};

struct accuracy *accuracy_create(void)
{
	return calloc(1, sizeof(struct accuracy));
}

void accuracy_destroy(struct accuracy *a)
{
	if (!a)
		return;
	free(a->users);
	index_clear(&a->index);
	free(a);
}

/* Return NULL if memory is exhausted. */
static struct user *get(struct accuracy *a, uint32_t user_id)
{
	uint64_t hash = index_hash(0, &user_id, sizeof(user_id));
	uint32_t at = index_find(&a->index, hash, NULL, NULL);

	if (at != INDEX_NONE)
		return &a->users[at];
	if (index_reserve(&a->index) ||
	    index_grow(&a->users, &a->capacity, a->count, sizeof(a->users[0])))
		return NULL;
	at = a->count++;
	a->users[at] = (struct user){ .user_id = user_id };
	index_add(&a->index, hash, at);
	return &a->users[at];
}

int accuracy_note(struct accuracy *a, int model, uint32_t user_id,
		  double predicted_s, bool covered, double actual_s)
{
	struct user *user = get(a, user_id);

	if (!user)
		return -1;

	struct accuracy_sums *sums =
		model == ACCURACY_CHOSEN ? &user->chosen : &user->of[model];

	sums->runs++;
	sums->covered += covered;
	sums->error_s += fabs(predicted_s - actual_s);
	sums->actual_s += actual_s;
	return 0;
}

void accuracy_sum(const struct accuracy *a, int model, uint32_t user_id,
		  struct accuracy_sums *ret)
{
	*ret = (struct accuracy_sums){ 0 };
	for (uint32_t i = 0; i < a->count; i++) {
		const struct user *user = &a->users[i];
		const struct accuracy_sums *sums = model == ACCURACY_CHOSEN
							   ? &user->chosen
							   : &user->of[model];

		if (user_id != UINT32_MAX && user->user_id != user_id)
			continue;
		ret->runs += sums->runs;
		ret->covered += sums->covered;
		ret->error_s += sums->error_s;
		ret->actual_s += sums->actual_s;
	}
}
