/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - nodes, links and waiting jobs at one time
 *
 * Memory and references, binary search by name and id, and the medians that
 * stand for nodes without measurements.  No lock: a snapshot does not change
 * once it is finished.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/snapshot/snapshot_state.h"

const double snapshot_horizons_s[SNAPSHOT_HORIZONS] = { 60, 600, 3600 };

int snapshot_horizon(double seconds)
{
	int nearest = 0;

	/* By ratio: from the geometric mean on, the longer one is nearer. */
	while (nearest + 1 < SNAPSHOT_HORIZONS &&
	       seconds * seconds > snapshot_horizons_s[nearest] *
					   snapshot_horizons_s[nearest + 1])
		nearest++;
	return nearest;
}

/* --- Memory --------------------------------------------------------------- */

struct snapshot *snapshot_create(uint32_t nodes, uint32_t pairs, uint32_t jobs)
{
	struct snapshot *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	atomic_init(&s->references, 1);
	s->nodes = calloc(nodes + 1, sizeof(s->nodes[0]));
	s->pairs = calloc(pairs + 1, sizeof(s->pairs[0]));
	s->jobs = calloc(jobs + 1, sizeof(s->jobs[0]));
	if (s->nodes && s->pairs && s->jobs)
		return s;
	snapshot_put(s);
	return NULL;
}

struct snapshot *snapshot_get(struct snapshot *s)
{
	if (s)
		atomic_fetch_add(&s->references, 1);
	return s;
}

void snapshot_put(struct snapshot *s)
{
	if (!s || atomic_fetch_sub(&s->references, 1) != 1)
		return;
	free(s->nodes);
	free(s->pairs);
	free(s->jobs);
	free(s->order);
	free(s);
}

size_t snapshot_bytes(const struct snapshot *s)
{
	return sizeof(*s) + (s->node_count + 1) * sizeof(s->nodes[0]) +
	       (s->pair_count + 1) * sizeof(s->pairs[0]) +
	       (s->job_count + 1) * sizeof(s->jobs[0]) +
	       (s->order ? (s->node_count + 1) * sizeof(s->order[0]) : 0);
}

/* --- Search --------------------------------------------------------------- */

uint32_t snapshot_node(const struct snapshot *s, const char *name)
{
	uint32_t low = 0;
	uint32_t high = s->node_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = strcmp(s->nodes[middle].name, name);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return SNAPSHOT_NONE;
}

/* Parse a prediction's id.  -1: it is not one. */
static int snapshot_job_id(const char *text, uint64_t *ret)
{
	uint64_t id = 0;

	for (int i = 0; i < PREDICTION_ID_SIZE - 1; i++) {
		char c = text[i];

		if (c >= '0' && c <= '9')
			id = id << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			id = id << 4 | (uint64_t)(c - 'a' + 10);
		else
			return -1;
	}
	*ret = id;
	return 0;
}

uint32_t snapshot_job_place(const struct snapshot *s, uint64_t id)
{
	uint32_t low = 0;
	uint32_t high = s->job_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->jobs[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct placement_model *snapshot_job(const struct snapshot *s,
					   const char *id)
{
	uint64_t number;

	if (snapshot_job_id(id, &number))
		return NULL;

	uint32_t at = snapshot_job_place(s, number);

	return at < s->job_count && s->jobs[at].id == number
		       ? &s->jobs[at].model
		       : NULL;
}

/* --- Typical node --------------------------------------------------------- */

COMPARE_NUMBERS(by_value, float)

/* Over the nodes where the member is known. */
static float column_median(const struct snapshot *s, size_t offset,
			   float *values, uint32_t *ret_count)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->node_count; i++) {
		float value;

		memcpy(&value, (const char *)&s->nodes[i] + offset,
		       sizeof(value));
		if (!isnan(value))
			values[count++] = value;
	}
	if (ret_count)
		*ret_count = count;
	if (!count)
		return NAN;
	qsort(values, count, sizeof(values[0]), by_value);
	return values[count / 2];
}

static float known_or_one(float value)
{
	return isnan(value) ? 1 : value;
}

#define MEDIAN(member) \
	column_median(s, offsetof(struct snapshot_node, member), values, NULL)

int snapshot_finish(struct snapshot *s)
{
	float *values = calloc(s->node_count + 1, sizeof(*values));
	struct snapshot_node *t = &s->typical;

	if (!values)
		return -1;
	for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
		t->available[h] = known_or_one(column_median(
			s,
			offsetof(struct snapshot_node, available) +
				(size_t)h * sizeof(float),
			values, &s->fresh_count));
	t->error = MEDIAN(error);
	t->load = MEDIAN(load);
	t->speed = known_or_one(MEDIAN(speed));
	t->memory_mb = MEDIAN(memory_mb);
	t->bandwidth_bps = MEDIAN(bandwidth_bps);
	t->latency_s = MEDIAN(latency_s);
	t->turn_s = MEDIAN(turn_s);
	t->leaf = SNAPSHOT_NONE;
	free(values);

	s->leaf_count = 0;
	for (uint32_t i = 0; i < s->node_count; i++)
		if (s->nodes[i].leaf != SNAPSHOT_NONE &&
		    s->nodes[i].leaf >= s->leaf_count)
			s->leaf_count = s->nodes[i].leaf + 1;
	return 0;
}

/* --- Order ---------------------------------------------------------------- */

static bool is_printable(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (!isgraph((unsigned char)*name))
			return false;
	return true;
}

COMPARE_BY_TEXT(by_name, struct snapshot_node, name)

int snapshot_pair_order(const void *a, const void *b)
{
	const struct snapshot_pair *x = a, *y = b;

	return COMPARE(x->a, y->a) ?: COMPARE(x->b, y->b);
}

COMPARE_BY(by_id, struct snapshot_job, id)

static void rows_sort(struct snapshot *s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->node_count; i++)
		if (is_printable(s->nodes[i].name))
			s->nodes[kept++] = s->nodes[i];
	s->node_count = kept;
	if (s->node_count)
		qsort(s->nodes, s->node_count, sizeof(s->nodes[0]), by_name);
	if (s->pair_count)
		qsort(s->pairs, s->pair_count, sizeof(s->pairs[0]),
		      snapshot_pair_order);
	if (s->job_count)
		qsort(s->jobs, s->job_count, sizeof(s->jobs[0]), by_id);
	if (!is_printable(s->cluster))
		strcpy(s->cluster, "-");
}

/* The natural order: n9 comes before n10. */
static int by_natural_name(const void *a, const void *b, void *context)
{
	const struct snapshot *s = context;

	return strverscmp(s->nodes[*(const uint32_t *)a].name,
			  s->nodes[*(const uint32_t *)b].name);
}

int snapshot_arrange(struct snapshot *s)
{
	rows_sort(s);
	free(s->order);
	s->order = calloc(s->node_count + 1, sizeof(s->order[0]));
	if (!s->order)
		return -1;
	for (uint32_t i = 0; i < s->node_count; i++)
		s->order[i] = i;
	qsort_r(s->order, s->node_count, sizeof(s->order[0]), by_natural_name,
		s);
	return snapshot_finish(s);
}
