/* conditions.c - the state of a node set, and which one a job may get */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/conditions/nodes_state.h"

/* Available CPU is compared in steps: nodes that differ by less are equal. */
#define AVAILABLE_STEP 0.05

/* A ranking serves for so long, while measurements come in only if there are
 * more than RANK_EAGER nodes: sorting takes 0.3 us a node. */
#define RANK_KEEP_S 1.0
#define RANK_EAGER  256

/* Of so many nodes the links are looked at. */
#define LINKED_MAX 256

/* --- Conditions ----------------------------------------------------------- */

/* Mean and worst of what is known; `worst` is fmax or fmin. */
struct tally {
	int count;
	double sum;
	double worst;
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

static void conditions_of(const struct nodes *nodes, const char *cluster,
			  const char (*names)[HOSTLIST_NAME_SIZE], size_t count,
			  double time_s, double horizon_s,
			  struct conditions *ret)
{
	uint32_t linked[LINKED_MAX];
	int linked_count = 0;
	struct tally load = { 0 };
	struct tally available = { 0 };

	conditions_init(ret);
	for (size_t i = 0; i < count; i++) {
		struct resource_forecast cpu_load, cpu_available;
		uint32_t at = nodes_find(nodes, cluster, names[i]);

		if (at == NODES_NONE)
			continue;
		if (linked_count < LINKED_MAX)
			linked[linked_count++] = at;
		nodes_forecast(nodes, at, NODE_CPU_LOAD, time_s, horizon_s,
			       &cpu_load);
		nodes_forecast(nodes, at, NODE_CPU_AVAILABLE, time_s, horizon_s,
			       &cpu_available);
		tally_add(&load, cpu_load.value, fmax);
		tally_add(&available, cpu_available.value, fmin);
		ret->nodes_known +=
			!isnan(cpu_load.value) || !isnan(cpu_available.value);
	}
	ret->cpu_load = tally_mean(&load);
	ret->cpu_load_max = tally_worst(&load);
	ret->cpu_available = tally_mean(&available);
	ret->cpu_available_min = tally_worst(&available);
	links_between(nodes->links, linked, linked_count, time_s,
		      &ret->bandwidth_bps, &ret->latency_s);
}

void nodes_conditions(const struct nodes *nodes, const char *cluster,
		      const struct hostlist *list, double time_s,
		      double horizon_s, struct conditions *ret)
{
	conditions_of(nodes, cluster,
		      list ? (const char(*)[HOSTLIST_NAME_SIZE])list->names
			   : NULL,
		      list ? list->count : 0, time_s, horizon_s, ret);
}

/* --- Assuming nodes --------------------------------------------------------- */

static int better(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;

	if (x->available != y->available)
		return x->available > y->available ? -1 : 1;
	return strverscmp(x->node->name, y->node->name);
}

static bool rank_is_good(const struct nodes *nodes, const char *cluster,
			 double time_s, double horizon_s)
{
	if (strcmp(nodes->ranked_cluster, cluster) != 0 ||
	    !(time_s >= nodes->ranked_s &&
	      time_s - nodes->ranked_s < RANK_KEEP_S))
		return false;
	return nodes->ranked_count > RANK_EAGER ||
	       (!nodes->measured_since && horizon_s == nodes->ranked_horizon_s);
}

static void rank(struct nodes *nodes, const char *cluster, double time_s,
		 double horizon_s)
{
	if (rank_is_good(nodes, cluster, time_s, horizon_s))
		return;
	nodes->ranked_count = 0;
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct node *node = nodes->of[i];
		struct resource_forecast available;

		if (strcmp(node->cluster, cluster) != 0)
			continue;
		nodes_forecast(nodes, i, NODE_CPU_AVAILABLE, time_s, horizon_s,
			       &available);
		if (isnan(available.value))
			continue;
		nodes->ranking[nodes->ranked_count++] = (struct ranked){
			.node = node,
			.available = rint(available.value / AVAILABLE_STEP),
		};
	}
	if (nodes->ranked_count)
		qsort(nodes->ranking, nodes->ranked_count,
		      sizeof(nodes->ranking[0]), better);
	snprintf(nodes->ranked_cluster, sizeof(nodes->ranked_cluster), "%s",
		 cluster);
	nodes->ranked_s = time_s;
	nodes->ranked_horizon_s = horizon_s;
	nodes->measured_since = false;
}

static bool has(const struct hostlist *list, const char *name)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (strcmp(list->names[i], name) == 0)
			return true;
	return false;
}

static void choose(struct nodes *nodes, const struct nodes_request *request,
		   double time_s, double horizon_s)
{
	const struct hostlist *required = request->required;
	uint32_t count = 0;

	for (size_t i = 0;
	     required && i < required->count && count < ASSUMED_MAX; i++)
		memcpy(nodes->assumed[count++], required->names[i],
		       HOSTLIST_NAME_SIZE);
	if (count < request->count)
		rank(nodes, request->cluster, time_s, horizon_s);
	for (uint32_t i = 0; i < nodes->ranked_count &&
			     count < request->count && count < ASSUMED_MAX;
	     i++) {
		const char *name = nodes->ranking[i].node->name;

		if (!has(required, name) && !has(request->excluded, name))
			memcpy(nodes->assumed[count++], name,
			       HOSTLIST_NAME_SIZE);
	}
	nodes->assumed_count = count;
}

void nodes_assume(struct nodes *nodes, const struct nodes_request *request,
		  double time_s, double horizon_s, char *ret_text, size_t size,
		  struct conditions *ret)
{
	choose(nodes, request, time_s, horizon_s);

	struct hostlist list = { .count = nodes->assumed_count,
				 .names = nodes->assumed };

	hostlist_compress(&list, ret_text, size);
	nodes_assumed(nodes, request, time_s, horizon_s, ret);
}

void nodes_assumed(const struct nodes *nodes,
		   const struct nodes_request *request, double time_s,
		   double horizon_s, struct conditions *ret)
{
	conditions_of(nodes, request->cluster,
		      (const char(*)[HOSTLIST_NAME_SIZE])nodes->assumed,
		      nodes->assumed_count, time_s, horizon_s, ret);
}
