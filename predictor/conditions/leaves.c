/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leaves.c - which leaf switch each node hangs on */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/conditions/leaves.h"

struct place {
	char node[HOSTLIST_NAME_SIZE];
	uint32_t leaf;
};

struct leaves {
	size_t count;
	struct place places[]; /* in the order of their names */
};

COMPARE_BY_TEXT(by_node, struct place, node)

static void fill(struct leaves *leaves, const struct topology *topology)
{
	uint32_t leaf = 0;

	for (size_t i = 0; i < topology->count; i++) {
		const struct hostlist *nodes = &topology->switches[i].nodes;

		for (size_t j = 0; j < nodes->count; j++) {
			struct place *place = &leaves->places[leaves->count++];

			strcpy(place->node, nodes->names[j]);
			place->leaf = leaf;
		}
		leaf += nodes->count > 0;
	}
}

struct leaves *leaves_create(const struct topology *topology)
{
	struct leaves *leaves;
	size_t count = 0;

	for (size_t i = 0; i < topology->count; i++)
		count += topology->switches[i].nodes.count;
	leaves = malloc(sizeof(*leaves) + count * sizeof(leaves->places[0]));
	if (!leaves)
		return NULL;
	leaves->count = 0;
	fill(leaves, topology);
	if (count)
		qsort(leaves->places, count, sizeof(leaves->places[0]),
		      by_node);
	return leaves;
}

void leaves_destroy(struct leaves *leaves)
{
	free(leaves);
}

uint32_t leaves_find(const struct leaves *leaves, const char *node)
{
	struct place key = { .leaf = LINKS_NO_LEAF };
	const struct place *found;

	if (!leaves || !leaves->count || strlen(node) >= sizeof(key.node))
		return LINKS_NO_LEAF;
	strcpy(key.node, node);
	found = bsearch(&key, leaves->places, leaves->count,
			sizeof(leaves->places[0]), by_node);
	return found ? found->leaf : LINKS_NO_LEAF;
}
