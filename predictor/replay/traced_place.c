/* SPDX-License-Identifier: GPL-2.0-or-later */
/* traced_place.c - nodes that ranks of a traced run may be on */
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/traced_place.h"

int traced_place_find(const struct traced_place *place, const char *name)
{
	for (int n = 0; n < place->count; n++)
		if (!strcmp(place->nodes[n].name, name))
			return n;
	return -1;
}

static void set_links(const struct run_trace *run, struct traced_place *place)
{
	int known = run->nodes_count;

	for (int from = 0; from < place->count; from++)
		for (int to = 0; to < place->count; to++)
			place->links[from * place->count + to] =
				from < known && to < known
					? run->links[from * known + to]
				: from == to ? RUN_TRACE_NEAR
					     : RUN_TRACE_FAR;
}

int traced_place_create(const struct run_trace *run,
			const char (*names)[HOSTLIST_NAME_SIZE],
			int names_count, double cores, struct traced_place *ret,
			struct sp_error *err)
{
	size_t most = (size_t)run->nodes_count + (size_t)names_count;
	struct traced_place place = { 0 };

	if (most > RUN_TRACE_NODES_MAX)
		return sp_error_set(err, "more than %d nodes",
				    RUN_TRACE_NODES_MAX);
	place.nodes = calloc(most, sizeof(*place.nodes));
	place.replay = calloc(most, sizeof(*place.replay));
	place.links = calloc(most * most, sizeof(*place.links));
	place.is_now = calloc(most, sizeof(*place.is_now));
	if (!place.nodes || !place.replay || !place.links || !place.is_now) {
		traced_place_clear(&place);
		return sp_error_set(err, "out of memory for nodes");
	}
	for (int n = 0; n < run->nodes_count; n++)
		place.nodes[place.count++] = run->nodes[n];
	for (int i = 0; i < names_count; i++) {
		struct traced_node node = { "", cores, 1, 1, 0 };

		if (traced_place_find(&place, names[i]) >= 0)
			continue;
		memcpy(node.name, names[i], sizeof(node.name));
		place.nodes[place.count++] = node;
	}
	set_links(run, &place);
	for (int n = 0; n < place.count; n++)
		place.replay[n] = traced_node_replay(&place.nodes[n]);
	*ret = place;
	return 0;
}

void traced_place_clear(struct traced_place *place)
{
	free(place->nodes);
	free(place->replay);
	free(place->links);
	free(place->is_now);
	*place = (struct traced_place){ 0 };
}

struct replay_placement traced_placement(const struct run_trace *run,
					 const struct traced_place *place,
					 const int node[])
{
	return (struct replay_placement){
		.nodes_count = place->count,
		.nodes = place->replay,
		.links = place->links,
		.node = node,
		.rendezvous_bytes = run->rendezvous_bytes,
		.spinning = run->spinning,
		.limit = run->limit,
	};
}
