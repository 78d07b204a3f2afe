/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_items.c - candidates as items, levels and an order
 *
 * One pass over the candidates makes items of them: slowness to this job from
 * forecast, load and Slurm's jobs (cpu_share()), and its links.  A second pass
 * finds levels.  A radix sort puts them in order, which takes half of the time
 * of a ranking.  All memory is laid out in the caller's scratch.
 */
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "predictor/placement/rank_state.h"

#define LEAF_SLOTS (SNAPSHOT_LEAVES_MAX + 1) /* the last for unknown leaves */

/* Links are assumed to take this part of the run time of a job without a
 * profile in typical conditions, if it has more than one node. */
#define LINK_SHARE 0.1f

/* With more candidates levels are coarser: each node is compared with all
 * cells. */
#define FINE_COUNT 256

static const int levels_max[LEVELS][2] = {
	[LEVEL_SPEED] = { RANK_LEVELS_MAX, 4 },
	[LEVEL_BANDWIDTH] = { RANK_LEVELS_MAX, 8 },
	[LEVEL_LATENCY] = { RANK_LEVELS_MAX, 4 },
};

/* --- Memory --------------------------------------------------------------- */

#define ALIGNMENT alignof(max_align_t)

static size_t aligned_size(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t rank_scratch_size(uint32_t count)
{
	return aligned_size(sizeof(struct rank_ranking)) +
	       aligned_size(count * sizeof(struct rank_item)) +
	       3 * aligned_size(count * sizeof(uint32_t)) +
	       4 * aligned_size(LEAF_SLOTS * sizeof(uint32_t)) +
	       3 * aligned_size(LEAF_SLOTS * sizeof(bool));
}

static void *scratch_take(char **from, size_t size)
{
	void *taken = *from;

	*from += aligned_size(size);
	return taken;
}

static struct rank_ranking *scratch_lay_out(const struct rank_request *request,
					    char *scratch)
{
	struct rank_ranking *r = scratch_take(&scratch, sizeof(*r));
	size_t numbers = LEAF_SLOTS * sizeof(uint32_t);
	size_t flags = LEAF_SLOTS * sizeof(bool);

	/* The tables of cells are filled when they are needed. */
	memset(r, 0, offsetof(struct rank_ranking, cells));
	r->request = request;
	r->count = request->count;
	r->items = scratch_take(&scratch, r->count * sizeof(r->items[0]));
	r->order = scratch_take(&scratch, r->count * sizeof(r->order[0]));
	r->spare = scratch_take(&scratch, r->count * sizeof(r->spare[0]));
	r->keys = scratch_take(&scratch, r->count * sizeof(r->keys[0]));
	r->leaf_of = scratch_take(&scratch, numbers);
	r->leaf_number = scratch_take(&scratch, numbers);
	r->leaf_good = scratch_take(&scratch, numbers);
	r->leaf_sorted = scratch_take(&scratch, numbers);
	r->leaf_in = scratch_take(&scratch, flags);
	r->leaf_required = scratch_take(&scratch, flags);
	r->leaf_best = scratch_take(&scratch, flags);
	r->cells_count = 0;
	r->leaves_count = 0;
	r->leaves_required = 0;
	memset(r->leaf_of, 0xff, numbers);
	memset(r->leaf_required, 0, flags);
	return r;
}

/* --- The model ------------------------------------------------------------ */

static void choose_model(struct rank_ranking *r)
{
	const struct rank_request *q = r->request;
	const struct snapshot_node *typical = &q->snapshot->typical;
	struct placement_model *m = &r->model;

	if (q->model)
		*m = *q->model;
	else
		placement_model_from_runtime(q->nodes, q->nodes, NAN, m);
	if (q->nodes < 2) { /* all messages stay on the node */
		m->link_bits = 0;
		m->link_messages = 0;
	} else if (m->basis != PLACEMENT_PROFILE &&
		   m->basis != PLACEMENT_FARM && typical->bandwidth_bps > 0) {
		m->link_bits = LINK_SHARE * m->busy_s * typical->bandwidth_bps;
		m->busy_s *= 1 - LINK_SHARE;
	}
	r->links = m->link_bits > 0 || m->link_messages > 0;
	if (rank_blocks_apply(q, m))
		r->weights = &m->weights;
}

/* --- Items ---------------------------------------------------------------- */

static float known_or(float value, float otherwise)
{
	return isnan(value) ? otherwise : value;
}

/* Return the share of a CPU that each of `tasks` processes gets, where Slurm's
 * other jobs have `used` CPUs: equal shares, once there are more runnable
 * processes than CPUs.  How many others there are is measured, or follows from
 * the share that they leave to one. */
static float cpu_share(const struct rank_candidate *c, float available,
		       float load, float tasks)
{
	float mine = (float)c->used + tasks;
	float cpus = c->cpus ? (float)c->cpus : mine;
	float others = isnan(load) ? cpus / available - 1 : load;

	if (mine <= 1)
		return available;
	return fminf(available, cpus / (others + mine));
}

/* Lower bounds: a forecast of 0 means starved, not stopped. */
#define AVAILABLE_MIN 0.001f
#define SPEED_MIN     0.001f
#define PER_BIT_MAX_S 0.001f

/* Seconds for each second of computing that a process of this job waits for
 * turns of its CPU, where it gets the share `share` of one. */
static float turns_part(const struct placement_model *m, float turn_s,
			float share)
{
	if (!(m->turns > 0) || !(m->busy_s > 0) || !(share < 1))
		return 0;
	return m->turns * turn_s * (1 / share - 1) / m->busy_s;
}

static void make_item(const struct rank_request *q,
		      const struct placement_model *m, int horizon,
		      const struct rank_candidate *c, struct rank_item *ret)
{
	const struct snapshot_node *typical = &q->snapshot->typical;
	const struct snapshot_node *node =
		c->node < q->snapshot->node_count ? &q->snapshot->nodes[c->node]
						  : typical;
	float tasks = q->tasks_per_node ? (float)q->tasks_per_node : 1;
	float available =
		known_or(node->available[horizon], typical->available[horizon]);
	float load = known_or(node->load, typical->load);
	float slowness =
		1 / fmaxf(known_or(node->speed, typical->speed), SPEED_MIN);

	available = fmaxf(available, AVAILABLE_MIN);

	float share = cpu_share(c, available, load, tasks);

	ret->turns = turns_part(
		m, known_or(known_or(node->turn_s, typical->turn_s), 0), share);
	ret->slow = slowness / share + ret->turns;
	ret->fresh = node != typical && !isnan(node->available[horizon]);
	ret->leaf = c->leaf != SNAPSHOT_NONE ? c->leaf : node->leaf;
	ret->value[LEVEL_SPEED] = slowness;
	/* Unknown links are taken to be fast. */
	ret->value[LEVEL_BANDWIDTH] =
		fminf(known_or(1 / known_or(node->bandwidth_bps,
					    typical->bandwidth_bps),
			       0),
		      PER_BIT_MAX_S);
	ret->value[LEVEL_LATENCY] =
		known_or(known_or(node->latency_s, typical->latency_s), 0);
}

static void number_leaf(struct rank_ranking *r, struct rank_item *item)
{
	uint32_t slot = item->leaf < SNAPSHOT_LEAVES_MAX ? item->leaf
							 : SNAPSHOT_LEAVES_MAX;

	if (r->leaf_of[slot] == SNAPSHOT_NONE) {
		r->leaf_of[slot] = r->leaves_count;
		r->leaf_number[r->leaves_count++] =
			slot < SNAPSHOT_LEAVES_MAX ? slot : SNAPSHOT_NONE;
	}
	item->leaf = r->leaf_of[slot];
}

static void make_items(struct rank_ranking *r)
{
	const struct rank_request *q = r->request;
	int horizon = snapshot_horizon((double)r->model.horizon_s);

	for (uint32_t i = 0; i < r->count; i++) {
		make_item(q, &r->model, horizon, &q->candidates[i],
			  &r->items[i]);
		number_leaf(r, &r->items[i]);
	}
}

/* --- Levels --------------------------------------------------------------- */

/* Make one level of all nodes, for a model without messages. */
static void one_level(struct rank_ranking *r, int kind)
{
	r->levels[kind] = (struct rank_levels){ .count = 1 };
	for (uint32_t i = 0; i < r->count; i++)
		r->items[i].level[kind] = 0;
}

/* As many levels as there are values.  False: too many. */
static bool exact_levels(struct rank_ranking *r, int kind, int max)
{
	struct rank_levels *levels = &r->levels[kind];

	levels->count = 0;
	for (uint32_t i = 0; i < r->count; i++) {
		float value = r->items[i].value[kind];
		int at = 0;

		while (at < levels->count && levels->worst[at] < value)
			at++;
		if (at < levels->count && levels->worst[at] == value)
			continue;
		if (levels->count == max)
			return false;
		memmove(&levels->worst[at + 1], &levels->worst[at],
			(size_t)(levels->count - at) * sizeof(float));
		levels->worst[at] = value;
		levels->count++;
	}
	return true;
}

/* Floats that are not negative are in the order of their bits, which grow about
 * as their logarithm. */
static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

struct level_range {
	uint32_t low;
	uint64_t span; /* > 0 */
	int count;
};

static int level_in(const struct level_range *range, float value)
{
	uint64_t above = bits_of(value) - range->low;

	return (int)(above * (uint64_t)range->count / range->span);
}

/* Equal ratios between the least and the largest value; each level counts as
 * the worst value in it. */
static void near_levels(struct rank_ranking *r, int kind, int max)
{
	struct rank_levels *levels = &r->levels[kind];
	uint32_t low = UINT32_MAX;
	uint32_t high = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t bits = bits_of(r->items[i].value[kind]);

		low = bits < low ? bits : low;
		high = bits > high ? bits : high;
	}

	struct level_range range = { low, (uint64_t)high - low + 1, max };

	levels->count = max;
	memset(levels->worst, 0, sizeof(levels->worst));
	for (uint32_t i = 0; i < r->count; i++) {
		struct rank_item *item = &r->items[i];
		int at = level_in(&range, item->value[kind]);

		item->level[kind] = (uint8_t)at;
		levels->worst[at] = fmaxf(levels->worst[at], item->value[kind]);
	}
	for (int i = 1; i < max; i++) /* levels without a node */
		levels->worst[i] =
			fmaxf(levels->worst[i], levels->worst[i - 1]);
}

static void make_levels(struct rank_ranking *r)
{
	for (int kind = 0; kind < LEVELS; kind++) {
		int max = levels_max[kind][r->count > FINE_COUNT];

		if (kind != LEVEL_SPEED && !r->links) {
			one_level(r, kind);
			continue;
		}
		if (!exact_levels(r, kind, max)) {
			near_levels(r, kind, max);
			continue;
		}
		for (uint32_t i = 0; i < r->count; i++) {
			struct rank_item *item = &r->items[i];
			uint8_t at = 0;

			while (r->levels[kind].worst[at] < item->value[kind])
				at++;
			item->level[kind] = at;
		}
	}
}

/* --- Order ---------------------------------------------------------------- */

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

/* One pass of a radix sort. */
static void sort_digit(const uint32_t *keys, const uint32_t *from,
		       uint32_t count, int shift, uint32_t *to)
{
	uint32_t starts[DIGITS] = { 0 };
	uint32_t start = 0;

	for (uint32_t i = 0; i < count; i++)
		starts[keys[from[i]] >> shift & (DIGITS - 1)]++;
	for (uint32_t digit = 0; digit < DIGITS; digit++) {
		uint32_t size = starts[digit];

		starts[digit] = start;
		start += size;
	}
	for (uint32_t i = 0; i < count; i++)
		to[starts[keys[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_few(const uint32_t *keys, uint32_t *positions, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		uint32_t moved = positions[i];
		uint32_t to = i;

		for (; to && keys[positions[to - 1]] > keys[moved]; to--)
			positions[to] = positions[to - 1];
		positions[to] = moved;
	}
}

#define FEW 64

void rank_sort(struct rank_ranking *r, uint32_t *positions, uint32_t count)
{
	if (count <= FEW) {
		sort_few(r->keys, positions, count);
		return;
	}
	sort_digit(r->keys, positions, count, 0, r->spare);
	sort_digit(r->keys, r->spare, count, DIGIT_BITS, positions);
	sort_digit(r->keys, positions, count, 2 * DIGIT_BITS, r->spare);
	memcpy(positions, r->spare, count * sizeof(positions[0]));
}

static void make_order(struct rank_ranking *r)
{
	uint32_t required = r->request->required;

	r->order_count = r->count - required;
	for (uint32_t i = 0; i < r->order_count; i++) {
		r->order[i] = required + i;
		r->keys[required + i] = bits_of(r->items[required + i].slow);
	}
	rank_sort(r, r->order, r->order_count);
}

static void find_required_worst(struct rank_ranking *r)
{
	for (uint32_t i = 0; i < r->request->required; i++) {
		const struct rank_item *item = &r->items[i];

		r->required_slow = fmaxf(r->required_slow, item->slow);
		for (int kind = 0; kind < LEVELS; kind++)
			if (item->level[kind] > r->required_level[kind])
				r->required_level[kind] = item->level[kind];
		r->leaves_required += !r->leaf_required[item->leaf];
		r->leaf_required[item->leaf] = true;
	}
}

int rank_items(const struct rank_request *request, void *scratch,
	       struct rank_ranking **ret)
{
	if (request->nodes == 0 || request->nodes > request->count ||
	    request->required > request->nodes)
		return -1;

	struct rank_ranking *r = scratch_lay_out(request, scratch);

	choose_model(r);
	make_items(r);
	make_levels(r);
	make_order(r);
	find_required_worst(r);
	*ret = r;
	return 0;
}
