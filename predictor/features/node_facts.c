/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_facts.c - what Slurm's configuration says of the nodes of a cluster
 *
 * While it is filled, nodes are appended and equal ones share a kind, found
 * by a hash of all that matters.  Then nodes are sorted by name, and places
 * by weight and position.  Afterwards it is read only, without a lock.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/features/node_facts.h"

struct node_facts *node_facts_create(const char *cluster)
{
	struct node_facts *facts = calloc(1, sizeof(*facts));

	if (!facts)
		return NULL;
	atomic_init(&facts->references, 1);
	memccpy(facts->cluster, cluster, '\0', sizeof(facts->cluster) - 1);
	return facts;
}

struct node_facts *node_facts_get(struct node_facts *facts)
{
	if (facts)
		atomic_fetch_add(&facts->references, 1);
	return facts;
}

void node_facts_put(struct node_facts *facts)
{
	if (!facts || atomic_fetch_sub(&facts->references, 1) != 1)
		return;
	for (uint32_t i = 0; i < facts->kind_count; i++)
		free(facts->kinds[i].texts);
	index_clear(&facts->kind_index);
	free(facts->kinds);
	free(facts->by_place);
	free(facts->nodes);
	free(facts);
}

/* --- Filling -------------------------------------------------------------- */

struct kind_key {
	const struct node_facts *facts;
	const struct node_properties *node;
};

static bool kind_is_same(const void *context, uint32_t position)
{
	const struct kind_key *key = context;
	const struct node_kind *kind = &key->facts->kinds[position];
	const struct node_properties *node = key->node;

	return kind->cpus == node->cpus && kind->memory_mb == node->memory_mb &&
	       kind->closed == node->closed &&
	       strcmp(kind->features, node->features) == 0 &&
	       strcmp(kind->gres, node->gres) == 0 &&
	       strcmp(kind->partitions, node->partitions) == 0;
}

static uint64_t kind_hash(const struct node_properties *node)
{
	uint64_t hash = index_hash(0, &node->cpus, sizeof(node->cpus));

	hash = index_hash(hash, &node->memory_mb, sizeof(node->memory_mb));
	hash = index_hash(hash, &node->closed, sizeof(node->closed));
	hash = index_hash_text(hash, node->features);
	hash = index_hash_text(hash, node->gres);
	return index_hash_text(hash, node->partitions);
}

static char *text_append(char *to, const char *text)
{
	return stpcpy(to, text) + 1;
}

static int kind_init(struct node_kind *kind, const struct node_properties *node)
{
	*kind = (struct node_kind){ .cpus = node->cpus,
				    .memory_mb = node->memory_mb,
				    .closed = node->closed };
	kind->texts = malloc(strlen(node->features) + strlen(node->gres) +
			     strlen(node->partitions) + 3);
	if (!kind->texts)
		return -1;

	char *end = kind->texts;

	kind->features = end;
	end = text_append(end, node->features);
	kind->gres = end;
	end = text_append(end, node->gres);
	kind->partitions = end;
	text_append(end, node->partitions);
	gres_list_add(&kind->gres_list, node->gres, 1);
	return 0;
}

/* Return NODE_FACTS_NONE if memory is exhausted. */
static uint32_t kind_find_or_add(struct node_facts *facts,
				 const struct node_properties *node)
{
	const struct kind_key key = { facts, node };
	uint64_t hash = kind_hash(node);
	uint32_t at = index_find(&facts->kind_index, hash, kind_is_same, &key);

	if (at != INDEX_NONE)
		return at;
	at = facts->kind_count;
	if (index_reserve(&facts->kind_index) ||
	    index_grow(&facts->kinds, &facts->kind_capacity, at,
		       sizeof(facts->kinds[0])) ||
	    kind_init(&facts->kinds[at], node))
		return NODE_FACTS_NONE;
	index_add(&facts->kind_index, hash, at);
	facts->kind_count++;
	return at;
}

int node_facts_add(struct node_facts *facts, const struct node_properties *node,
		   struct sp_error *err)
{
	if (facts->count == NODE_FACTS_MAX)
		return sp_error_set(err, "more than %d nodes", NODE_FACTS_MAX);
	if (index_grow(&facts->nodes, &facts->capacity, facts->count,
		       sizeof(facts->nodes[0])))
		return sp_error_set(err, "out of memory");

	uint32_t kind = kind_find_or_add(facts, node);

	if (kind == NODE_FACTS_NONE)
		return sp_error_set(err, "out of memory");
	facts->kinds[kind].count++;

	struct node_facts_node *added = &facts->nodes[facts->count];

	*added = (struct node_facts_node){ .kind = kind,
					   .weight = node->weight,
					   .position = facts->count++ };
	strcpy(added->name, node->name);
	return 0;
}

COMPARE_BY_BOTH(compare_places, struct node_facts_node, weight, position)

COMPARE_BY_TEXT(compare_names, struct node_facts_node, name)

int node_facts_arrange(struct node_facts *facts, struct sp_error *err)
{
	index_clear(&facts->kind_index);
	facts->by_place = calloc(facts->count + 1, sizeof(facts->by_place[0]));
	if (!facts->by_place)
		return sp_error_set(err, "out of memory");
	if (!facts->count)
		return 0;
	qsort(facts->nodes, facts->count, sizeof(facts->nodes[0]),
	      compare_places);
	for (uint32_t i = 0; i < facts->count; i++)
		facts->nodes[i].place = i;
	qsort(facts->nodes, facts->count, sizeof(facts->nodes[0]),
	      compare_names);
	for (uint32_t i = 1; i < facts->count; i++)
		if (!compare_names(&facts->nodes[i - 1], &facts->nodes[i]))
			return sp_error_set(err, "node %s occurs twice",
					    facts->nodes[i].name);
	for (uint32_t i = 0; i < facts->count; i++)
		facts->by_place[facts->nodes[i].place] = i;
	return 0;
}

static int compare_name(const void *name, const void *node)
{
	return strcmp(name, ((const struct node_facts_node *)node)->name);
}

uint32_t node_facts_find(const struct node_facts *facts, const char *name)
{
	const struct node_facts_node *found =
		bsearch(name, facts->nodes, facts->count,
			sizeof(facts->nodes[0]), compare_name);

	return found ? (uint32_t)(found - facts->nodes) : NODE_FACTS_NONE;
}

/* --- What jobs demand ----------------------------------------------------- */

/* Tasks need not be spread evenly: of several only one is sure to be there. */
static uint32_t tasks_on_each(const struct job_size *s)
{
	return s->tasks_per_node && !s->tasks ? s->tasks_per_node : 1;
}

static uint32_t cpus_on_each(const struct job_size *s)
{
	struct job_size one = *s;

	one.tasks = tasks_on_each(s);
	one.cpus_min = 0;
	return job_size_cpus(&one, 1);
}

void node_demand_of(const struct submission *job, struct node_demand *ret)
{
	const struct job_size *size = &job->size;

	constraint_parse(job->features, &ret->constraint);
	gres_request_on_node(&job->gres, tasks_on_each(size), &ret->gres);
	ret->cpus = cpus_on_each(size);
	ret->memory_mb = size->memory_per_node_mb > 0
				 ? size->memory_per_node_mb
				 : size->memory_per_cpu_mb * ret->cpus;
	ret->exclusive = size->exclusive;
}

/* --- What a job may have -------------------------------------------------- */

/* Return whether one of `wanted`, "a,b", is among `partitions`. */
static bool partition_allows(const char *partitions, const char *wanted)
{
	if (!wanted || !*wanted || !*partitions)
		return true;
	while (*wanted) {
		size_t length = strcspn(wanted, ",");

		if (constraint_list_has(partitions, wanted, length))
			return true;
		wanted += length + (wanted[length] == ',');
	}
	return false;
}

/* An entry without a type is met by all types together. */
static bool gres_has(const struct gres_list *list, const struct gres *demand)
{
	uint64_t count = 0;

	for (int i = 0; i < list->count; i++)
		if (strcmp(list->of[i].name, demand->name) == 0 &&
		    (!*demand->type ||
		     strcmp(list->of[i].type, demand->type) == 0))
			count += list->of[i].count;
	return count >= demand->count;
}

static bool gres_allows(const struct gres_list *list,
			const struct gres_list *demand)
{
	if (list->count == GRES_MAX) /* there may be more */
		return true;
	for (int i = 0; i < demand->count; i++)
		if (!gres_has(list, &demand->of[i]))
			return false;
	return true;
}

static bool kind_suits(const struct node_kind *kind,
		       const struct node_demand *demand, const char *partition)
{
	return (!kind->cpus || kind->cpus >= demand->cpus) &&
	       (!(kind->memory_mb > 0) ||
		kind->memory_mb >= demand->memory_mb) &&
	       partition_allows(kind->partitions, partition) &&
	       gres_allows(&kind->gres_list, &demand->gres) &&
	       constraint_allows(&demand->constraint, kind->features);
}

void node_facts_allow(const struct node_facts *facts,
		      const struct node_demand *demand, const char *partition,
		      bool ret_allowed[])
{
	bool any_open = false;

	for (uint32_t i = 0; i < facts->kind_count; i++) {
		ret_allowed[i] =
			kind_suits(&facts->kinds[i], demand, partition);
		any_open |= ret_allowed[i] && !facts->kinds[i].closed;
	}
	for (uint32_t i = 0; any_open && i < facts->kind_count; i++)
		ret_allowed[i] &= !facts->kinds[i].closed;
}

/* What is not known is enough. */
static struct node_room kind_room(const struct node_kind *kind)
{
	return (struct node_room){
		.cpus = kind->cpus ? kind->cpus : UINT32_MAX,
		.memory_mb = kind->memory_mb > 0 ? (uint64_t)kind->memory_mb
						 : UINT64_MAX,
	};
}

/* Return whether any node is in one of them: a partition may be newer than
 * the facts. */
static bool partition_is_known(const struct node_facts *facts,
			       const char *partition)
{
	for (uint32_t i = 0; i < facts->kind_count; i++)
		if (partition_allows(facts->kinds[i].partitions, partition))
			return true;
	return false;
}

bool node_facts_hold(const struct node_facts *facts,
		     const struct node_demand *demand, const char *partition,
		     const struct job_size *size)
{
	struct node_fits fits = { { 0 } };

	if (!partition_is_known(facts, partition))
		return true;
	for (uint32_t i = 0; i < facts->kind_count; i++) {
		struct node_room room = kind_room(&facts->kinds[i]);

		if (kind_suits(&facts->kinds[i], demand, partition))
			fits.nodes[job_size_fit(size, &room)] +=
				facts->kinds[i].count;
	}
	return job_size_can_fit(size, &fits);
}

uint32_t node_facts_cpus_per_node(const struct node_facts *facts,
				  const struct node_demand *demand,
				  const char *partition)
{
	uint32_t most = 0, cpus = 0;

	for (uint32_t i = 0; i < facts->kind_count; i++) {
		const struct node_kind *kind = &facts->kinds[i];

		if (kind->count > most && kind_suits(kind, demand, partition)) {
			most = kind->count;
			cpus = kind->cpus;
		}
	}
	return cpus;
}
