/* SPDX-License-Identifier: GPL-2.0-or-later */
/* users.c - user ids for users whose names alone are in a log */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/base/user_id.h"
#include "predictor/features/run.h"
#include "predictor/logs/users.h"

struct user {
	char name[RUN_NAME_SIZE];
	uint32_t number;
};

struct users {
	bool look_up_users;
	struct user *of;
	uint32_t count, capacity;
	struct index index; /* by name */
};

struct users *users_create(bool look_up_users)
{
	struct users *users = calloc(1, sizeof(*users));

	if (users)
		users->look_up_users = look_up_users;
	return users;
}

void users_destroy(struct users *users)
{
	if (!users)
		return;
	free(users->of);
	index_clear(&users->index);
	free(users);
}

/* FNV-1a, since it must be the user_has_name in every process. */
uint32_t users_made_number(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	hash |= 0x80000000u;
	return hash == UINT32_MAX ? UINT32_MAX - 1 : hash;
}

static uint32_t number_find(const struct users *users, const char *name)
{
	uid_t uid;
	bool found;

	if (users->look_up_users && !user_id_find(name, &uid, &found, NULL) &&
	    found)
		return uid;
	return users_made_number(name);
}

struct user_name_key {
	const struct users *users;
	const char *name;
};

static bool user_has_name(const void *context, uint32_t position)
{
	const struct user_name_key *key = context;

	return !strcmp(key->users->of[position].name, key->name);
}

uint32_t users_number(struct users *users, const char *name)
{
	const struct user_name_key key = { users, name };
	uint64_t hash = index_hash_text(0, name);
	uint32_t position =
		index_find(&users->index, hash, user_has_name, &key);

	if (position != INDEX_NONE)
		return users->of[position].number;

	uint32_t number = number_find(users, name);

	/* If memory runs out, the system is asked again the next time. */
	if (strlen(name) >= RUN_NAME_SIZE || index_reserve(&users->index) ||
	    index_grow(&users->of, &users->capacity, users->count,
		       sizeof(users->of[0])))
		return number;

	struct user *user = &users->of[users->count];

	strcpy(user->name, name);
	user->number = number;
	index_add(&users->index, hash, users->count++);
	return number;
}
