/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_filter.c - which nodes of a snapshot a job may have */
#include <stdlib.h>
#include <string.h>

#include "predictor/placement/node_filter.h"

struct node_filter {
	struct snapshot *snapshot; /* references, as the next three follow */
	struct node_facts *facts;  /* from them; NULL: none */
	uint32_t *kinds; /* of each node; NODE_FACTS_NONE: not described */
	uint32_t *order;
	uint32_t *at_place; /* the node at each place of the facts */

	bool *allowed; /* of each kind; of the request */
};

struct node_filter *node_filter_create(void)
{
	return calloc(1, sizeof(struct node_filter));
}

static void match_clear(struct node_filter *f)
{
	snapshot_put(f->snapshot);
	node_facts_put(f->facts);
	free(f->kinds);
	free(f->order);
	free(f->at_place);
	free(f->allowed);
	*f = (struct node_filter){ .snapshot = NULL };
}

void node_filter_destroy(struct node_filter *f)
{
	if (!f)
		return;
	match_clear(f);
	free(f);
}

/* --- Matching ------------------------------------------------------------- */

static int match_reserve(struct node_filter *f, const struct snapshot *s,
			 const struct node_facts *facts)
{
	uint32_t nodes = s->node_count + 1;

	f->kinds = calloc(nodes, sizeof(f->kinds[0]));
	f->order = calloc(nodes, sizeof(f->order[0]));
	f->at_place = calloc(facts->count + 1, sizeof(f->at_place[0]));
	f->allowed = calloc(facts->kind_count + 1, sizeof(f->allowed[0]));
	return f->kinds && f->order && f->at_place && f->allowed ? 0 : -1;
}

/* Both are sorted by strcmp(). */
static void names_match(struct node_filter *f, const struct snapshot *s,
			const struct node_facts *facts)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < facts->count; i++)
		f->at_place[i] = SNAPSHOT_NONE;
	for (uint32_t node = 0; node < s->node_count; node++) {
		int order = -1;

		while (at < facts->count &&
		       (order = strcmp(facts->nodes[at].name,
				       s->nodes[node].name)) < 0)
			at++;
		f->kinds[node] = NODE_FACTS_NONE;
		if (at < facts->count && order == 0) {
			f->kinds[node] = facts->nodes[at].kind;
			f->at_place[facts->nodes[at].place] = node;
		}
	}
}

static void order_make(struct node_filter *f, const struct snapshot *s,
		       const struct node_facts *facts)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < facts->count; i++)
		if (f->at_place[i] != SNAPSHOT_NONE)
			f->order[count++] = f->at_place[i];
	for (uint32_t i = 0; i < s->node_count; i++)
		if (f->kinds[s->order[i]] == NODE_FACTS_NONE)
			f->order[count++] = s->order[i];
}

static int match(struct node_filter *f, struct snapshot *s,
		 struct node_facts *facts)
{
	if (f->snapshot == s && f->facts == facts)
		return 0;
	/* The new ones first: the old ones may be the same. */
	snapshot_get(s);
	node_facts_get(facts);
	match_clear(f);
	f->snapshot = s;
	f->facts = facts;
	if (facts && match_reserve(f, s, facts)) {
		match_clear(f);
		return -1;
	}
	if (facts) {
		names_match(f, s, facts);
		order_make(f, s, facts);
	}
	return 0;
}

/* --- Requests ------------------------------------------------------------- */

int node_filter_begin(struct node_filter *f,
		      const struct node_filter_request *request)
{
	static const struct node_demand none = { .cpus = 1 };

	if (match(f, request->snapshot, request->facts))
		return -1;
	if (f->facts)
		node_facts_allow(f->facts,
				 request->demand ? request->demand : &none,
				 request->partition, f->allowed);
	return 0;
}

bool node_filter_allows(const struct node_filter *f, uint32_t node)
{
	return !f->facts || f->kinds[node] == NODE_FACTS_NONE ||
	       f->allowed[f->kinds[node]];
}

uint32_t node_filter_node(const struct node_filter *f, uint32_t fact)
{
	return f->at_place[f->facts->nodes[fact].place];
}

const uint32_t *node_filter_order(const struct node_filter *f)
{
	return f->facts ? f->order : f->snapshot->order;
}
