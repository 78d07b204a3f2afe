/* nodes.c - what is known of the nodes, and which of them a job may get */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/forecast/series.h"
#include "predictor/placement/nodes.h"

/* Three samples smooth the noise of one; sensors look every few seconds, and
 * what is older than a minute says nothing of now. */
static const struct series_window window = {
	.samples = 3,
	.span_s = 15,
	.expiry_s = 60,
};

/* Available CPU is compared in steps: nodes that differ by less are equal. */
#define AVAILABLE_STEP 0.05

/* A ranking serves for so long while measurements come in, if there are more
 * than RANK_EAGER nodes: sorting takes 0.3 us a node. */
#define RANK_KEEP_S 1.0
#define RANK_EAGER  256

/* Of larger jobs, so many nodes are named and looked at. */
#define ASSUMED_MAX 4096

enum resource { CPU_LOAD, CPU_AVAILABLE, MEMORY, RESOURCES };

struct node {
	char cluster[RUN_NAME_SIZE];
	char name[HOSTLIST_NAME_SIZE];
	double last_s; /* time of the newest measurement */
	struct series series[RESOURCES];
};

struct ranked {
	const struct node *node;
	double available; /* in steps */
};

struct nodes {
	uint32_t count, capacity;
	struct node **of;
	struct index index;

	/* Nodes of one cluster, best first, as of ranked_s. */
	struct ranked *ranking; /* room for `capacity` */
	uint32_t ranking_capacity;
	uint32_t ranked_count;
	char ranked_cluster[RUN_NAME_SIZE];
	double ranked_s;
	bool measured_since;

	char assumed[ASSUMED_MAX][HOSTLIST_NAME_SIZE];
};

struct nodes *nodes_create(void)
{
	struct nodes *nodes = calloc(1, sizeof(*nodes));

	if (nodes)
		nodes->ranked_s = NAN;
	return nodes;
}

void nodes_destroy(struct nodes *nodes)
{
	if (!nodes)
		return;
	for (uint32_t i = 0; i < nodes->count; i++)
		free(nodes->of[i]);
	free(nodes->of);
	free(nodes->ranking);
	index_clear(&nodes->index);
	free(nodes);
}

uint32_t nodes_count(const struct nodes *nodes)
{
	return nodes->count;
}

struct key {
	const struct nodes *nodes;
	const char *cluster;
	const char *name;
};

static bool same_node(const void *context, uint32_t position)
{
	const struct key *key = context;
	const struct node *node = key->nodes->of[position];

	return strcmp(node->name, key->name) == 0 &&
	       strcmp(node->cluster, key->cluster) == 0;
}

static uint64_t hash(const char *cluster, const char *name)
{
	return index_hash_text(index_hash_text(0, cluster), name);
}

static struct node *find(const struct nodes *nodes, const char *cluster,
			 const char *name)
{
	struct key key = { nodes, cluster, name };
	uint32_t at =
		index_find(&nodes->index, hash(cluster, name), same_node, &key);

	return at == INDEX_NONE ? NULL : nodes->of[at];
}

static struct node *add(struct nodes *nodes, const char *cluster,
			const char *name, struct sp_error *err)
{
	if (nodes->count >= NODES_MAX) {
		sp_error_set(err, "node %s: there are %u nodes already", name,
			     NODES_MAX);
		return NULL;
	}
	if (!*name || strlen(name) >= HOSTLIST_NAME_SIZE ||
	    strlen(cluster) >= RUN_NAME_SIZE) {
		sp_error_set(err, "node: its name is empty or too long");
		return NULL;
	}

	struct node *node = calloc(1, sizeof(*node));

	if (!node || index_reserve(&nodes->index) ||
	    index_grow(&nodes->of, &nodes->capacity, nodes->count,
		       sizeof(struct node *)) ||
	    index_grow(&nodes->ranking, &nodes->ranking_capacity, nodes->count,
		       sizeof(nodes->ranking[0]))) {
		free(node);
		sp_error_set(err, "node %s: out of memory", name);
		return NULL;
	}
	strcpy(node->cluster, cluster);
	strcpy(node->name, name);
	node->last_s = -HUGE_VAL;
	nodes->of[nodes->count] = node;
	index_add(&nodes->index, hash(cluster, name), nodes->count);
	nodes->count++;
	return node;
}

int nodes_measure(struct nodes *nodes, const char *cluster,
		  const struct measurement *m, struct sp_error *err)
{
	const double values[RESOURCES] = {
		[CPU_LOAD] = m->cpu_load,
		[CPU_AVAILABLE] = m->cpu_available,
		[MEMORY] = m->memory_available_mb,
	};

	if (!isfinite(m->time_s) || m->time_s < 0)
		return sp_error_set(err, "node %s: bad time", m->node);
	for (int i = 0; i < RESOURCES; i++)
		if (isinf(values[i]) || values[i] < 0)
			return sp_error_set(err, "node %s: bad value %g",
					    m->node, values[i]);

	struct node *node = find(nodes, cluster, m->node);

	if (!node)
		node = add(nodes, cluster, m->node, err);
	if (!node)
		return -1;
	for (int i = 0; i < RESOURCES; i++)
		series_add(&node->series[i], m->time_s, values[i]);
	if (m->time_s > node->last_s)
		node->last_s = m->time_s;
	nodes->measured_since = true;
	return 0;
}

/* --- Conditions ----------------------------------------------------------- */

static double forecast(const struct node *node, enum resource resource,
		       double time_s)
{
	return series_forecast(&node->series[resource], time_s, &window);
}

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
			  double time_s, struct conditions *ret)
{
	struct tally load = { 0 };
	struct tally available = { 0 };

	conditions_init(ret);
	for (size_t i = 0; i < count; i++) {
		const struct node *node = find(nodes, cluster, names[i]);

		if (!node)
			continue;

		double cpu_load = forecast(node, CPU_LOAD, time_s);
		double cpu_available = forecast(node, CPU_AVAILABLE, time_s);

		tally_add(&load, cpu_load, fmax);
		tally_add(&available, cpu_available, fmin);
		ret->nodes_known += !isnan(cpu_load) || !isnan(cpu_available);
	}
	ret->cpu_load = tally_mean(&load);
	ret->cpu_load_max = tally_worst(&load);
	ret->cpu_available = tally_mean(&available);
	ret->cpu_available_min = tally_worst(&available);
}

void nodes_conditions(const struct nodes *nodes, const char *cluster,
		      const struct hostlist *list, double time_s,
		      struct conditions *ret)
{
	conditions_of(nodes, cluster,
		      list ? (const char(*)[HOSTLIST_NAME_SIZE])list->names
			   : NULL,
		      list ? list->count : 0, time_s, ret);
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
			 double time_s)
{
	if (strcmp(nodes->ranked_cluster, cluster) != 0)
		return false;
	if (time_s == nodes->ranked_s && !nodes->measured_since)
		return true;
	return nodes->ranked_count > RANK_EAGER && time_s >= nodes->ranked_s &&
	       time_s - nodes->ranked_s < RANK_KEEP_S;
}

static void rank(struct nodes *nodes, const char *cluster, double time_s)
{
	if (rank_is_good(nodes, cluster, time_s))
		return;
	nodes->ranked_count = 0;
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct node *node = nodes->of[i];

		if (strcmp(node->cluster, cluster) != 0)
			continue;

		double available = forecast(node, CPU_AVAILABLE, time_s);

		if (isnan(available))
			continue;
		nodes->ranking[nodes->ranked_count++] = (struct ranked){
			.node = node,
			.available = rint(available / AVAILABLE_STEP),
		};
	}
	if (nodes->ranked_count)
		qsort(nodes->ranking, nodes->ranked_count,
		      sizeof(nodes->ranking[0]), better);
	snprintf(nodes->ranked_cluster, sizeof(nodes->ranked_cluster), "%s",
		 cluster);
	nodes->ranked_s = time_s;
	nodes->measured_since = false;
}

static bool has(const struct hostlist *list, const char *name)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (strcmp(list->names[i], name) == 0)
			return true;
	return false;
}

void nodes_assume(struct nodes *nodes, const struct nodes_request *request,
		  double time_s, char *ret_text, size_t size,
		  struct conditions *ret)
{
	const struct hostlist *required = request->required;
	size_t count = 0;

	for (size_t i = 0;
	     required && i < required->count && count < ASSUMED_MAX; i++)
		memcpy(nodes->assumed[count++], required->names[i],
		       HOSTLIST_NAME_SIZE);
	if (count < request->count)
		rank(nodes, request->cluster, time_s);
	for (uint32_t i = 0; i < nodes->ranked_count &&
			     count < request->count && count < ASSUMED_MAX;
	     i++) {
		const char *name = nodes->ranking[i].node->name;

		if (!has(required, name) && !has(request->excluded, name))
			memcpy(nodes->assumed[count++], name,
			       HOSTLIST_NAME_SIZE);
	}

	struct hostlist list = { .count = count, .names = nodes->assumed };

	hostlist_compress(&list, ret_text, size);
	nodes_conditions(nodes, request->cluster, &list, time_s, ret);
}

/* --- Looking ------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;
	int order = strcmp(x->cluster, y->cluster);

	return order ? order : strverscmp(x->name, y->name);
}

static double newest(const struct series *series)
{
	return series->count
		       ? (double)series
				 ->values[(series->first + series->count - 1) %
					  SERIES_SAMPLES_MAX]
		       : NAN;
}

void nodes_visit(struct nodes *nodes, double time_s,
		 void (*visit)(void *context, const struct nodes_node *node),
		 void *context)
{
	struct node **sorted = calloc(nodes->count + 1, sizeof(*sorted));

	if (!sorted)
		return;
	if (nodes->count)
		memcpy(sorted, nodes->of, nodes->count * sizeof(*sorted));
	qsort(sorted, nodes->count, sizeof(*sorted), by_name);
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct node *node = sorted[i];
		struct nodes_node out = {
			.cluster = node->cluster,
			.last = {
				.time_s = node->last_s,
				.cpu_load = newest(&node->series[CPU_LOAD]),
				.cpu_available =
					newest(&node->series[CPU_AVAILABLE]),
				.memory_available_mb =
					newest(&node->series[MEMORY]),
			},
			.fresh = time_s - node->last_s <= window.expiry_s,
		};

		memcpy(out.last.node, node->name, sizeof(out.last.node));
		visit(context, &out);
	}
	free(sorted);
}
