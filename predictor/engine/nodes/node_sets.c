/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_sets.c - what the files of the node sets share */

#include "predictor/engine/nodes/node_sets_state.h"

void sets_expand(const char *text, struct hostlist *ret)
{
	*ret = (struct hostlist){ 0 };
	if (text && *text && hostlist_expand(text, ret, NULL))
		*ret = (struct hostlist){ 0 };
}

struct chooser_request sets_request(const struct prediction *p,
				    struct snapshot *snapshot,
				    const struct placement_model *model)
{
	uint32_t nodes = p->nodes ? p->nodes : 1;

	return (struct chooser_request){
		.snapshot = snapshot,
		.model = model,
		.nodes = nodes,
		.tasks_per_node =
			(uint32_t)(((uint64_t)p->tasks + nodes - 1) / nodes),
		.partition = p->partition,
	};
}

void sets_demand(const struct prediction *p, struct node_demand *ret)
{
	*ret = (struct node_demand){ .cpus = 1 };
	constraint_parse(p->features, &ret->constraint);
	gres_list_add(&ret->gres, p->gres, 1);
	for (int i = 0; i < ret->gres.count; i++)
		ret->gres.of[i].count = 1;
}

void sets_describe(struct chooser *c, const struct rank_set *worth,
		   double first_s, double median_s, struct engine_set *ret)
{
	double ratio = first_s > 0 ? worth->runtime_s / first_s : 1;
	struct hostlist names;

	*ret = (struct engine_set){
		.median_s = median_s * ratio,
		.ratio = ratio,
		.cpu_available = (double)worth->offer.available,
		.bandwidth_bps = (double)worth->offer.bandwidth_bps,
		.latency_s = (double)worth->offer.latency_s,
		.stale = worth->stale,
	};
	chooser_names(c, &names);
	hostlist_compress(&names, ret->nodes, sizeof(ret->nodes));
}
