/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots_links.c - uplinks of nodes, and links between leaf switches
 *
 * The uplink of a node is the best of the node's links within its leaf that
 * were measured last: a link is as fast as the slower uplink of its two ends,
 * and most uplinks are good.  The newest values count, not the forecast,
 * which waits until each link is measured again, some of them several times:
 * when an uplink changes, all links of the node have.  Likewise the link
 * between two leaves is the best of the links from one to the other, which
 * may pass slow uplinks as well.  A node without links within its leaf is
 * judged by its others.
 *
 * Measured is the round trip; each direction within a leaf passes two uplinks.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/index.h"
#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/snapshots_state.h"

/* Links read per hold of the lock: below a millisecond. */
#define LINKS_AT_ONCE 1000

/* Links of a node that its uplink is found from. */
#define LAST 4

/* -HUGE_VAL, NAN: nothing. */
struct link_value {
	double time_s;
	float bandwidth_bps;
};

/* The uplink of a node. */
struct uplink {
	struct link_value in[LAST], out[LAST]; /* in any order */
	float latency_s; /* one way, the least; NAN: none */
};

struct leaf_pair {
	uint32_t a, b;     /* leaves, a < b */
	float there, back; /* bits per second, the most; NAN: nothing */
	float latency_s; /* one way, the least, with the uplinks of both ends */
	uint32_t from, to; /* rows of the link of the least latency */
};

struct uplinks {
	struct snapshot *s;
	const uint32_t *row_of;
	uint32_t positions;
	struct uplink *near; /* of each row, by links within its leaf */
	struct uplink *far;  /* likewise, by others */
	uint32_t count, capacity;
	struct leaf_pair *between;
	struct index index;
};

/* --- Between leaves ------------------------------------------------------- */

/* Return NULL if there are too many, or memory ran out; then nothing is said
 * of these two leaves. */
static struct leaf_pair *between(struct uplinks *w, uint32_t a, uint32_t b)
{
	const uint32_t both[2] = { a, b };
	uint64_t hash = index_hash(0, both, sizeof(both));
	uint32_t at = index_find(&w->index, hash, NULL, NULL);

	if (at != INDEX_NONE)
		return &w->between[at];
	if (w->count >= SNAPSHOT_PAIRS_MAX || index_reserve(&w->index) ||
	    index_grow(&w->between, &w->capacity, w->count,
		       sizeof(w->between[0])))
		return NULL;
	w->between[w->count] = (struct leaf_pair){
		.a = a, .b = b, .there = NAN, .back = NAN, .latency_s = NAN
	};
	index_add(&w->index, hash, w->count);
	return &w->between[w->count++];
}

/* fmaxf() and fminf() pass over NAN. */
static void pair_add(struct uplinks *w, uint32_t from, uint32_t to,
		     float bandwidth_bps, float there_and_back_s)
{
	uint32_t a = w->s->nodes[from].leaf;
	uint32_t b = w->s->nodes[to].leaf;
	struct leaf_pair *of = a < b ? between(w, a, b) : between(w, b, a);
	float latency_s = there_and_back_s / 2;

	if (!of)
		return;
	if (a < b)
		of->there = fmaxf(of->there, bandwidth_bps);
	else
		of->back = fmaxf(of->back, bandwidth_bps);
	if (latency_s < of->latency_s || isnan(of->latency_s)) {
		of->latency_s = latency_s;
		of->from = from;
		of->to = to;
	}
}

/* --- Each link ------------------------------------------------------------ */

static uint32_t row_find(const struct uplinks *w, uint32_t position)
{
	return position < w->positions ? w->row_of[position] : SNAPSHOT_NONE;
}

/* In the place of the oldest. */
static void last_add(struct link_value last[LAST],
		     const struct level *bandwidth)
{
	struct link_value *oldest = &last[0];

	if (!bandwidth->count)
		return;
	for (int i = 1; i < LAST; i++)
		if (last[i].time_s < oldest->time_s)
			oldest = &last[i];

	int newest = bandwidth->count - 1;

	if (bandwidth->times_s[newest] > oldest->time_s)
		*oldest = (struct link_value){ bandwidth->times_s[newest],
					       bandwidth->values[newest] };
}

static void link_add(struct uplinks *w, const struct links_link *link)
{
	uint32_t from = row_find(w, link->from);
	uint32_t to = row_find(w, link->to);
	float bandwidth_bps = (float)link->forecast.bandwidth_bps;
	float there_and_back_s = (float)link->forecast.latency_s;

	if (!link->fresh || from == SNAPSHOT_NONE || to == SNAPSHOT_NONE)
		return;

	uint32_t a = w->s->nodes[from].leaf;
	uint32_t b = w->s->nodes[to].leaf;
	struct uplink *out = a == b ? &w->near[from] : &w->far[from];
	struct uplink *in = a == b ? &w->near[to] : &w->far[to];

	last_add(out->out, link->bandwidth);
	last_add(in->in, link->bandwidth);
	out->latency_s = fminf(out->latency_s, there_and_back_s / 4);
	in->latency_s = fminf(in->latency_s, there_and_back_s / 4);
	if (a != b && a != SNAPSHOT_NONE && b != SNAPSHOT_NONE)
		pair_add(w, from, to, bandwidth_bps, there_and_back_s);
}

static void links_add(struct uplinks *w, struct engine *engine, double now_s)
{
	uint32_t count = 1;

	for (uint32_t i = 0; i < count; i += LINKS_AT_ONCE) {
		ordered_lock_take(&engine->lock);

		const struct links *links = nodes_links(engine->nodes);

		count = links_count(links);
		for (uint32_t j = i; j < count && j < i + LINKS_AT_ONCE; j++) {
			struct links_link link;

			links_at(links, j, now_s, &link);
			link_add(w, &link);
		}
		ordered_lock_give(&engine->lock);
	}
}

/* --- What follows --------------------------------------------------------- */

static float last_best(const struct link_value last[LAST])
{
	float bandwidth_bps = NAN;

	for (int i = 0; i < LAST; i++)
		bandwidth_bps = fmaxf(bandwidth_bps, last[i].bandwidth_bps);
	return bandwidth_bps;
}

static float value_or(float value, float other)
{
	return isnan(value) ? other : value;
}

static void node_fill(const struct uplinks *w, uint32_t i)
{
	const struct uplink *near = &w->near[i];
	const struct uplink *far = &w->far[i];

	w->s->nodes[i].bandwidth_bps =
		value_or(fminf(last_best(near->in), last_best(near->out)),
			 fminf(last_best(far->in), last_best(far->out)));
	w->s->nodes[i].latency_s = value_or(near->latency_s, far->latency_s);
}

static void pair_fill(const struct uplinks *w, const struct leaf_pair *of)
{
	float ends_s =
		w->s->nodes[of->from].latency_s + w->s->nodes[of->to].latency_s;
	bool known = !isnan(of->latency_s);

	w->s->pairs[w->s->pair_count++] = (struct snapshot_pair){
		.a = of->a,
		.b = of->b,
		.bandwidth_bps = fminf(of->there, of->back),
		.latency_s = known ? fmaxf(0, of->latency_s - ends_s) : NAN,
	};
}

static void snapshot_fill(const struct uplinks *w)
{
	struct snapshot_pair *pairs = calloc(w->count + 1, sizeof(*pairs));

	for (uint32_t i = 0; i < w->s->node_count; i++)
		node_fill(w, i);
	if (!pairs)
		return;
	free(w->s->pairs);
	w->s->pairs = pairs;
	for (uint32_t i = 0; i < w->count; i++)
		pair_fill(w, &w->between[i]);
}

static void uplink_init(struct uplink *way)
{
	way->latency_s = NAN;
	for (int i = 0; i < LAST; i++)
		way->in[i] = way->out[i] =
			(struct link_value){ -HUGE_VAL, NAN };
}

int snapshots_make_links(struct engine *engine, const uint32_t *row_of,
			 uint32_t positions, double now_s, struct snapshot *s)
{
	struct uplinks w = {
		.s = s,
		.row_of = row_of,
		.positions = positions,
		.near = calloc(s->node_count + 1, sizeof(struct uplink)),
		.far = calloc(s->node_count + 1, sizeof(struct uplink)),
	};
	int rc = -1;

	if (!w.near || !w.far)
		goto out;
	for (uint32_t i = 0; i < s->node_count; i++) {
		uplink_init(&w.near[i]);
		uplink_init(&w.far[i]);
	}
	links_add(&w, engine, now_s);
	snapshot_fill(&w);
	rc = 0;
out:
	free(w.near);
	free(w.far);
	free(w.between);
	index_clear(&w.index);
	return rc;
}
