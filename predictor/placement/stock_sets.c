/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_sets.c - the nodes that stock select/cons_tres takes
 *
 * Each choice begins with the required nodes, then goes over the nodes in
 * Slurm's order (node_facts.h).  No memory but the caller's.
 */
#include "predictor/placement/stock_sets.h"

/* Runs of neighbours that are put together one by one; what is missing then is
 * taken in order. */
#define RUNS_MAX 32

/* Nodes with more idle CPUs count as having these. */
#define IDLE_MAX 1024

/* What is missing while a set is made. */
struct stock_set {
	const struct stock_request *request;
	uint32_t count, cpus;
	uint32_t *nodes;
};

static bool is_full(const struct stock_set *s)
{
	return s->count >= s->request->nodes;
}

static uint32_t cpus_missing(const struct stock_set *s)
{
	return s->cpus < s->request->cpus ? s->request->cpus - s->cpus : 0;
}

static void node_take(struct stock_set *s, uint32_t node)
{
	s->request->taken[node] = true;
	s->cpus += s->request->idle[node];
	s->nodes[s->count++] = node;
}

/* With the required nodes, which are marked as taken. */
static struct stock_set set_begin(const struct stock_request *q, uint32_t *ret)
{
	struct stock_set s = { .request = q, .nodes = ret };

	for (uint32_t i = 0; i < q->facts->count && !is_full(&s); i++)
		if (q->taken[i])
			node_take(&s, i);
	return s;
}

static bool is_free(const struct stock_request *q, uint32_t node)
{
	return q->open[node] && !q->taken[node];
}

static void take_in_order(struct stock_set *s)
{
	const struct stock_request *q = s->request;

	for (uint32_t place = 0; place < q->facts->count && !is_full(s);
	     place++)
		if (is_free(q, q->facts->by_place[place]))
			node_take(s, q->facts->by_place[place]);
}

/* --- The first nodes ------------------------------------------------------ */

/* Free nodes of one weight that are neighbours in slurmctld's table. */
struct run_of_nodes {
	uint32_t place; /* of the first one */
	uint32_t nodes, cpus, weight;
};

/* Find the next one from *place on, which is moved behind it.  False: there
 * is none. */
static bool next_run(const struct stock_request *q, uint32_t *place,
		     struct run_of_nodes *ret)
{
	const struct node_facts *f = q->facts;

	while (*place < f->count && !is_free(q, f->by_place[*place]))
		(*place)++;
	*ret = (struct run_of_nodes){ .place = *place };
	for (; *place < f->count; (*place)++) {
		uint32_t node = f->by_place[*place];
		const struct node_facts_node *n = &f->nodes[node];
		const struct node_facts_node *before =
			&f->nodes[f->by_place[*place - (ret->nodes > 0)]];

		if (!is_free(q, node) ||
		    (ret->nodes && (n->weight != before->weight ||
				    n->position != before->position + 1)))
			break;
		ret->weight = n->weight;
		ret->nodes++;
		ret->cpus += q->idle[node];
	}
	return ret->nodes > 0;
}

static bool is_enough(const struct stock_set *s, const struct run_of_nodes *r)
{
	return r->nodes >= s->request->nodes - s->count &&
	       r->cpus >= cpus_missing(s);
}

static bool is_better(const struct stock_set *s, const struct run_of_nodes *a,
		      const struct run_of_nodes *b)
{
	bool enough = is_enough(s, a);

	if (a->weight != b->weight)
		return a->weight < b->weight;
	if (enough != is_enough(s, b))
		return enough;
	return enough ? a->cpus < b->cpus : a->cpus > b->cpus;
}

/* Return false if there is none. */
static bool best_run(const struct stock_set *s, struct run_of_nodes *ret)
{
	struct run_of_nodes run;
	uint32_t place = 0;

	*ret = (struct run_of_nodes){ .nodes = 0 };
	while (next_run(s->request, &place, &run))
		if (!ret->nodes || is_better(s, &run, ret))
			*ret = run;
	return ret->nodes > 0;
}

uint32_t stock_first(const struct stock_request *q, uint32_t *ret)
{
	struct stock_set s = set_begin(q, ret);
	struct run_of_nodes run;

	for (int i = 0; i < RUNS_MAX && !is_full(&s) && best_run(&s, &run); i++)
		for (uint32_t j = 0; j < run.nodes && !is_full(&s); j++)
			node_take(&s, q->facts->by_place[run.place + j]);
	take_in_order(&s);
	return s.count;
}

/* --- The least loaded nodes ----------------------------------------------- */

static uint32_t idle_of(const struct stock_request *q, uint32_t node)
{
	return q->idle[node] < IDLE_MAX ? q->idle[node] : IDLE_MAX;
}

uint32_t stock_least_loaded(const struct stock_request *q, uint32_t *ret)
{
	struct stock_set s = set_begin(q, ret);
	uint32_t count[IDLE_MAX + 1] = { 0 };
	uint32_t least = IDLE_MAX + 1;
	uint32_t more = 0; /* nodes with at least `least` idle CPUs */

	for (uint32_t i = 0; i < q->facts->count; i++)
		if (is_free(q, i))
			count[idle_of(q, i)]++;
	while (least > 0 && more < q->nodes - s.count)
		more += count[--least];
	/* Those with more than the least, then of the least the first. */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < q->facts->count && !is_full(&s); i++) {
			uint32_t node = q->facts->by_place[i];

			if (is_free(q, node) &&
			    idle_of(q, node) >= least + (pass == 0))
				node_take(&s, node);
		}
	return s.count;
}

/* --- Any nodes ------------------------------------------------------------ */

uint32_t stock_at(const struct stock_request *q, double share, uint32_t *ret)
{
	struct stock_set s = set_begin(q, ret);
	uint32_t missing = q->nodes - s.count;
	uint32_t open = 0;

	for (uint32_t i = 0; i < q->facts->count; i++)
		open += is_free(q, i);

	uint32_t skip =
		open > missing ? (uint32_t)(share * (open - missing)) : 0;

	for (uint32_t place = 0; place < q->facts->count && !is_full(&s);
	     place++) {
		uint32_t node = q->facts->by_place[place];

		if (!is_free(q, node))
			continue;
		if (skip)
			skip--;
		else
			node_take(&s, node);
	}
	return s.count;
}
