/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_view.c - the state of a job's nodes, node by node and link by link */
#include <math.h>

#include "predictor/conditions/nodes_state.h"

static void view_link(const void *context, int from, int to,
		      double *ret_bandwidth_bps, double *ret_latency_s)
{
	const struct nodes_job_view *view = context;
	struct link_forecast link;

	*ret_bandwidth_bps = *ret_latency_s = NAN;
	if (view->at[from] == NODES_NONE || view->at[to] == NODES_NONE)
		return;
	links_forecast(view->nodes->links, view->at[from], view->at[to],
		       view->time_s, &link);
	*ret_bandwidth_bps = link.bandwidth_bps;
	*ret_latency_s = link.latency_s / 2; /* measured there and back */
}

int nodes_view_job(const struct nodes *nodes, const char *cluster,
		   const struct hostlist *list, double time_s, double horizon_s,
		   struct nodes_job_view *ret)
{
	struct job_nodes *set = &ret->of;
	int known = 0;

	if (!list || list->count == 0 || list->count > PROFILE_NODES_MAX)
		return -1;
	ret->nodes = nodes;
	ret->time_s = time_s;
	*set = (struct job_nodes){ .count = (int)list->count,
				   .cpu_turn_s = NAN,
				   .cpu_credit_s = NAN,
				   .link_of = view_link,
				   .context = ret };
	for (int i = 0; i < set->count; i++)
		ret->at[i] = nodes_find(nodes, cluster, list->names[i]);
	for (int i = 0; i < set->count; i++) {
		uint32_t at = ret->at[i];

		set->cpu_available[i] = NAN;
		if (at == NODES_NONE)
			continue;

		struct node_scheduler scheduler = nodes_scheduler(nodes, at);
		struct resource_forecast available;

		nodes_forecast(nodes, at, NODE_CPU_AVAILABLE, time_s, horizon_s,
			       &available);
		set->cpu_available[i] =
			available.value * nodes_host_part(nodes, at, ret->at,
							  set->count, time_s,
							  horizon_s);
		known += !isnan(available.value);
		/* fmax() and fmin() prefer what is known. */
		set->cpu_turn_s = fmax(set->cpu_turn_s, scheduler.turn_s);
		set->cpu_credit_s = fmin(set->cpu_credit_s, scheduler.credit_s);
	}
	return known ? 0 : -1;
}
