/* history.c - the finished runs that models learn from, in memory
 *
 * Adding reserves all memory first, so that a failure leaves at most an entry
 * without runs behind, which nobody can tell from none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/models/history.h"

struct history *history_create(void)
{
	return calloc(1, sizeof(struct history));
}

void history_destroy(struct history *h)
{
	if (!h)
		return;
	for (uint32_t i = 0; i < h->clusters_count; i++)
		free(h->clusters[i]);
	for (uint32_t i = 0; i < h->applications_count; i++)
		free(h->applications[i].name);
	for (uint32_t i = 0; i < h->users_count; i++)
		free(h->users[i].runs);
	for (uint32_t i = 0; i < h->names_count; i++)
		free(h->names[i].of);
	for (uint32_t i = 0; i < h->groups_count; i++) {
		free(h->groups[i].runs);
		free(h->groups[i].values);
	}
	free(h->clusters);
	free(h->applications);
	free(h->users);
	free(h->names);
	free(h->groups);
	index_clear(&h->clusters_index);
	index_clear(&h->applications_index);
	index_clear(&h->users_index);
	index_clear(&h->names_index);
	index_clear(&h->groups_index);
	free(h);
}

/* --- What is looked for, and whether an element is it ------------------- */

struct key {
	const struct history *h;
	const char *text;
	uint32_t cluster;
	uint32_t user_id;
	const struct parameters *parameters;
	struct history_group group;
};

static uint64_t hash_numbers(const uint32_t numbers[], size_t count)
{
	return index_hash(count, numbers, count * sizeof(numbers[0]));
}

static bool same_cluster(const void *context, uint32_t i)
{
	const struct key *key = context;

	return strcmp(key->h->clusters[i], key->text) == 0;
}

static bool same_application(const void *context, uint32_t i)
{
	const struct key *key = context;
	const struct history_application *a = &key->h->applications[i];

	return a->cluster == key->cluster && strcmp(a->name, key->text) == 0;
}

static bool same_user(const void *context, uint32_t i)
{
	const struct key *key = context;
	const struct history_user *u = &key->h->users[i];

	return u->cluster == key->cluster && u->user_id == key->user_id;
}

static bool same_names(const void *context, uint32_t i)
{
	const struct key *key = context;
	const struct history_names *n = &key->h->names[i];

	if (n->count != key->parameters->count)
		return false;
	for (int j = 0; j < n->count; j++)
		if (strcmp(n->of[j], key->parameters->of[j].name) != 0)
			return false;
	return true;
}

static bool same_group(const void *context, uint32_t i)
{
	const struct history_group *want =
		&((const struct key *)context)->group;
	const struct history_group *g =
		&((const struct key *)context)->h->groups[i];

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

static uint64_t hash_user(const struct key *key)
{
	return hash_numbers((uint32_t[]){ key->cluster, key->user_id }, 2);
}

static uint64_t hash_group(const struct history_group *g)
{
	return hash_numbers((uint32_t[]){ g->application, g->names, g->nodes,
					  g->tasks, g->cpus },
			    5);
}

/* --- Finding ------------------------------------------------------------ */

static uint32_t find_cluster(const struct history *h, const char *name)
{
	struct key key = { .h = h, .text = name };

	return index_find(&h->clusters_index, index_hash_text(0, name),
			  same_cluster, &key);
}

uint32_t history_application(const struct history *h, const char *cluster,
			     const char *name)
{
	struct key key = { .h = h,
			   .text = name,
			   .cluster = find_cluster(h, cluster) };

	return index_find(&h->applications_index,
			  index_hash_text(key.cluster, name), same_application,
			  &key);
}

uint32_t history_user(const struct history *h, const char *cluster,
		      uint32_t user_id)
{
	struct key key = { .h = h,
			   .cluster = find_cluster(h, cluster),
			   .user_id = user_id };

	return index_find(&h->users_index, hash_user(&key), same_user, &key);
}

uint32_t history_names(const struct history *h, const struct parameters *p)
{
	struct key key = { .h = h, .parameters = p };

	return index_find(&h->names_index, hash_names(p), same_names, &key);
}

uint32_t history_group(const struct history *h, uint32_t application,
		       uint32_t names, uint32_t nodes, uint32_t tasks,
		       uint32_t cpus)
{
	struct key key = { .h = h,
			   .group = { .application = application,
				      .names = names,
				      .nodes = nodes,
				      .tasks = tasks,
				      .cpus = cpus } };

	return index_find(&h->groups_index, hash_group(&key.group), same_group,
			  &key);
}

const struct history_run *history_user_run(const struct history *h,
					   uint32_t user, uint32_t n)
{
	const struct history_user *u = &h->users[user];

	if (n >= u->count)
		return NULL;

	const struct history_place *at = &u->runs[u->count - 1 - n];

	return &h->groups[at->group].runs[at->run];
}

/* --- Finding or making: INDEX_NONE if memory ran out ---------------------- */

static uint32_t intern_cluster(struct history *h, const char *name)
{
	uint32_t at = find_cluster(h, name);

	if (at != INDEX_NONE)
		return at;
	if (index_reserve(&h->clusters_index) ||
	    index_grow(&h->clusters, &h->clusters_capacity, h->clusters_count,
		       sizeof(h->clusters[0])))
		return INDEX_NONE;

	char *copy = strdup(name);

	if (!copy)
		return INDEX_NONE;
	at = h->clusters_count++;
	h->clusters[at] = copy;
	index_add(&h->clusters_index, index_hash_text(0, name), at);
	return at;
}

static uint32_t intern_application(struct history *h, uint32_t cluster,
				   const char *name)
{
	uint32_t at = history_application(h, h->clusters[cluster], name);

	if (at != INDEX_NONE)
		return at;
	if (index_reserve(&h->applications_index) ||
	    index_grow(&h->applications, &h->applications_capacity,
		       h->applications_count, sizeof(h->applications[0])))
		return INDEX_NONE;

	char *copy = strdup(name);

	if (!copy)
		return INDEX_NONE;
	at = h->applications_count++;
	h->applications[at] = (struct history_application){
		.cluster = cluster,
		.name = copy,
		.groups = INDEX_NONE,
		.last_ended_at_s = NAN,
	};
	index_add(&h->applications_index, index_hash_text(cluster, name), at);
	return at;
}

static uint32_t intern_user(struct history *h, uint32_t cluster,
			    uint32_t user_id)
{
	struct key key = { .h = h, .cluster = cluster, .user_id = user_id };
	uint32_t at =
		index_find(&h->users_index, hash_user(&key), same_user, &key);

	if (at != INDEX_NONE)
		return at;
	if (index_reserve(&h->users_index) ||
	    index_grow(&h->users, &h->users_capacity, h->users_count,
		       sizeof(h->users[0])))
		return INDEX_NONE;
	at = h->users_count++;
	h->users[at] =
		(struct history_user){ .cluster = cluster, .user_id = user_id };
	index_add(&h->users_index, hash_user(&key), at);
	return at;
}

static uint32_t intern_names(struct history *h, const struct parameters *p)
{
	uint32_t at = history_names(h, p);

	if (at != INDEX_NONE)
		return at;
	if (index_reserve(&h->names_index) ||
	    index_grow(&h->names, &h->names_capacity, h->names_count,
		       sizeof(h->names[0])))
		return INDEX_NONE;

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

static uint32_t intern_group(struct history *h, uint32_t application,
			     uint32_t names, const struct run *run)
{
	uint32_t at = history_group(h, application, names, run->nodes,
				    run->tasks, run->cpus);

	if (at != INDEX_NONE)
		return at;
	if (index_reserve(&h->groups_index) ||
	    index_grow(&h->groups, &h->groups_capacity, h->groups_count,
		       sizeof(h->groups[0])))
		return INDEX_NONE;
	at = h->groups_count++;
	h->groups[at] = (struct history_group){
		.application = application,
		.names = names,
		.nodes = run->nodes,
		.tasks = run->tasks,
		.cpus = run->cpus,
		.next = h->applications[application].groups,
	};
	h->applications[application].groups = at;
	index_add(&h->groups_index, hash_group(&h->groups[at]), at);
	return at;
}

/* --- Adding --------------------------------------------------------------- */

static int group_reserve(struct history_group *g, int width)
{
	uint32_t capacity = g->capacity;

	if (g->count < capacity)
		return 0;
	if (index_grow(&g->runs, &capacity, g->count, sizeof(g->runs[0])))
		return -1;
	if (width) {
		double *values = reallocarray(g->values,
					      (size_t)capacity * (size_t)width,
					      sizeof(*values));

		/* The runs' array has grown all the same: it is only larger
		 * than `capacity` says. */
		if (!values)
			return -1;
		g->values = values;
	}
	g->capacity = capacity;
	return 0;
}

static void group_append(struct history_group *g, int width, uint32_t user,
			 const struct run *run)
{
	const struct conditions *before = &run->before;

	for (int i = 0; i < width; i++)
		g->values[(size_t)g->count * (size_t)width + (size_t)i] =
			run->application.parameters.of[i].value;
	g->runs[g->count++] = (struct history_run){
		.runtime_s = fmax(run_runtime_s(run), HISTORY_RUNTIME_MIN_S),
		.ended_at_s = run->ended_at_s,
		.job_id = run->job_id,
		.user = user,
		.limit_s = (float)run->limit_s,
		.cpu_load = (float)before->cpu_load,
		.cpu_load_max = (float)before->cpu_load_max,
		.cpu_available = (float)before->cpu_available,
		.cpu_available_min = (float)before->cpu_available_min,
		.bandwidth_bps = (float)before->bandwidth_bps,
		.latency_s = (float)before->latency_s,
	};
}

/* Slurm's times are whole seconds: of two that ended together the greater job
 * id counts as newer, whichever was heard of first. */
static bool newer(const struct history_run *a, const struct history_run *b)
{
	if (a->ended_at_s != b->ended_at_s)
		return a->ended_at_s > b->ended_at_s;
	return a->job_id > b->job_id;
}

static void user_insert(struct history *h, struct history_user *u,
			struct history_place place)
{
	const struct history_run *run = &h->groups[place.group].runs[place.run];
	uint32_t n = 0;

	while (n < u->count &&
	       newer(history_user_run(h, (uint32_t)(u - h->users), n), run))
		n++;

	struct history_place *at = &u->runs[u->count - n];

	memmove(at + 1, at, n * sizeof(*at));
	*at = place;
	u->count++;
}

int history_add(struct history *h, const struct run *run, struct sp_error *err)
{
	double runtime_s = run_runtime_s(run);

	if (!run_is_representative(run))
		return sp_error_set(err, "job %u: did not complete",
				    run->job_id);
	if (!isfinite(runtime_s) || runtime_s < 0)
		return sp_error_set(err, "job %u: bad run time %g", run->job_id,
				    runtime_s);

	uint32_t cluster = intern_cluster(h, run->cluster);
	uint32_t names = intern_names(h, &run->application.parameters);

	if (cluster == INDEX_NONE || names == INDEX_NONE)
		goto memory;

	uint32_t user = intern_user(h, cluster, run->user_id);
	uint32_t application =
		intern_application(h, cluster, run->application.name);

	if (user == INDEX_NONE || application == INDEX_NONE)
		goto memory;

	uint32_t group = intern_group(h, application, names, run);

	if (group == INDEX_NONE)
		goto memory;

	struct history_user *u = &h->users[user];
	struct history_group *g = &h->groups[group];
	int width = h->names[names].count;

	if (group_reserve(g, width) ||
	    index_grow(&u->runs, &u->capacity, u->count, sizeof(u->runs[0])))
		goto memory;

	struct history_application *a = &h->applications[application];

	group_append(g, width, user, run);
	user_insert(h, u, (struct history_place){ group, g->count - 1 });
	a->runs++;
	if (!(a->last_ended_at_s >= run->ended_at_s))
		a->last_ended_at_s = run->ended_at_s;
	h->runs++;
	return 0;
memory:
	return sp_error_set(err, "job %u: out of memory for the history",
			    run->job_id);
}
