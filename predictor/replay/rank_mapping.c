/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_mapping.c - which rank goes where, on nodes of unequal speed
 *
 * Each candidate is replayed, so that what it is worth includes messages,
 * waiting and shared cores.  Exchanges are tried where they promise most: the
 * rank that takes longest for its work with those that take least.  After an
 * improvement the order is made anew; a pass without one ends the search from a
 * mapping, and there are three to start from: a single one ends up to 10 %
 * above the best.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/rank_mapping.h"

#define GAIN_MIN 1e-6 /* part of the run time that counts as shorter */

struct mapping {
	const struct mapping_search *search;
	int ranks, nodes, replays;
	bool cut;       /* a replay was beyond the limit */
	double *work_s; /* [ranks] */
	int *node;      /* [ranks]: of the candidate */
	int *used;      /* [nodes]: slots of it */
	int *order;     /* [ranks] */
	double *score;  /* [ranks], or [nodes] */
	int *best;      /* [ranks] */
	double best_s;
};

static bool is_over(const struct mapping *m)
{
	const struct mapping_search *search = m->search;

	return m->cut || m->replays >= search->replays_max ||
	       (search->stops && search->stops(search->argument));
}

static int replay_candidate(struct mapping *m, double *ret_s,
			    struct sp_error *err)
{
	struct replay_placement place = m->search->place;

	place.node = m->node;
	m->replays++;
	return run_replay_time(m->search->run, &place, ret_s, err);
}

/* The candidate becomes the best one, if it is. */
static int try_candidate(struct mapping *m, struct sp_error *err)
{
	double time_s;

	if (replay_candidate(m, &time_s, err)) {
		m->cut = work_limit_over(m->search->place.limit);
		return m->cut ? 0 : -1;
	}
	if (time_s < m->best_s * (1 - GAIN_MIN)) {
		m->best_s = time_s;
		for (int r = 0; r < m->ranks; r++)
			m->best[r] = m->node[r];
	}
	return 0;
}

/* --- Whole mappings ------------------------------------------------------- */

/* Put equal numbers of ranks on the nodes as far as possible, in blocks. */
static void map_blocks(struct mapping *m)
{
	int r = 0;

	for (int n = 0; n < m->nodes; n++)
		m->used[n] = 0;
	for (int left = m->ranks; left;)
		for (int n = 0; n < m->nodes && left; n++)
			if (m->used[n] < m->search->slots[n]) {
				m->used[n]++;
				left--;
			}
	for (int n = 0; n < m->nodes; n++)
		for (int i = 0; i < m->used[n]; i++)
			m->node[r++] = n;
}

static void map_in_turns(struct mapping *m)
{
	for (int n = 0; n < m->nodes; n++)
		m->used[n] = 0;
	for (int r = 0, n = 0; r < m->ranks; n = (n + 1) % m->nodes)
		if (m->used[n] < m->search->slots[n]) {
			m->used[n]++;
			m->node[r++] = n;
		}
}

/* Work a second that each of n ranks on the node does. */
static double rate_at(const struct mapping *m, int node, int n)
{
	const struct replay_node *to = &m->search->place.nodes[node];

	return to->speed * (n > to->cores ? to->cores / n : 1);
}

static void sort_by_score(const struct mapping *m, int *order)
{
	for (int i = 0; i < m->ranks; i++) {
		int k = i;

		for (; k > 0 && m->score[order[k - 1]] < m->score[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

/* The busiest first, each to where its node's work is then done first. */
static void map_greedily(struct mapping *m, double *node_s)
{
	for (int r = 0; r < m->ranks; r++)
		m->score[r] = m->work_s[r];
	sort_by_score(m, m->order);
	for (int n = 0; n < m->nodes; n++) {
		m->used[n] = 0;
		node_s[n] = 0;
	}
	for (int i = 0; i < m->ranks; i++) {
		int r = m->order[i];
		int to = -1;
		double least_s = HUGE_VAL;

		for (int n = 0; n < m->nodes; n++) {
			const struct replay_node *node =
				&m->search->place.nodes[n];
			double alone_s = m->work_s[r] / node->speed;
			double all_s = (node_s[n] + m->work_s[r]) /
				       node->speed /
				       fmin(node->cores, m->used[n] + 1);

			if (m->used[n] < m->search->slots[n] &&
			    fmax(alone_s, all_s) < least_s) {
				least_s = fmax(alone_s, all_s);
				to = n;
			}
		}
		m->node[r] = to;
		m->used[to]++;
		node_s[to] += m->work_s[r];
	}
}

/* --- Exchanges ------------------------------------------------------------ */

static void take_best(struct mapping *m)
{
	for (int n = 0; n < m->nodes; n++)
		m->used[n] = 0;
	for (int r = 0; r < m->ranks; r++) {
		m->node[r] = m->best[r];
		m->used[m->best[r]]++;
	}
	for (int r = 0; r < m->ranks; r++)
		m->score[r] = m->work_s[r] /
			      rate_at(m, m->node[r], m->used[m->node[r]]);
	sort_by_score(m, m->order);
}

/* Rank a goes to the node, rank b (-1: none) to where a was.  1: that is
 * shorter. */
static int try_exchange(struct mapping *m, int a, int b, int node,
			struct sp_error *err)
{
	double before_s = m->best_s;
	int from = m->node[a];
	int rc;

	m->node[a] = node;
	if (b >= 0)
		m->node[b] = from;
	rc = try_candidate(m, err);
	m->node[a] = from;
	if (b >= 0)
		m->node[b] = node;
	return rc ? -1 : m->best_s < before_s;
}

/* 1: the best became better; 0: it did not. */
static int try_rank(struct mapping *m, int a, struct sp_error *err)
{
	int rc = 0;

	for (int n = 0; n < m->nodes && !rc && !is_over(m); n++)
		if (n != m->node[a] && m->used[n] < m->search->slots[n])
			rc = try_exchange(m, a, -1, n, err);
	for (int i = m->ranks - 1; i >= 0 && !rc && !is_over(m); i--) {
		int b = m->order[i];

		if (m->node[b] != m->node[a])
			rc = try_exchange(m, a, b, m->node[b], err);
	}
	return rc;
}

static int exchange(struct mapping *m, struct sp_error *err)
{
	int rc = 1;

	while (rc > 0 && !is_over(m)) {
		take_best(m);
		rc = 0;
		for (int i = 0; i < m->ranks && !rc; i++)
			rc = try_rank(m, m->order[i], err);
	}
	return rc < 0 ? -1 : 0;
}

/* --- The search ----------------------------------------------------------- */

static void mapping_clear(struct mapping *m)
{
	free(m->work_s);
	free(m->node);
	free(m->used);
	free(m->order);
	free(m->score);
	free(m->best);
}

static int mapping_init(struct mapping *m, const struct mapping_search *search,
			struct sp_error *err)
{
	const struct matched_trace *trace = search->run->trace;
	int ranks = trace->ranks;
	int nodes = search->place.nodes_count;
	int most = ranks > nodes ? ranks : nodes;

	*m = (struct mapping){
		.search = search,
		.ranks = ranks,
		.nodes = nodes,
		.best_s = HUGE_VAL,
		.work_s = calloc(ranks, sizeof(*m->work_s)),
		.node = calloc(ranks, sizeof(*m->node)),
		.used = calloc(nodes, sizeof(*m->used)),
		.order = calloc(ranks, sizeof(*m->order)),
		.score = calloc(most, sizeof(*m->score)),
		.best = calloc(ranks, sizeof(*m->best)),
	};
	if (!m->work_s || !m->node || !m->used || !m->order || !m->score ||
	    !m->best) {
		mapping_clear(m);
		return sp_error_set(err, "out of memory for a mapping");
	}
	for (int r = 0; r < ranks; r++)
		for (int g = trace->first[r]; g < trace->first[r + 1]; g++)
			m->work_s[r] += trace->events[g].work_s;
	return 0;
}

int rank_mapping_find(const struct mapping_search *search, int ret_node[],
		      double *ret_s, struct sp_error *err)
{
	struct mapping m;
	int64_t slots = 0;
	double *node_s;
	int rc;

	for (int n = 0; n < search->place.nodes_count; n++)
		slots += search->slots[n] > 0 ? search->slots[n] : 0;
	if (slots < search->run->trace->ranks)
		return sp_error_set(err, "%d ranks do not fit on the nodes",
				    search->run->trace->ranks);
	if (mapping_init(&m, search, err))
		return -1;
	node_s = calloc(m.nodes, sizeof(*node_s));
	rc = node_s ? 0 : sp_error_set(err, "out of memory for a mapping");
	*ret_s = HUGE_VAL;
	for (int start = 0; start < 3 && !rc; start++) {
		if (start && is_over(&m))
			break;
		m.best_s = HUGE_VAL;
		if (start == 0)
			map_blocks(&m);
		else if (start == 1)
			map_in_turns(&m);
		else
			map_greedily(&m, node_s);
		rc = try_candidate(&m, err);
		if (!rc && m.ranks <= MAPPING_RANKS_MAX)
			rc = exchange(&m, err);
		if (rc || m.best_s >= *ret_s)
			continue;
		*ret_s = m.best_s;
		memcpy(ret_node, m.best, m.ranks * sizeof(*ret_node));
	}
	free(node_s);
	mapping_clear(&m);
	return rc || isinf(*ret_s) ? -1 : 0;
}

int rank_mapping_swap(const struct mapping_search *search, const int node[],
		      int *ret_a, int *ret_b, double *ret_s,
		      struct sp_error *err)
{
	struct mapping m;
	int best_a = -1, best_b = -1;

	if (search->run->trace->ranks > MAPPING_RANKS_MAX)
		return sp_error_set(err,
				    "%d ranks: exchanges are tried for "
				    "at most %d",
				    search->run->trace->ranks,
				    MAPPING_RANKS_MAX);
	if (mapping_init(&m, search, err))
		return -1;
	for (int r = 0; r < m.ranks; r++)
		m.node[r] = node[r];

	int rc = try_candidate(&m, err);

	*ret_s = m.best_s;

	for (int a = 0; a < m.ranks && rc >= 0; a++)
		for (int b = a + 1; b < m.ranks && rc >= 0 && !is_over(&m);
		     b++) {
			if (m.node[a] == m.node[b])
				continue;
			rc = try_exchange(&m, a, b, m.node[b], err);
			if (rc > 0) {
				best_a = a;
				best_b = b;
			}
		}
	if (rc >= 0) {
		*ret_a = best_a;
		*ret_b = best_b;
		*ret_s = m.best_s;
	}
	mapping_clear(&m);
	return rc < 0 || isinf(*ret_s) ? -1 : 0;
}
