/* users.c - numbers for users of whom only the names are known */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/features/run.h"
#include "predictor/logs/users.h"

#define PASSWD_SIZE 16384 /* bytes for an entry; longer ones are not used */

struct user {
	char name[RUN_NAME_SIZE];
	uint32_t number;
};

struct users {
	bool ask_system;
	struct user *of;
	uint32_t count, capacity;
	struct index index; /* by name */
};

struct users *users_create(bool ask_system)
{
	struct users *users = calloc(1, sizeof(*users));

	if (users)
		users->ask_system = ask_system;
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

/* FNV-1a, since it must be the same in every process. */
uint32_t users_made_number(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	hash |= 0x80000000u;
	return hash == UINT32_MAX ? UINT32_MAX - 1 : hash;
}

static uint32_t find_number(const struct users *users, const char *name)
{
	char buffer[PASSWD_SIZE];
	struct passwd entry, *found = NULL;

	if (users->ask_system &&
	    !getpwnam_r(name, &entry, buffer, sizeof(buffer), &found) && found)
		return found->pw_uid;
	return users_made_number(name);
}

struct wanted {
	const struct users *users;
	const char *name;
};

static bool same(const void *context, uint32_t position)
{
	const struct wanted *w = context;

	return !strcmp(w->users->of[position].name, w->name);
}

uint32_t users_number(struct users *users, const char *name)
{
	const struct wanted wanted = { users, name };
	uint64_t hash = index_hash_text(0, name);
	uint32_t position = index_find(&users->index, hash, same, &wanted);

	if (position != INDEX_NONE)
		return users->of[position].number;

	uint32_t number = find_number(users, name);

	/* Without memory it is merely asked for again. */
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
