/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chooser.c - the nodes of a snapshot as candidates for a job, and the best set
 *
 * Each choice makes its candidates anew: required nodes first, those that the
 * snapshot does not know among them, then all that is_candidate() lets in, in
 * the order in which Slurm takes nodes (node_filter.h).  rank.h chooses.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/chooser.h"
#include "predictor/placement/node_filter.h"
#include "predictor/snapshot/snapshot_state.h"

struct chooser {
	struct chooser_request request;
	struct snapshot *empty; /* for a snapshot that is missing */
	struct node_filter *filter;

	uint32_t capacity; /* candidates that there is room for */
	bool *left_out;    /* of each node of the snapshot */
	bool *taken;       /* likewise: it is a candidate */
	uint32_t *places;  /* likewise, in the natural order of names */
	struct rank_candidate *candidates; /* required ones first */
	uint32_t count, required;          /* candidates */
	uint32_t *chosen;                  /* positions of candidates */
	uint32_t chosen_count;
	char (*names)[HOSTLIST_NAME_SIZE];
	void *scratch;
};

static void chooser_free(struct chooser *c)
{
	free(c->left_out);
	free(c->taken);
	free(c->places);
	free(c->candidates);
	free(c->chosen);
	free(c->names);
	free(c->scratch);
	c->capacity = 0;
}

static int chooser_reserve(struct chooser *c, uint32_t count)
{
	if (c->capacity && count <= c->capacity)
		return 0;
	chooser_free(c);
	count = count ? count : 1;
	c->left_out = calloc(count, sizeof(c->left_out[0]));
	c->taken = calloc(count, sizeof(c->taken[0]));
	c->places = calloc(count, sizeof(c->places[0]));
	c->candidates = calloc(count, sizeof(c->candidates[0]));
	c->chosen = calloc(count, sizeof(c->chosen[0]));
	c->names = calloc(count, sizeof(c->names[0]));
	c->scratch = malloc(rank_scratch_size(count));
	if (!c->left_out || !c->taken || !c->places || !c->candidates ||
	    !c->chosen || !c->names || !c->scratch)
		return -1;
	c->capacity = count;
	return 0;
}

struct chooser *chooser_create(void)
{
	struct chooser *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->empty = snapshot_create(0, 0, 0);
	c->filter = node_filter_create();
	if (c->empty && c->filter && !snapshot_arrange(c->empty))
		return c;
	chooser_destroy(c);
	return NULL;
}

void chooser_destroy(struct chooser *c)
{
	if (!c)
		return;
	chooser_free(c);
	snapshot_put(c->empty);
	node_filter_destroy(c->filter);
	free(c);
}

static uint32_t required_count(const struct hostlist *list)
{
	size_t count = list ? list->count : 0;

	return (uint32_t)(count < CHOOSER_REQUIRED_MAX ? count
						       : CHOOSER_REQUIRED_MAX);
}

int chooser_begin(struct chooser *c, const struct chooser_request *request)
{
	c->request = *request;
	if (!request->snapshot)
		c->request.snapshot = c->empty;

	uint32_t nodes = c->request.snapshot->node_count;

	c->count = 0;
	c->required = 0;
	c->chosen_count = 0;

	const struct node_filter_request filter = {
		.snapshot = c->request.snapshot,
		.facts = request->facts,
		.demand = request->demand,
		.partition = request->partition,
	};

	if (chooser_reserve(c, nodes + required_count(request->required)) ||
	    node_filter_begin(c->filter, &filter))
		return -1;
	memset(c->left_out, 0, nodes * sizeof(c->left_out[0]));
	if (request->left_out)
		memcpy(c->left_out, request->left_out,
		       nodes * sizeof(c->left_out[0]));
	for (uint32_t i = 0; i < nodes; i++)
		c->places[c->request.snapshot->order[i]] = i;
	if (request->excluded)
		chooser_leave_out(c, request->excluded, true);
	return 0;
}

void chooser_leave_out(struct chooser *c, const struct hostlist *list,
		       bool left_out)
{
	for (size_t i = 0; i < list->count; i++) {
		uint32_t node =
			snapshot_node(c->request.snapshot, list->names[i]);

		if (node != SNAPSHOT_NONE)
			c->left_out[node] = left_out;
	}
}

void chooser_leave_out_fact(struct chooser *c, uint32_t fact)
{
	uint32_t node = node_filter_node(c->filter, fact);

	if (node != SNAPSHOT_NONE)
		c->left_out[node] = true;
}

/* --- Candidates ----------------------------------------------------------- */

/* Return whether the job may get a node that it does not require. */
static bool is_candidate(const struct chooser *c, uint32_t node)
{
	const struct snapshot_node *n = &c->request.snapshot->nodes[node];

	if (c->left_out[node] || c->taken[node] ||
	    !node_filter_allows(c->filter, node))
		return false;
	return !c->request.known_only || !isnan(n->available[0]);
}

static void candidate_add(struct chooser *c, uint32_t node)
{
	c->candidates[c->count] = (struct rank_candidate){
		.node = node,
		/* Those that are not known come last. */
		.place = node != SNAPSHOT_NONE
				 ? c->places[node]
				 : c->request.snapshot->node_count + c->count,
		.leaf = SNAPSHOT_NONE,
	};
	if (node != SNAPSHOT_NONE)
		c->taken[node] = true;
	c->count++;
}

/* A node that is named twice, or is excluded as well, is left out. */
static void candidates_require(struct chooser *c, const struct hostlist *list)
{
	uint32_t count = required_count(list);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node =
			snapshot_node(c->request.snapshot, list->names[i]);

		if (node != SNAPSHOT_NONE &&
		    (c->taken[node] || c->left_out[node]))
			continue;
		memcpy(c->names[c->count], list->names[i], HOSTLIST_NAME_SIZE);
		candidate_add(c, node);
	}
	c->required = c->count;
}

/* Begin with the nodes that are required, and no others yet. */
static void candidates_begin(struct chooser *c, const struct hostlist *required)
{
	c->count = 0;
	memset(c->taken, 0,
	       c->request.snapshot->node_count * sizeof(c->taken[0]));
	candidates_require(c, required);
}

static void candidates_make(struct chooser *c, const struct hostlist *required)
{
	const struct snapshot *s = c->request.snapshot;
	const uint32_t *order = node_filter_order(c->filter);

	candidates_begin(c, required);
	for (uint32_t i = 0; i < s->node_count; i++)
		if (is_candidate(c, order[i]))
			candidate_add(c, order[i]);
}

static struct rank_request ranking(const struct chooser *c)
{
	uint32_t nodes = c->request.nodes;

	if (nodes < c->required)
		nodes = c->required;
	if (nodes > c->count && c->request.or_fewer)
		nodes = c->count;
	return (struct rank_request){
		.snapshot = c->request.snapshot,
		.model = c->request.model,
		.candidates = c->candidates,
		.count = c->count,
		.required = c->required,
		.nodes = nodes,
		.tasks_per_node = c->request.tasks_per_node,
		.blocks = true,
	};
}

/* --- Sets ----------------------------------------------------------------- */

int chooser_best(struct chooser *c, struct rank_set *ret)
{
	struct rank_request request;
	struct rank_result result;

	c->chosen_count = 0;
	candidates_make(c, c->request.required);
	request = ranking(c);
	if (rank_choose(&request, c->scratch, c->chosen, &result))
		return -1;
	c->chosen_count = request.nodes;
	*ret = result.best;
	return 0;
}

/* Names of required nodes are in their places already: chosen positions ascend
 * and have all that are required. */
void chooser_names(struct chooser *c, struct hostlist *ret)
{
	const struct snapshot *s = c->request.snapshot;

	for (uint32_t i = c->required; i < c->chosen_count; i++) {
		uint32_t node = c->candidates[c->chosen[i]].node;

		memcpy(c->names[i], s->nodes[node].name, HOSTLIST_NAME_SIZE);
	}
	*ret = (struct hostlist){ .count = c->chosen_count, .names = c->names };
}

bool chooser_next(struct chooser *c)
{
	for (uint32_t i = c->required; i < c->chosen_count; i++)
		c->left_out[c->candidates[c->chosen[i]].node] = true;
	return c->chosen_count > c->required;
}

int chooser_evaluate(struct chooser *c, const struct hostlist *set,
		     struct rank_set *ret)
{
	struct rank_request request;

	c->chosen_count = 0;
	for (size_t i = 0; i < set->count; i++)
		if (snapshot_node(c->request.snapshot, set->names[i]) ==
		    SNAPSHOT_NONE)
			return -1;
	chooser_leave_out(c, set, false);
	candidates_begin(c, set);
	if (c->required != set->count)
		return -1;
	for (uint32_t i = 0; i < c->required; i++)
		c->chosen[i] = i;
	request = ranking(c);
	return rank_evaluate(&request, c->scratch, c->chosen, c->required, ret);
}
