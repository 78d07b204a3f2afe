/* SPDX-License-Identifier: GPL-2.0-or-later */
/* named_nodes.c - the nodes that a user requires or excludes, as flags */
#include <stdlib.h>

#include "predictor/placement/named_nodes.h"

/* Flags of all nodes of the facts; *ret stays NULL if none is named. */
static int facts_mark(const struct node_facts *facts,
		      const struct hostlist *list, bool **ret,
		      bool *ret_strange)
{
	if (!facts || !list || !list->count)
		return 0;
	*ret = calloc(facts->count + 1, sizeof(**ret));
	if (!*ret)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		uint32_t node = node_facts_find(facts, list->names[i]);

		if (node == NODE_FACTS_NONE)
			*ret_strange = true;
		else
			(*ret)[node] = true;
	}
	return 0;
}

static int snapshot_mark(const struct snapshot *s, const struct hostlist *list,
			 bool **ret)
{
	if (!s || !list || !list->count)
		return 0;
	*ret = calloc(s->node_count + 1, sizeof(**ret));
	if (!*ret)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		uint32_t node = snapshot_node(s, list->names[i]);

		if (node != SNAPSHOT_NONE)
			(*ret)[node] = true;
	}
	return 0;
}

int named_nodes_find(const struct snapshot *snapshot,
		     const struct node_facts *facts,
		     const struct hostlist *required,
		     const struct hostlist *excluded, struct named_nodes *ret)
{
	bool strange; /* an excluded one does no harm */

	*ret = (struct named_nodes){
		.required_count = required ? (uint32_t)required->count : 0
	};
	return snapshot_mark(snapshot, excluded, &ret->out) ||
			       facts_mark(facts, excluded, &ret->excluded,
					  &strange) ||
			       facts_mark(facts, required, &ret->required,
					  &ret->strange)
		       ? -1
		       : 0;
}

void named_nodes_clear(struct named_nodes *named)
{
	free(named->out);
	free(named->excluded);
	free(named->required);
	*named = (struct named_nodes){ .out = NULL };
}
