/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile.c - CPU phases and messages of an application
 *
 * profile_of_run() joins the shares that the nodes of a run have sent, in the
 * order of its node list, and keeps the pairs of nodes with most bytes.
 * profile_merge() makes running means: a run weighs 1 / (n + 1) after n others,
 * at least 1 / (PROFILE_MERGE_RUNS + 1), so that a profile follows a program
 * that changes; a value that only one side has is taken over.  No state, no
 * lock.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/features/describe.h"
#include "predictor/features/profile.h"

bool profile_farm_sums(const struct profile_farm *farm)
{
	int nodes = 0;

	for (int i = 0; i < PROFILE_NODES_MAX; i++)
		nodes += farm->workers_on[i] > 0;
	return farm->kind == PROFILE_FARM_DYNAMIC ||
	       (farm->kind == PROFILE_FARM_PROCESSES && nodes > 1);
}

double profile_node_share(const struct profile_node *n)
{
	return fmin(n->cpu_available > 0 ? n->cpu_available : 1,
		    n->cpu_left > 0 ? n->cpu_left : 1);
}

void profile_share_init(struct profile_share *ret)
{
	memset(ret, 0, sizeof(*ret));
	fields_unknown(profile_share_fields, ret);
	ret->peer_count = -1;
}

/* --- Of a run ------------------------------------------------------------ */

static int compare_bytes(const void *left, const void *right)
{
	const struct profile_pair *a = left, *b = right;

	return a->bytes < b->bytes ? 1 : -(a->bytes > b->bytes);
}

/* `pairs` has room for all peers of all nodes. */
static void pairs_add(const struct profile_share *share,
		      const struct hostlist *nodes, int from,
		      struct profile_pair *pairs, int *count)
{
	for (int i = 0; i < share->peer_count; i++) {
		const struct profile_peer *peer = &share->peer[i];
		int to = hostlist_position(nodes, peer->node);

		if (to < 0 || to == from || !(peer->messages > 0))
			continue;
		pairs[(*count)++] = (struct profile_pair){
			.from = (uint16_t)from,
			.to = (uint16_t)to,
			.messages = peer->messages,
			.bytes = peer->bytes,
			.replies = peer->replies,
			.long_messages = peer->long_messages,
			.bandwidth_bps = peer->bandwidth_bps,
			.latency_s = peer->latency_s,
		};
	}
}

COMPARE_BY_BOTH(compare_ends, struct profile_pair, from, to)

/* Keep the pairs with most bytes, in the order of nodes. */
static void pairs_keep(struct profile_pair *pairs, int count,
		       struct profile *ret)
{
	if (count > PROFILE_PAIRS_MAX) {
		qsort(pairs, (size_t)count, sizeof(*pairs), compare_bytes);
		count = PROFILE_PAIRS_MAX;
	}
	qsort(pairs, (size_t)count, sizeof(*pairs), compare_ends);
	memcpy(ret->pair, pairs, (size_t)count * sizeof(*pairs));
	ret->pair_count = count;
}

/* Find the share of each node, in the order of `nodes`; fails if one
 * is missing. */
static int shares_sort(const struct hostlist *nodes,
		       const struct profile_share *shares, size_t count,
		       const struct profile_share *ret[PROFILE_NODES_MAX],
		       struct sp_error *err)
{
	memset(ret, 0, PROFILE_NODES_MAX * sizeof(*ret));
	for (size_t i = 0; i < count; i++) {
		int at = hostlist_position(nodes, shares[i].node);

		if (at >= 0)
			ret[at] = &shares[i];
	}
	for (size_t i = 0; i < nodes->count; i++)
		if (!ret[i])
			return sp_error_set(err, "nothing is known of node %s",
					    nodes->names[i]);
	return 0;
}

static int shares_join(const struct profile_share *const of[], size_t count,
		       const struct hostlist *nodes, struct profile *ret,
		       struct sp_error *err)
{
	int pairs_count = 0;
	bool have_messages = true;
	struct profile_pair *pairs =
		calloc(count * PROFILE_PEERS_MAX, sizeof(*pairs));

	if (!pairs)
		return sp_error_set(err, "out of memory");
	ret->node_count = (int)count;
	for (size_t i = 0; i < count; i++) {
		ret->node[i] = of[i]->phases;
		have_messages &= of[i]->peer_count >= 0;
		if (isnan(of[i]->phases.busy_s))
			ret->node_count = 0;
		pairs_add(of[i], nodes, (int)i, pairs, &pairs_count);
	}
	if (have_messages)
		pairs_keep(pairs, pairs_count, ret);
	else
		ret->pair_count = -1;
	free(pairs);
	return 0;
}

int profile_of_run(const struct run *run, const struct profile_share *shares,
		   size_t count, struct profile *ret, struct sp_error *err)
{
	const struct profile_share *of[PROFILE_NODES_MAX];
	struct hostlist nodes;
	int rc = -1;

	if (!run_is_representative(run))
		return sp_error_set(err, "the run did not complete");
	if (hostlist_expand(run->node_list, &nodes, err))
		return -1;
	memset(ret, 0, sizeof(*ret));
	if (nodes.count == 0 || nodes.count > PROFILE_NODES_MAX) {
		sp_error_set(err, "%zu nodes", nodes.count);
	} else if (!shares_sort(&nodes, shares, count, of, err) &&
		   !shares_join(of, nodes.count, &nodes, ret, err)) {
		strcpy(ret->cluster, run->cluster);
		ret->application = run->application;
		ret->nodes = run->nodes;
		ret->tasks = run->tasks;
		ret->runs = 1;
		ret->runtime_s = run_runtime_s(run);
		ret->measured_at_s = run->ended_at_s;
		rc = 0;
	}
	hostlist_clear(&nodes);
	return rc;
}

/* --- Many of them -------------------------------------------------------- */

/* Below, a mean over the run; system services alone stay above it. */
#define UNDISTURBED_CPU_LEFT 0.9

bool profile_is_undisturbed(const struct profile *profile)
{
	for (int i = 0; i < profile->node_count; i++)
		if (!(profile->node[i].cpu_left >= UNDISTURBED_CPU_LEFT))
			return false;
	return profile->node_count > 0;
}

bool profile_is_alike(const struct profile *a, const struct profile *b)
{
	return a->nodes == b->nodes && a->tasks == b->tasks &&
	       !strcmp(a->cluster, b->cluster) &&
	       !strcmp(a->application.name, b->application.name) &&
	       parameters_equal(&a->application.parameters,
				&b->application.parameters) &&
	       profile_is_undisturbed(a) == profile_is_undisturbed(b);
}

/* A value that only one of them has is taken over. */
static void mean_update(double *into, double value, double weight)
{
	if (isnan(*into))
		*into = value;
	else if (!isnan(value))
		*into += weight * (value - *into);
}

/* Update all numbers of a record. */
static void means_update(const struct field fields[], void *into,
			 const void *value, double weight)
{
	for (const struct field *f = fields; f->name; f++)
		if (f->kind == FIELD_NUMBER || f->kind == FIELD_KNOWN)
			mean_update(
				(void *)((char *)into + f->offset),
				*(const double *)(const void *)((const char *)
									value +
								f->offset),
				weight);
}

/* Which workers are where, and the kind, are those of the newer run, unless its
 * messages were not watched, or show less than those before. */
static void farm_mean_update(struct profile *into, const struct profile *run,
			     double weight)
{
	struct profile_farm *own = &into->farm, before = *own;

	if ((run->pair_count < 0 && run->farm.kind != PROFILE_FARM_PROCESSES) ||
	    (run->farm.kind == PROFILE_FARM_UNCLEAR &&
	     before.kind != PROFILE_NO_FARM))
		return;
	*own = run->farm;
	if (before.kind == PROFILE_NO_FARM || own->kind == PROFILE_NO_FARM ||
	    before.kind == PROFILE_FARM_UNCLEAR)
		return;

	means_update(profile_farm_fields, own, &before, 1 - weight);
}

static void pair_scale(struct profile_pair *pair, double factor)
{
	pair->messages *= factor;
	pair->bytes *= factor;
	pair->replies *= factor;
	pair->long_messages *= factor;
}

/* Both are in the order of nodes.  A pair that only one of them has sent
 * nothing in the other. */
static void pairs_mean_update(struct profile *into, const struct profile *run,
			      double weight)
{
	for (int i = 0; i < run->pair_count; i++) {
		const struct profile_pair *pair = &run->pair[i];
		struct profile_pair *own =
			bsearch(pair, into->pair, (size_t)into->pair_count,
				sizeof(*pair), compare_ends);

		if (own) {
			means_update(profile_pair_fields, own, pair, weight);
			continue;
		}
		if (into->pair_count == PROFILE_PAIRS_MAX)
			continue;
		own = &into->pair[into->pair_count++];
		*own = *pair;
		pair_scale(own, weight);
		qsort(into->pair, (size_t)into->pair_count, sizeof(*own),
		      compare_ends);
	}
	for (int i = 0; i < into->pair_count; i++) {
		struct profile_pair *own = &into->pair[i];

		if (bsearch(own, run->pair, (size_t)run->pair_count,
			    sizeof(*own), compare_ends))
			continue;
		pair_scale(own, 1 - weight);
	}
}

void profile_merge(struct profile *into, const struct profile *run)
{
	uint32_t before = into->runs < PROFILE_MERGE_RUNS ? into->runs
							  : PROFILE_MERGE_RUNS;
	double weight = 1.0 / (before + 1);

	farm_mean_update(into, run, weight);

	into->runs++;
	mean_update(&into->runtime_s, run->runtime_s, weight);
	into->measured_at_s = fmax(into->measured_at_s, run->measured_at_s);
	if (run->node_count && !into->node_count) {
		into->node_count = run->node_count;
		memcpy(into->node, run->node, sizeof(into->node));
	} else if (run->node_count == into->node_count) {
		for (int i = 0; i < into->node_count; i++) {
			into->node[i].tasks = run->node[i].tasks;
			means_update(profile_node_fields, &into->node[i],
				     &run->node[i], weight);
		}
	}
	if (run->pair_count >= 0 && into->pair_count < 0) {
		into->pair_count = run->pair_count;
		memcpy(into->pair, run->pair, sizeof(into->pair));
	} else if (run->pair_count >= 0) {
		pairs_mean_update(into, run, weight);
	}
}
