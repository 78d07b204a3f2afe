/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history.c - the runs that models learn from, in memory: names and groups
 *
 * Clusters, applications, users, names of parameters, groups and pairs are
 * arrays, each with an index (base/index.h) by hash.  A lookup holds what to
 * find, and same_*() compares it with an element.  history_intern_*() find an
 * element or add it; memory is reserved first, so that they change nothing on
 * failure.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/history_intern.h"

struct history *history_create(void)
{
	struct history *h = calloc(1, sizeof(*h));

	if (h)
		h->traits_unused = INDEX_NONE;
	return h;
}

void history_destroy(struct history *h)
{
	if (!h)
		return;
	for (uint32_t i = 0; i < h->clusters_count; i++)
		free(h->clusters[i]);
	for (uint32_t i = 0; i < h->applications_count; i++)
		free(h->applications[i].name);
	for (uint32_t i = 0; i < h->names_count; i++)
		free(h->names[i].of);
	for (uint32_t i = 0; i < h->groups_count; i++) {
		free(h->groups[i].runs);
		free(h->groups[i].values);
		free(h->groups[i].ranges);
	}
	for (uint32_t i = 0; i < h->traits_count; i++)
		free(h->traits[i].of);
	free(h->traits);
	free(h->clusters);
	free(h->applications);
	free(h->users);
	free(h->names);
	free(h->groups);
	free(h->pairs);
	index_clear(&h->clusters_index);
	index_clear(&h->applications_index);
	index_clear(&h->users_index);
	index_clear(&h->names_index);
	index_clear(&h->groups_index);
	index_clear(&h->pairs_index);
	index_clear(&h->traits_index);
	free(h);
}

/* --- Lookups -------------------------------------------------------------- */

struct history_lookup {
	const struct history *h;
	const char *text;
	uint32_t cluster;
	const struct parameters *parameters;
	struct history_group group;
};

static uint64_t hash_numbers(const uint32_t numbers[], size_t count)
{
	return index_hash(count, numbers, count * sizeof(numbers[0]));
}

static uint64_t hash_two(uint32_t a, uint32_t b)
{
	return hash_numbers((uint32_t[]){ a, b }, 2);
}

static bool same_cluster(const void *context, uint32_t i)
{
	const struct history_lookup *lookup = context;

	return strcmp(lookup->h->clusters[i], lookup->text) == 0;
}

static bool same_application(const void *context, uint32_t i)
{
	const struct history_lookup *lookup = context;
	const struct history_application *a = &lookup->h->applications[i];

	return a->cluster == lookup->cluster &&
	       strcmp(a->name, lookup->text) == 0;
}

static bool same_names(const void *context, uint32_t i)
{
	const struct history_lookup *lookup = context;
	const struct history_names *n = &lookup->h->names[i];

	if (n->count != lookup->parameters->count)
		return false;
	for (int j = 0; j < n->count; j++)
		if (strcmp(n->of[j], lookup->parameters->of[j].name) != 0)
			return false;
	return true;
}

static bool same_group(const void *context, uint32_t i)
{
	const struct history_group *want =
		&((const struct history_lookup *)context)->group;
	const struct history_group *g =
		&((const struct history_lookup *)context)->h->groups[i];

	return g->application == want->application && g->names == want->names &&
	       g->nodes == want->nodes && g->tasks == want->tasks &&
	       g->cpus == want->cpus;
}

static uint64_t hash_names(const struct parameters *p)
{
	uint64_t hash = (uint64_t)p->count;

	for (int i = 0; i < p->count; i++)
		hash = index_hash_text(hash, p->of[i].name);
	return hash;
}

static uint64_t hash_group(const struct history_group *g)
{
	return hash_numbers((uint32_t[]){ g->application, g->names, g->nodes,
					  g->tasks, g->cpus },
			    5);
}

/* --- Find ----------------------------------------------------------------- */

static uint32_t find_cluster(const struct history *h, const char *name)
{
	struct history_lookup lookup = { .h = h, .text = name };

	return index_find(&h->clusters_index, index_hash_text(0, name),
			  same_cluster, &lookup);
}

uint32_t history_application(const struct history *h, const char *cluster,
			     const char *name)
{
	struct history_lookup lookup = { .h = h,
					 .text = name,
					 .cluster = find_cluster(h, cluster) };

	return index_find(&h->applications_index,
			  index_hash_text(lookup.cluster, name),
			  same_application, &lookup);
}

uint32_t history_user(const struct history *h, const char *cluster,
		      uint32_t user_id)
{
	return index_find(&h->users_index,
			  hash_two(find_cluster(h, cluster), user_id), NULL,
			  NULL);
}

uint32_t history_names(const struct history *h, const struct parameters *p)
{
	struct history_lookup lookup = { .h = h, .parameters = p };

	return index_find(&h->names_index, hash_names(p), same_names, &lookup);
}

uint32_t history_group(const struct history *h, uint32_t application,
		       uint32_t names, uint32_t nodes, uint32_t tasks,
		       uint32_t cpus)
{
	struct history_lookup lookup = { .h = h,
					 .group = { .application = application,
						    .names = names,
						    .nodes = nodes,
						    .tasks = tasks,
						    .cpus = cpus } };

	return index_find(&h->groups_index, hash_group(&lookup.group),
			  same_group, &lookup);
}

uint32_t history_pair(const struct history *h, uint32_t user,
		      uint32_t application)
{
	return index_find(&h->pairs_index, hash_two(user, application), NULL,
			  NULL);
}

const struct history_brief *history_user_run(const struct history *h,
					     uint32_t user, uint32_t n)
{
	const struct history_user *u = &h->users[user];

	return n < u->count ? &u->newest[n] : NULL;
}

/* --- Find or add: INDEX_NONE if out of memory ----------------------------- */

/* Make room for one more in an array and its index; false: out of memory. */
#define ROOM_FOR_ONE(h, array)                                                \
	(!index_reserve(&(h)->array##_index) &&                               \
	 !index_grow(&(h)->array, &(h)->array##_capacity, (h)->array##_count, \
		     sizeof((h)->array[0])))

uint32_t history_intern_cluster(struct history *h, const char *name)
{
	uint32_t at = find_cluster(h, name);

	if (at != INDEX_NONE || !ROOM_FOR_ONE(h, clusters))
		return at;

	char *copy = strdup(name);

	if (!copy)
		return INDEX_NONE;
	at = h->clusters_count++;
	h->clusters[at] = copy;
	index_add(&h->clusters_index, index_hash_text(0, name), at);
	return at;
}

uint32_t history_intern_application(struct history *h, uint32_t cluster,
				    const char *name)
{
	uint32_t at = history_application(h, h->clusters[cluster], name);

	if (at != INDEX_NONE || !ROOM_FOR_ONE(h, applications))
		return at;

	char *copy = strdup(name);

	if (!copy)
		return INDEX_NONE;
	at = h->applications_count++;
	h->applications[at] = (struct history_application){
		.cluster = cluster,
		.name = copy,
		.groups = INDEX_NONE,
		.last_ended_at_s = NAN,
		.last_runtime_s = NAN,
	};
	index_add(&h->applications_index, index_hash_text(cluster, name), at);
	return at;
}

uint32_t history_intern_user(struct history *h, uint32_t cluster,
			     uint32_t user_id)
{
	uint64_t hash = hash_two(cluster, user_id);
	uint32_t at = index_find(&h->users_index, hash, NULL, NULL);

	if (at != INDEX_NONE || !ROOM_FOR_ONE(h, users))
		return at;
	at = h->users_count++;
	h->users[at] = (struct history_user){ .cluster = cluster,
					      .user_id = user_id,
					      .pairs = INDEX_NONE };
	index_add(&h->users_index, hash, at);
	return at;
}

uint32_t history_intern_names(struct history *h, const struct parameters *p)
{
	uint32_t at = history_names(h, p);

	if (at != INDEX_NONE || !ROOM_FOR_ONE(h, names))
		return at;

	struct history_names names = { .count = p->count };

	if (p->count) {
		names.of = calloc((size_t)p->count, sizeof(names.of[0]));
		if (!names.of)
			return INDEX_NONE;
	}
	for (int i = 0; i < p->count; i++)
		memcpy(names.of[i], p->of[i].name, sizeof(names.of[i]));
	at = h->names_count++;
	h->names[at] = names;
	index_add(&h->names_index, hash_names(p), at);
	return at;
}

uint32_t history_intern_pair(struct history *h, uint32_t user,
			     uint32_t application)
{
	uint32_t at = history_pair(h, user, application);

	if (at != INDEX_NONE || !ROOM_FOR_ONE(h, pairs))
		return at;
	at = h->pairs_count++;
	h->pairs[at] = (struct history_pair){
		.user = user,
		.application = application,
		.next = h->users[user].pairs,
		.last_ended_at_s = NAN,
	};
	h->users[user].pairs = at;
	index_add(&h->pairs_index, hash_two(user, application), at);
	return at;
}

uint32_t history_intern_group(struct history *h, uint32_t application,
			      uint32_t names, const struct subject *s)
{
	uint32_t at = history_group(h, application, names, s->nodes, s->tasks,
				    s->cpus);

	if (at != INDEX_NONE || !ROOM_FOR_ONE(h, groups))
		return at;
	at = h->groups_count++;
	h->groups[at] = (struct history_group){
		.application = application,
		.names = names,
		.nodes = s->nodes,
		.tasks = s->tasks,
		.cpus = s->cpus,
		.next = h->applications[application].groups,
	};
	h->applications[application].groups = at;
	index_add(&h->groups_index, hash_group(&h->groups[at]), at);
	return at;
}
