/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assumed_set.c - the nodes that a prediction assumes
 *
 * Each rule of placement_rules.h proposes a set: the chooser the best one,
 * stock_sets.h the others, on the nodes that have room now (room_now.h).  Equal
 * sets are one, with the sum of their weights.  The heaviest is assumed, and
 * the run time on the others follows from the ranking.
 *
 * The chooser and the sets keep their memory, so predictions use them in turn,
 * under assumed_sets.lock.  The engine's lock is taken within it, to see what
 * is allocated and what was learned.  What was chosen is copied for the caller.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/assumed_set.h"
#include "predictor/engine/nodes/job_model.h"
#include "predictor/engine/nodes/node_sets_state.h"
#include "predictor/engine/nodes/snapshots_state.h"
#include "predictor/placement/placement_rules.h"
#include "predictor/placement/room_now.h"

/* A rule that is less likely proposes no set. */
#define WEIGHT_MIN 0.02

/* A job that has to wait gets what is free then: this part of the weight of the
 * stock rules goes to any nodes. */
#define WAITING_SHARE 0.5

/* The ranking is not believed to more than this. */
#define RATIO_MAX 20.0

struct node_set {
	double weight;
	double runtime_s; /* by the ranking; NAN: not known */
	uint32_t count, capacity;
	char (*names)[HOSTLIST_NAME_SIZE]; /* sorted by strcmp() */
};

struct assumed_sets {
	struct ordered_lock lock; /* of all below */
	struct chooser *chooser;
	struct room_now room;
	int count;
	struct node_set sets[ASSUMED_SETS_MAX]; /* keep their memory */
};

struct assumed_sets *assumed_create(void)
{
	struct assumed_sets *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	ordered_lock_init(&a->lock, LOCK_ASSUMED);
	a->chooser = chooser_create();
	if (a->chooser)
		return a;
	assumed_destroy(a);
	return NULL;
}

void assumed_destroy(struct assumed_sets *a)
{
	if (!a)
		return;
	for (int i = 0; i < ASSUMED_SETS_MAX; i++)
		free(a->sets[i].names);
	room_clear(&a->room);
	chooser_destroy(a->chooser);
	ordered_lock_destroy(&a->lock);
	free(a);
}

/* --- Sets ----------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static bool is_same(const struct node_set *a, const struct node_set *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (strcmp(a->names[i], b->names[i]) != 0)
			return false;
	return true;
}

/* Return the set that is not counted yet, with room for that many names; NULL:
 * out of memory. */
static struct node_set *set_begin(struct assumed_sets *a, uint32_t count)
{
	struct node_set *set = &a->sets[a->count];

	if (a->count == ASSUMED_SETS_MAX ||
	    (count && index_grow(&set->names, &set->capacity, count - 1,
				 sizeof(set->names[0]))))
		return NULL;
	set->count = 0;
	set->runtime_s = NAN;
	return set;
}

/* Count it, or add its weight to the same one. */
static void set_end(struct assumed_sets *a, double weight)
{
	struct node_set *set = &a->sets[a->count];

	if (!set->count)
		return;
	qsort(set->names, set->count, sizeof(set->names[0]), compare_names);
	for (int i = 0; i < a->count; i++)
		if (is_same(&a->sets[i], set)) {
			a->sets[i].weight += weight;
			return;
		}
	set->weight = weight;
	a->count++;
}

static void set_best(struct assumed_sets *a, double weight)
{
	struct rank_set worth;
	struct hostlist names;
	struct node_set *set;

	if (chooser_best(a->chooser, &worth))
		return;
	chooser_names(a->chooser, &names);
	set = set_begin(a, (uint32_t)names.count);
	if (!set)
		return;
	for (size_t i = 0; i < names.count && i < ASSUMED_MAX; i++)
		memcpy(set->names[set->count++], names.names[i],
		       HOSTLIST_NAME_SIZE);
	set_end(a, weight);
}

/* Of `count` nodes in room->picked. */
static void set_picked(struct assumed_sets *a, uint32_t count, double weight)
{
	struct node_set *set = set_begin(a, count);

	if (!set)
		return;
	for (uint32_t i = 0; i < count && i < ASSUMED_MAX; i++)
		strcpy(set->names[set->count++],
		       a->room.facts->nodes[a->room.picked[i]].name);
	set_end(a, weight);
}

static void set_of_rule(struct assumed_sets *a, enum placement_rule rule,
			double weight)
{
	struct room_now *room = &a->room;
	struct stock_request request = room_stock(room);

	switch (rule) {
	case RULE_FIRST:
		set_picked(a, stock_first(&request, room->picked), weight);
		break;
	case RULE_LEAST_LOADED:
		set_picked(a, stock_least_loaded(&request, room->picked),
			   weight);
		break;
	case RULE_BEST:
		set_best(a, weight);
		break;
	default:
		set_picked(a, stock_at(&request, 0.5, room->picked),
			   weight / 2);
		request = room_stock(room);
		set_picked(a, stock_at(&request, 1, room->picked), weight / 2);
		break;
	}
}

/* --- Choosing ------------------------------------------------------------- */

static void expected_weights(const struct assumed_request *request, bool placed,
			     double ret[PLACEMENT_RULES])
{
	placement_rules_expected(placed ? RULE_BEST
				 : request->facts->least_loaded
					 ? RULE_LEAST_LOADED
					 : RULE_FIRST,
				 ret);
}

/* The best set must be of nodes with room, too. */
static void leave_out_full(struct assumed_sets *a)
{
	const struct room_now *room = &a->room;

	for (uint32_t i = 0; i < room->facts->count; i++)
		if (room->kinds[room->facts->nodes[i].kind] && !room->open[i] &&
		    !room->required[i])
			chooser_leave_out_fact(a->chooser, i);
}

/* Find what has room, and how likely each rule is.  -1: Slurm's nodes are
 * not known. */
static int rules_prepare(struct engine *engine, const struct prediction *p,
			 const struct assumed_request *request,
			 const struct named_nodes *named, bool placed,
			 double ret_weights[PLACEMENT_RULES])
{
	struct assumed_sets *a = engine->assumed;
	const struct room_request room = {
		.demand = request->demand,
		.partition = p->partition,
		.named = named,
		.nodes = p->nodes ? p->nodes : 1,
		.cpus = p->cpus,
	};
	double expected[PLACEMENT_RULES];

	if (!request->facts)
		return -1;
	expected_weights(request, placed, expected);
	ordered_lock_take(&engine->lock);

	int rc = room_note(&a->room, engine->allocations, request->facts,
			   p->made_at_s);

	placement_rules_weights(engine->rules, p, expected, ret_weights);
	ordered_lock_give(&engine->lock);
	if (rc || room_find(&a->room, &room))
		return -1;
	if (!a->room.waits)
		leave_out_full(a);
	return 0;
}

static void weights_of_waiting(double weights[PLACEMENT_RULES])
{
	for (int i = 0; i < PLACEMENT_RULES; i++) {
		if (i == RULE_BEST || i == RULE_OTHER)
			continue;
		weights[RULE_OTHER] += weights[i] * WAITING_SHARE;
		weights[i] *= 1 - WAITING_SHARE;
	}
}

/* The heaviest one first. */
static void sets_order(struct assumed_sets *a)
{
	for (int i = 1; i < a->count; i++)
		if (a->sets[i].weight > a->sets[0].weight) {
			struct node_set set = a->sets[0];

			a->sets[0] = a->sets[i];
			a->sets[i] = set;
		}
}

static double set_ratio(const struct assumed_sets *a, int i)
{
	double ratio = a->sets[i].runtime_s / a->sets[0].runtime_s;

	if (i == 0 || !isfinite(ratio))
		return 1;
	return fmin(fmax(ratio, 1 / RATIO_MAX), RATIO_MAX);
}

static void sets_rate(struct assumed_sets *a)
{
	for (int i = 0; i < a->count && a->count > 1; i++) {
		struct hostlist names = { .count = a->sets[i].count,
					  .names = a->sets[i].names };
		struct rank_set worth;

		if (!chooser_evaluate(a->chooser, &names, &worth))
			a->sets[i].runtime_s = worth.runtime_s;
	}
}

static void sets_result(const struct assumed_sets *a, struct assumed *ret)
{
	double sum = 0;

	ret->count = a->count;
	if (a->count) {
		ret->nodes.count = a->sets[0].count;
		memcpy(ret->names, a->sets[0].names,
		       a->sets[0].count * sizeof(ret->names[0]));
	}
	for (int i = 0; i < a->count; i++)
		sum += a->sets[i].weight;
	for (int i = 0; i < a->count; i++) {
		ret->weights[i] = a->sets[i].weight / sum;
		ret->ratios[i] = set_ratio(a, i);
	}
}

/* What is looked up before the lock is taken. */
struct choice {
	struct chooser_request request;
	struct snapshot *snapshot; /* a reference; NULL: none */
	struct named_nodes named;
	bool scheduled; /* a scheduler fetches our snapshots */
};

/* Return -1 if memory is exhausted.  *ret is to be cleared in any case. */
static int choice_prepare(struct engine *engine, const struct prediction *p,
			  const struct assumed_request *request,
			  struct choice *ret)
{
	ret->snapshot = snapshots_current(engine, p->cluster, p->made_at_s,
					  &ret->scheduled);
	ret->request = sets_request(p, ret->snapshot, request->model);

	int rc = named_nodes_find(ret->snapshot, request->facts,
				  request->required, request->excluded,
				  &ret->named);

	ret->request.required = request->required;
	ret->request.left_out = ret->named.out;
	ret->request.facts = request->facts;
	ret->request.demand = request->demand;
	ret->request.known_only = !ret->scheduled;
	ret->request.or_fewer = true;
	return rc;
}

static void choice_clear(struct choice *choice)
{
	named_nodes_clear(&choice->named);
	snapshot_put(choice->snapshot);
}

/* Under the lock, as those below.  -1: out of memory. */
static int choice_begin(struct assumed_sets *a, const struct choice *choice)
{
	a->count = 0;
	return chooser_begin(a->chooser, &choice->request);
}

/* Have each likely rule propose a set.  Return whether there is room now. */
static bool sets_find(struct engine *engine, const struct prediction *p,
		      const struct assumed_request *request,
		      const struct choice *choice)
{
	struct assumed_sets *a = engine->assumed;
	double weights[PLACEMENT_RULES];

	if (rules_prepare(engine, p, request, &choice->named,
			  choice->scheduled && request->placed, weights)) {
		set_best(a, 1);
		return false;
	}
	if (a->room.waits)
		weights_of_waiting(weights);
	for (int i = 0; i < PLACEMENT_RULES; i++)
		if (weights[i] >= WEIGHT_MIN)
			set_of_rule(a, (enum placement_rule)i, weights[i]);
	return !a->room.waits;
}

void assumed_choose(struct engine *engine, const struct prediction *p,
		    const struct assumed_request *request, struct assumed *ret)
{
	struct assumed_sets *a = engine->assumed;
	struct choice choice;
	int rc = choice_prepare(engine, p, request, &choice);

	ret->nodes = (struct hostlist){ .names = ret->names };
	ret->starts = false;
	ret->count = 0;
	ordered_lock_take(&a->lock);
	if (!rc && !choice_begin(a, &choice)) {
		ret->starts = sets_find(engine, p, request, &choice);
		sets_order(a);
		sets_rate(a);
		sets_result(a, ret);
	}
	ordered_lock_give(&a->lock);
	choice_clear(&choice);
}

/* --- Learning ------------------------------------------------------------- */

/* Return the share of the nodes given that a rule would have taken; NAN: it
 * has no set. */
static double share_taken(struct assumed_sets *a, enum placement_rule rule,
			  const struct hostlist *given)
{
	const struct node_set *set = &a->sets[0];
	uint32_t count = 0;

	a->count = 0;
	set_of_rule(a, rule, 1);
	if (!a->count)
		return NAN;
	for (size_t i = 0; i < given->count; i++)
		count += bsearch(given->names[i], set->names, set->count,
				 sizeof(set->names[0]), compare_names) != NULL;
	return (double)count / (double)given->count;
}

/* Where the job had no room by our reckoning, that is what is wrong. */
static void rules_learn(struct engine *engine, const struct prediction *p,
			const struct assumed_request *request,
			const struct named_nodes *named, bool placed,
			const struct hostlist *given)
{
	struct assumed_sets *a = engine->assumed;
	double expected[PLACEMENT_RULES], taken[PLACEMENT_RULES];

	if (rules_prepare(engine, p, request, named, placed, taken) ||
	    a->room.waits)
		return;
	for (int i = 0; i < PLACEMENT_RULES; i++)
		taken[i] =
			i == RULE_OTHER
				? NAN
				: share_taken(a, (enum placement_rule)i, given);
	expected_weights(request, placed, expected);
	ORDERED_LOCK_HOLD(&engine->lock);

	placement_rules_learn(engine->rules, p, expected, taken);
}

void assumed_learn(struct engine *engine, const struct run *run,
		   const struct prediction *p, bool placed)
{
	struct prediction now = *p;
	struct placement_model model;
	struct node_demand demand;
	struct hostlist given;
	struct assumed_request request = {
		.model = &model,
		.facts = engine_node_facts(engine, run->cluster),
		.demand = &demand,
	};
	struct choice choice;

	if (!request.facts)
		return;
	now.made_at_s = run->started_at_s;
	strcpy(now.cluster, run->cluster);
	sets_demand(p, &demand);
	sets_expand(run->node_list, &given);
	now.nodes = (uint32_t)given.count;
	ordered_lock_take(&engine->lock);
	job_model(engine->profiles, engine->block_weights, engine->nodes, p,
		  job_model_median_s(p), &model);
	ordered_lock_give(&engine->lock);

	int rc = choice_prepare(engine, &now, &request, &choice);

	ordered_lock_take(&engine->assumed->lock);
	if (!rc && !choice_begin(engine->assumed, &choice) && given.count)
		rules_learn(engine, &now, &request, &choice.named,
			    choice.scheduled && placed, &given);
	ordered_lock_give(&engine->assumed->lock);
	choice_clear(&choice);
	hostlist_clear(&given);
	node_facts_put(request.facts);
}

/* Other users leave less of the CPUs than this, or another likely set takes
 * longer or shorter by this share: the user sees which nodes are meant. */
#define NODES_BUSY   0.9
#define NODES_DIFFER 0.1

static bool nodes_matter(const struct assumed *assumed,
			 const struct prediction *p)
{
	if (p->conditions.cpu_available_min < NODES_BUSY)
		return true;
	for (int i = 1; i < assumed->count; i++)
		if (fabs(assumed->ratios[i] - 1) > NODES_DIFFER)
			return true;
	return false;
}

void assumed_show(const struct assumed *assumed, struct prediction *p)
{
	if (p->basis == BASIS_HISTORY && nodes_matter(assumed, p) &&
	    strlen(p->assumed_nodes) < sizeof(p->nodes_shown))
		strcpy(p->nodes_shown, p->assumed_nodes);
}
