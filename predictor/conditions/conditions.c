/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.c - the state of a node set
 *
 * Forecasts of each node, averaged; and of the links between them.
 */
#include <math.h>

#include "predictor/conditions/nodes_state.h"

/* Links are averaged over at most this many nodes of the set. */
#define LINKED_MAX 256

/* Mean and worst of what is known; `worst` is fmax or fmin. */
struct tally {
	int count;
	double sum, worst;
};

static void tally_add(struct tally *tally, double value,
		      double (*worst)(double, double))
{
	if (isnan(value))
		return;
	tally->worst = tally->count ? worst(tally->worst, value) : value;
	tally->sum += value;
	tally->count++;
}

static double tally_mean(const struct tally *tally)
{
	return tally->count ? tally->sum / tally->count : NAN;
}

static double tally_worst(const struct tally *tally)
{
	return tally->count ? tally->worst : NAN;
}

double nodes_host_part(const struct nodes *nodes, uint32_t at,
		       const uint32_t *positions, int count, double time_s,
		       double horizon_s)
{
	double host = nodes->of[at]->host, together = 0;
	struct resource_forecast served;

	if (!(host > 0))
		return 1;
	nodes_forecast(nodes, at, NODE_HOST_NODES, time_s, horizon_s, &served);
	if (!(served.value > 0))
		return 1;
	for (int i = 0; i < count; i++)
		together += positions[i] != NODES_NONE &&
			    nodes->of[positions[i]]->host == host;
	/* One alone is measured. */
	return fmin(served.value / fmax(together, 1), 1) /
	       fmin(served.value, 1);
}

/* Return what a node gives, for the share of the work that it has to do. */
static double share_for(double available, double work)
{
	if (isnan(available))
		return NAN;
	return available < work ? available / work : 1;
}

void nodes_conditions(const struct nodes *nodes, const char *cluster,
		      const struct hostlist *list, const double *work,
		      double time_s, double horizon_s, struct conditions *ret)
{
	uint32_t linked[LINKED_MAX];
	int linked_count = 0;
	struct tally load = { 0 };
	struct tally available = { 0 }, for_work = { 0 };

	conditions_init(ret);
	for (size_t i = 0; list && i < list->count; i++) {
		uint32_t at = nodes_find(nodes, cluster, list->names[i]);

		if (at != NODES_NONE && linked_count < LINKED_MAX)
			linked[linked_count++] = at;
	}
	for (size_t i = 0; list && i < list->count; i++) {
		struct resource_forecast cpu_load, cpu_available;
		uint32_t at = nodes_find(nodes, cluster, list->names[i]);

		if (at == NODES_NONE)
			continue;
		nodes_forecast(nodes, at, NODE_CPU_LOAD, time_s, horizon_s,
			       &cpu_load);
		nodes_forecast(nodes, at, NODE_CPU_AVAILABLE, time_s, horizon_s,
			       &cpu_available);
		cpu_available.value *= nodes_host_part(
			nodes, at, linked, linked_count, time_s, horizon_s);
		tally_add(&load, cpu_load.value, fmax);
		tally_add(&available, cpu_available.value, fmin);
		tally_add(&for_work,
			  share_for(cpu_available.value, work ? work[i] : 1),
			  fmin);
		ret->nodes_known +=
			!isnan(cpu_load.value) || !isnan(cpu_available.value);
	}
	ret->cpu_load = tally_mean(&load);
	ret->cpu_load_max = tally_worst(&load);
	ret->cpu_available = tally_mean(&available);
	ret->cpu_available_min = tally_worst(&for_work);
	links_between(nodes->links, linked, linked_count, time_s,
		      &ret->bandwidth_bps, &ret->latency_s);
}
