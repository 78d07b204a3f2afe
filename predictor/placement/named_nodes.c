/* SPDX-License-Identifier: GPL-2.0-or-later */
/* named_nodes.c - the nodes that a user requires or excludes, as flags */
#include <stdlib.h>

#include "predictor/placement/named_nodes.h"

_Static_assert(NODE_FACTS_NONE == SNAPSHOT_NONE, "one word for no node");

/* Flags of all nodes of the facts, or else of the snapshot; *ret stays NULL if
 * none is named. */
static int nodes_mark(const struct node_facts *facts, const struct snapshot *s,
		      const struct hostlist *list, bool **ret,
		      bool *ret_strange)
{
	if ((!facts && !s) || !list || !list->count)
		return 0;
	*ret = calloc((facts ? facts->count : s->node_count) + 1,
		      sizeof(**ret));
	if (!*ret)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		uint32_t node = facts ? node_facts_find(facts, list->names[i])
				      : snapshot_node(s, list->names[i]);

		if (node == SNAPSHOT_NONE)
			*ret_strange = true;
		else
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
	return nodes_mark(NULL, snapshot, excluded, &ret->out, &strange) ||
			       nodes_mark(facts, NULL, excluded, &ret->excluded,
					  &strange) ||
			       nodes_mark(facts, NULL, required, &ret->required,
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
