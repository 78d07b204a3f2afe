/* SPDX-License-Identifier: GPL-2.0-or-later */
/* links.c - links between nodes, measured and forecast
 *
 * One struct link for each measured direction, found by an index of both
 * positions, with a level for bandwidth and one for latency.  A second index
 * has, for each pair of leaf switches, the link between them that was
 * measured last: it stands for pairs that were not measured.  Callers hold
 * the engine's lock.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/conditions/links.h"

/* A link is measured every few minutes.  Before its second measurement the
 * interval is unknown. */
#define EXPIRY_S       300.0
#define EXPIRY_FIRST_S 900.0
#define EXPIRY_STEPS   4.0
#define EXPIRY_MAX_S   (6 * 3600.0)

/* Pairs of a node set that are averaged at most: 60 ns each. */
#define PAIRS_MAX 256

struct link {
	uint32_t from, to;
	float utilisation;
	struct level bandwidth, latency;
};

/* The link between two leaves that was measured last. */
struct leaf_pair {
	uint32_t from_leaf, to_leaf, link;
};

struct links {
	uint32_t count, capacity;
	struct link **of;
	struct index index;

	uint32_t leaves_count, leaves_capacity;
	uint32_t *leaves; /* by node */
	uint32_t pairs_count, pairs_capacity;
	struct leaf_pair *pairs;
	struct index pairs_index;
};

struct links *node_links_create(void)
{
	return calloc(1, sizeof(struct links));
}

void node_links_destroy(struct links *links)
{
	if (!links)
		return;
	for (uint32_t i = 0; i < links->count; i++)
		free(links->of[i]);
	free(links->of);
	free(links->leaves);
	free(links->pairs);
	index_clear(&links->index);
	index_clear(&links->pairs_index);
	free(links);
}

uint32_t links_count(const struct links *links)
{
	return links->count;
}

/* --- Finding ------------------------------------------------------------- */

static uint64_t link_hash(uint32_t from, uint32_t to)
{
	const uint32_t both[2] = { from, to };

	return index_hash(0, both, sizeof(both));
}

uint32_t links_find(const struct links *links, uint32_t from, uint32_t to)
{
	return index_find(&links->index, link_hash(from, to), NULL, NULL);
}

static uint32_t leaf_pair_find(const struct links *links, uint32_t from_leaf,
			       uint32_t to_leaf)
{
	return index_find(&links->pairs_index, link_hash(from_leaf, to_leaf),
			  NULL, NULL);
}

static uint32_t leaf_of(const struct links *links, uint32_t node)
{
	return node < links->leaves_count ? links->leaves[node] : LINKS_NO_LEAF;
}

/* --- Measuring ----------------------------------------------------------- */

static struct link *link_add(struct links *links, uint32_t from, uint32_t to,
			     struct sp_error *err)
{
	struct link *link;

	if (links->count >= LINKS_MAX)
		return sp_error_null(err, "there are %d links already",
				     LINKS_MAX);
	link = calloc(1, sizeof(*link));
	if (!link || index_reserve(&links->index) ||
	    index_grow(&links->of, &links->capacity, links->count,
		       sizeof(struct link *))) {
		free(link);
		return sp_error_null(err, "a link: out of memory");
	}
	link->from = from;
	link->to = to;
	link->utilisation = NAN;
	links->of[links->count] = link;
	index_add(&links->index, link_hash(from, to), links->count);
	links->count++;
	return link;
}

/* This link is now the representative of its leaves.  Without memory there is
 * none. */
static void leaf_pair_update(struct links *links, uint32_t position)
{
	const struct link *link = links->of[position];
	uint32_t from_leaf = leaf_of(links, link->from);
	uint32_t to_leaf = leaf_of(links, link->to);

	if (from_leaf == LINKS_NO_LEAF || to_leaf == LINKS_NO_LEAF)
		return;

	uint32_t at = leaf_pair_find(links, from_leaf, to_leaf);

	if (at == INDEX_NONE) {
		if (index_reserve(&links->pairs_index) ||
		    index_grow(&links->pairs, &links->pairs_capacity,
			       links->pairs_count, sizeof(links->pairs[0])))
			return;
		at = links->pairs_count++;
		links->pairs[at] = (struct leaf_pair){ from_leaf, to_leaf, 0 };
		index_add(&links->pairs_index, link_hash(from_leaf, to_leaf),
			  at);
	}
	links->pairs[at].link = position;
}

static bool is_measured(double value)
{
	return isfinite(value) && value >= 0;
}

int links_measure(struct links *links, uint32_t from, uint32_t to,
		  const struct link_measurement *m, struct sp_error *err)
{
	if (!isfinite(m->time_s) || m->time_s < 0)
		return sp_error_set(err, "link %s to %s: bad time", m->from,
				    m->to);
	if (from == to)
		return sp_error_set(err, "link %s to %s: one node", m->from,
				    m->to);

	uint32_t at = links_find(links, from, to);
	struct link *link = at == INDEX_NONE ? link_add(links, from, to, err)
					     : links->of[at];

	if (!link)
		return -1;
	if (is_measured(m->bandwidth_bps))
		level_add(&link->bandwidth, m->time_s, m->bandwidth_bps);
	if (is_measured(m->latency_s))
		level_add(&link->latency, m->time_s, m->latency_s);
	if (is_measured(m->utilisation))
		link->utilisation = (float)m->utilisation;
	leaf_pair_update(links, at == INDEX_NONE ? links->count - 1 : at);
	return 0;
}

int links_set_leaf(struct links *links, uint32_t node, uint32_t leaf,
		   struct sp_error *err)
{
	while (links->leaves_count <= node) {
		if (index_grow(&links->leaves, &links->leaves_capacity,
			       links->leaves_count, sizeof(uint32_t)))
			return sp_error_set(err, "leaves: out of memory");
		links->leaves[links->leaves_count++] = LINKS_NO_LEAF;
	}
	links->leaves[node] = leaf;
	return 0;
}

uint32_t links_leaf(const struct links *links, uint32_t node)
{
	return leaf_of(links, node);
}

/* --- Forecasting --------------------------------------------------------- */

static double level_expiry_s(const struct level *level)
{
	if (!(level->step_s > 0))
		return EXPIRY_FIRST_S;
	return fmin(EXPIRY_MAX_S,
		    fmax(EXPIRY_S, EXPIRY_STEPS * (double)level->step_s));
}

static bool is_fresh(const struct level *level, double time_s)
{
	return time_s - level_time_s(level, time_s) <= level_expiry_s(level);
}

static void level_value(const struct level *level, double time_s,
			double *ret_value, double *ret_error)
{
	if (!is_fresh(level, time_s) ||
	    level_forecast(level, time_s, ret_value, ret_error))
		*ret_value = *ret_error = NAN;
}

/* -1: nothing is known of it. */
static int link_forecast_make(const struct link *link, double time_s,
			      struct link_forecast *ret)
{
	level_value(&link->bandwidth, time_s, &ret->bandwidth_bps,
		    &ret->bandwidth_error);
	level_value(&link->latency, time_s, &ret->latency_s,
		    &ret->latency_error);
	ret->time_s = fmax(level_time_s(&link->bandwidth, time_s),
			   level_time_s(&link->latency, time_s));
	if (isnan(ret->bandwidth_bps) && isnan(ret->latency_s)) {
		ret->utilisation = NAN;
		return -1;
	}
	ret->utilisation = (double)link->utilisation;
	return 0;
}

static uint32_t representative(const struct links *links, uint32_t from,
			       uint32_t to)
{
	uint32_t from_leaf = leaf_of(links, from);
	uint32_t to_leaf = leaf_of(links, to);

	if (from_leaf == LINKS_NO_LEAF || to_leaf == LINKS_NO_LEAF)
		return INDEX_NONE;

	uint32_t at = leaf_pair_find(links, from_leaf, to_leaf);

	if (at == INDEX_NONE)
		return INDEX_NONE;

	/* Its nodes may have been moved since. */
	const struct link *link = links->of[links->pairs[at].link];

	if (leaf_of(links, link->from) != from_leaf ||
	    leaf_of(links, link->to) != to_leaf)
		return INDEX_NONE;
	return links->pairs[at].link;
}

/* Fill in what is missing from a less specific link. */
static void forecast_complete(const struct link_forecast *f,
			      struct link_forecast *ret)
{
	if (ret->source == LINK_UNKNOWN) {
		*ret = *f;
		return;
	}
	if (isnan(ret->bandwidth_bps)) {
		ret->bandwidth_bps = f->bandwidth_bps;
		ret->bandwidth_error = f->bandwidth_error;
	}
	if (isnan(ret->latency_s)) {
		ret->latency_s = f->latency_s;
		ret->latency_error = f->latency_error;
	}
}

void links_forecast(const struct links *links, uint32_t from, uint32_t to,
		    double time_s, struct link_forecast *ret)
{
	const struct {
		uint32_t link;
		enum link_source source;
	} tries[] = {
		{ links_find(links, from, to), LINK_MEASURED },
		{ links_find(links, to, from), LINK_REVERSE },
		{ representative(links, from, to), LINK_REPRESENTATIVE },
		{ representative(links, to, from), LINK_REPRESENTATIVE },
	};

	*ret = (struct link_forecast){ LINK_UNKNOWN, NAN, NAN,      NAN,
				       NAN,          NAN, -HUGE_VAL };
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct link_forecast f;

		if (tries[i].link == INDEX_NONE ||
		    link_forecast_make(links->of[tries[i].link], time_s, &f))
			continue;
		f.source = tries[i].source;
		forecast_complete(&f, ret);
	}
}

struct link_sums {
	int bandwidths, latencies, pairs;
	double bandwidth_bps, latency_s;
};

static void sums_add(const struct links *links, uint32_t a, uint32_t b,
		     double time_s, struct link_sums *sums)
{
	struct link_forecast f;

	links_forecast(links, a, b, time_s, &f);
	if (f.source == LINK_UNKNOWN)
		return;
	sums->pairs++;
	if (!isnan(f.bandwidth_bps)) {
		sums->bandwidth_bps += f.bandwidth_bps;
		sums->bandwidths++;
	}
	if (!isnan(f.latency_s)) {
		sums->latency_s += f.latency_s;
		sums->latencies++;
	}
}

/* Take both directions of each pair of a small set; in a large one each
 * node with the nodes that stand 1, 3, 9, ... behind it, as far as
 * PAIRS_MAX goes. */
int links_between(const struct links *links, const uint32_t *nodes, int count,
		  double time_s, double *ret_bandwidth_bps,
		  double *ret_latency_s)
{
	struct link_sums sums = { 0 };
	int left = PAIRS_MAX;
	bool all = (int64_t)count * (count - 1) <= PAIRS_MAX;

	if (links->count == 0)
		left = 0;
	for (int step = 1; step < count && left > 0;
	     step = all ? step + 1 : 3 * step)
		for (int i = 0; i < count && left > 0; i++, left--)
			sums_add(links, nodes[i], nodes[(i + step) % count],
				 time_s, &sums);
	*ret_bandwidth_bps =
		sums.bandwidths ? sums.bandwidth_bps / sums.bandwidths : NAN;
	*ret_latency_s = sums.latencies ? sums.latency_s / sums.latencies : NAN;
	return sums.pairs;
}

/* --- Lists ------------------------------------------------------------- */

void links_at(const struct links *links, uint32_t position, double time_s,
	      struct links_link *ret)
{
	const struct link *link = links->of[position];

	*ret = (struct links_link){
		.from = link->from,
		.to = link->to,
		.bandwidth = &link->bandwidth,
		.latency = &link->latency,
	};
	ret->fresh = link_forecast_make(link, time_s, &ret->forecast) == 0;
	ret->forecast.source = ret->fresh ? LINK_MEASURED : LINK_UNKNOWN;
}
