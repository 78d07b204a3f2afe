/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_delta.c - snapshots for clients that have an older one
 *
 * Each row has the version in which it last changed.  A new snapshot is
 * merged with the newest: rows that have not changed keep their version.  A
 * delta to version V is all rows with a later one, and the jobs that left
 * since, which a ring remembers.  The caller holds a lock; nothing here does.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "predictor/base/clock.h"
#include "predictor/base/compare.h"
#include "predictor/snapshot/snapshot_state.h"
#include "predictor/snapshot/snapshot_delta.h"

/* Jobs that left; clients whose snapshot is older than all of these get all
 * rows. */
#define GONE_MAX 8192

struct gone {
	uint64_t id, version;
};

struct snapshot_deltas {
	uint64_t epoch;
	uint64_t version; /* of the newest */
	struct snapshot *newest;
	uint64_t *nodes_since; /* version in which each row changed */
	uint64_t *jobs_since;
	uint64_t pairs_since;

	/* A ring. */
	struct gone gone[GONE_MAX];
	uint32_t gone_first, gone_count;
	uint64_t complete_since; /* it has all that left after this version */
};

static uint64_t epoch_draw(void)
{
	uint64_t epoch;

	if (getrandom(&epoch, sizeof(epoch), GRND_NONBLOCK) != sizeof(epoch))
		epoch = (uint64_t)(clock_now_s() * 1e6);
	return epoch ? epoch : 1;
}

struct snapshot_deltas *snapshot_deltas_create(void)
{
	struct snapshot_deltas *deltas = calloc(1, sizeof(*deltas));

	if (deltas)
		deltas->epoch = epoch_draw();
	return deltas;
}

void snapshot_deltas_destroy(struct snapshot_deltas *deltas)
{
	if (!deltas)
		return;
	snapshot_put(deltas->newest);
	free(deltas->nodes_since);
	free(deltas->jobs_since);
	free(deltas);
}

struct snapshot *snapshot_deltas_newest(const struct snapshot_deltas *deltas)
{
	return deltas->newest;
}

/* --- Changes -------------------------------------------------------------- */

static float value_at(const void *row, const struct snapshot_column *column)
{
	float value;

	memcpy(&value, (const char *)row + column->offset, sizeof(value));
	return value;
}

static bool columns_differ(const struct snapshot_column *columns, const void *a,
			   const void *b)
{
	for (; columns->units_per_one > 0; columns++) {
		float x = value_at(a, columns);
		float y = value_at(b, columns);

		if (isnan(x) != isnan(y) ||
		    fabsf(x - y) >
			    columns->threshold * fmaxf(fabsf(x), fabsf(y)))
			return true;
	}
	return false;
}

static bool node_differs(const struct snapshot_node *a,
			 const struct snapshot_node *b)
{
	return a->leaf != b->leaf ||
	       columns_differ(snapshot_node_columns, a, b);
}

static bool weights_differ(const struct placement_weights *a,
			   const struct placement_weights *b)
{
	return a->count != b->count || memcmp(a->of, b->of, a->count) != 0;
}

static bool job_differs(const struct snapshot_job *a,
			const struct snapshot_job *b)
{
	return a->model.basis != b->model.basis ||
	       a->model.nodes != b->model.nodes ||
	       a->model.tasks != b->model.tasks ||
	       a->model.curve.from != b->model.curve.from ||
	       a->model.curve.reach != b->model.curve.reach ||
	       weights_differ(&a->model.weights, &b->model.weights) ||
	       columns_differ(snapshot_job_columns, &a->model, &b->model);
}

static bool pairs_differ(const struct snapshot *a, const struct snapshot *b)
{
	if (a->pair_count != b->pair_count)
		return true;
	for (uint32_t i = 0; i < a->pair_count; i++)
		if (snapshot_pair_order(&a->pairs[i], &b->pairs[i]) ||
		    columns_differ(snapshot_pair_columns, &a->pairs[i],
				   &b->pairs[i]))
			return true;
	return false;
}

/* What belongs to the next snapshot, until it is the newest. */
struct changes {
	struct snapshot *next;
	uint64_t *nodes_since, *jobs_since;
	uint64_t version;
	bool any;
};

static void compare_nodes(const struct snapshot_deltas *deltas,
			  struct changes *n)
{
	const struct snapshot *old = deltas->newest;
	uint32_t at = 0;

	for (uint32_t i = 0; i < n->next->node_count; i++) {
		struct snapshot_node *node = &n->next->nodes[i];

		while (old && at < old->node_count &&
		       strcmp(old->nodes[at].name, node->name) < 0)
			at++;
		if (old && at < old->node_count &&
		    strcmp(old->nodes[at].name, node->name) == 0 &&
		    !node_differs(&old->nodes[at], node)) {
			*node = old->nodes[at];
			n->nodes_since[i] = deltas->nodes_since[at];
			continue;
		}
		n->nodes_since[i] = n->version;
		n->any = true;
	}
}

static void gone_add(struct snapshot_deltas *deltas, uint64_t id,
		     uint64_t version)
{
	if (deltas->gone_count == GONE_MAX) {
		deltas->complete_since =
			deltas->gone[deltas->gone_first].version;
		deltas->gone_first = (deltas->gone_first + 1) % GONE_MAX;
		deltas->gone_count--;
	}
	deltas->gone[(deltas->gone_first + deltas->gone_count++) % GONE_MAX] =
		(struct gone){ id, version };
}

/* Jobs that left are added to the ring at once: a version that is never sent
 * does no harm. */
static void compare_jobs(struct snapshot_deltas *deltas, struct changes *n)
{
	const struct snapshot *old = deltas->newest;
	uint32_t old_count = old ? old->job_count : 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < n->next->job_count; i++) {
		const struct snapshot_job *job = &n->next->jobs[i];

		for (; at < old_count && old->jobs[at].id < job->id; at++) {
			gone_add(deltas, old->jobs[at].id, n->version);
			n->any = true;
		}
		if (at < old_count && old->jobs[at].id == job->id) {
			bool differs = job_differs(&old->jobs[at], job);

			n->jobs_since[i] =
				differs ? n->version : deltas->jobs_since[at];
			n->any |= differs;
			at++;
			continue;
		}
		n->jobs_since[i] = n->version;
		n->any = true;
	}
	for (; at < old_count; at++) {
		gone_add(deltas, old->jobs[at].id, n->version);
		n->any = true;
	}
}

int snapshot_deltas_add(struct snapshot_deltas *deltas, struct snapshot *next)
{
	struct changes n = { .next = next, .version = deltas->version + 1 };

	n.nodes_since = calloc(next->node_count + 1, sizeof(uint64_t));
	n.jobs_since = calloc(next->job_count + 1, sizeof(uint64_t));
	if (!n.nodes_since || !n.jobs_since) {
		free(n.nodes_since);
		free(n.jobs_since);
		snapshot_put(next);
		return -1;
	}
	compare_nodes(deltas, &n);
	compare_jobs(deltas, &n);
	if (!deltas->newest || pairs_differ(deltas->newest, next)) {
		deltas->pairs_since = n.version;
		n.any = true;
	}
	if (n.any)
		deltas->version = n.version;
	next->epoch = deltas->epoch;
	next->version = deltas->version;
	snapshot_put(deltas->newest);
	free(deltas->nodes_since);
	free(deltas->jobs_since);
	deltas->newest = next;
	deltas->nodes_since = n.nodes_since;
	deltas->jobs_since = n.jobs_since;
	return 0;
}

/* --- Text ----------------------------------------------------------------- */

/* A node's line has a name and ten numbers; a job's an id, a model
 * and weights. */
#define LINE_MAX_SIZE (SNAPSHOT_MODEL_SIZE + 32)

struct writer {
	char *text;
	size_t size;
	uint64_t lines;
	int format;
};

static void put_text(struct writer *w, const char *text)
{
	size_t length = strlen(text);

	memcpy(w->text + w->size, text, length);
	w->size += length;
}

static void put_number(struct writer *w, uint64_t number)
{
	char digits[24];
	size_t at = sizeof(digits);

	digits[--at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put_text(w, digits + at);
}

static void put_id(struct writer *w, const char *kind, uint64_t id)
{
	w->size += (size_t)snprintf(w->text + w->size, LINE_MAX_SIZE,
				    "%s %016" PRIx64, kind, id);
}

static void put_columns(struct writer *w, const struct snapshot_column *columns,
			const void *row)
{
	for (; columns->units_per_one > 0; columns++) {
		double units =
			(double)value_at(row, columns) * columns->units_per_one;

		put_text(w, " ");
		if (isnan(units))
			put_text(w, "-");
		else
			put_number(w, (uint64_t)rint(fmax(
					      0, fmin(units, columns->max))));
	}
}

static void put_end(struct writer *w)
{
	put_text(w, "\n");
	w->lines++;
}

static void put_node(struct writer *w, const struct snapshot_node *node)
{
	put_text(w, "n ");
	put_text(w, node->name);
	put_text(w, " ");
	if (node->leaf == SNAPSHOT_NONE)
		put_text(w, "-");
	else
		put_number(w, node->leaf);
	put_columns(w, snapshot_node_columns, node);
	put_end(w);
}

static void put_pair(struct writer *w, const struct snapshot_pair *pair)
{
	put_text(w, "p ");
	put_number(w, pair->a);
	put_text(w, " ");
	put_number(w, pair->b);
	put_columns(w, snapshot_pair_columns, pair);
	put_end(w);
}

static void put_model(struct writer *w, const struct placement_model *m)
{
	put_number(w, (uint64_t)m->basis);
	put_text(w, " ");
	put_number(w, m->nodes);
	put_text(w, " ");
	put_number(w, m->tasks);
	put_text(w, " ");
	put_number(w, m->curve.from);
	put_text(w, " ");
	put_number(w, m->curve.reach);
	put_columns(w, snapshot_job_columns, m);
}

static void put_job(struct writer *w, const struct snapshot_job *job)
{
	put_id(w, "j", job->id);
	put_text(w, " ");
	put_model(w, &job->model);
	if (job->model.weights.count && w->format > SNAPSHOT_FORMAT_OLDEST) {
		char letters[PLACEMENT_WEIGHTS_SIZE];

		placement_weights_print(&job->model.weights, letters);
		put_text(w, " ");
		put_text(w, letters);
	}
	put_end(w);
}

/* A basis, four numbers of ten digits at most, ten of sixteen and one
 * of five. */
void snapshot_model_print(const struct placement_model *model, char *ret)
{
	struct writer w = { .text = ret };

	put_model(&w, model);
	ret[w.size] = '\0';
}

COMPARE_NUMBERS(by_number, uint64_t)

/* Ids of jobs that left after `since` and have not come back, sorted. */
static uint32_t gone_since(const struct snapshot_deltas *deltas, uint64_t since,
			   uint64_t *ret_ids)
{
	uint32_t count = 0;

	for (uint32_t i = 0; since && i < deltas->gone_count; i++) {
		const struct gone *gone =
			&deltas->gone[(deltas->gone_first + i) % GONE_MAX];
		uint32_t at = snapshot_job_place(deltas->newest, gone->id);

		if (gone->version > since &&
		    (at == deltas->newest->job_count ||
		     deltas->newest->jobs[at].id != gone->id))
			ret_ids[count++] = gone->id;
	}
	qsort(ret_ids, count, sizeof(ret_ids[0]), by_number);
	return count;
}

/* Write the jobs that left, up to that id. */
static void put_gone(struct writer *w, const uint64_t *ids, uint32_t count,
		     uint32_t *at, uint64_t up_to)
{
	for (; *at < count && ids[*at] <= up_to; ++*at) {
		if (*at && ids[*at] == ids[*at - 1])
			continue; /* it left twice */
		put_id(w, "g", ids[*at]);
		put_end(w);
	}
}

/* Write jobs that came and that left, both in the order of ids. */
static void put_jobs(struct writer *w, const struct snapshot_deltas *deltas,
		     uint64_t since, uint64_t *ids)
{
	const struct snapshot *s = deltas->newest;
	uint32_t count = gone_since(deltas, since, ids);
	uint32_t at = 0;

	for (uint32_t i = 0; i < s->job_count; i++) {
		if (deltas->jobs_since[i] <= since)
			continue;
		put_gone(w, ids, count, &at, s->jobs[i].id);
		put_job(w, &s->jobs[i]);
	}
	put_gone(w, ids, count, &at, UINT64_MAX);
}

/* Upper bound. */
static size_t text_size_max(const struct snapshot_deltas *deltas)
{
	const struct snapshot *s = deltas->newest;
	size_t lines = (size_t)s->node_count + s->pair_count + s->job_count;

	return (lines + deltas->gone_count + 2) * LINE_MAX_SIZE;
}

char *snapshot_deltas_text(const struct snapshot_deltas *deltas, int format,
			   uint64_t epoch, uint64_t version, size_t *ret_size)
{
	const struct snapshot *s = deltas->newest;
	bool is_delta = epoch == deltas->epoch && version <= deltas->version &&
			version >= deltas->complete_since && version > 0;
	uint64_t since = is_delta ? version : 0;
	struct writer w = { .text = s ? malloc(text_size_max(deltas)) : NULL,
			    .format = format };
	uint64_t *ids = calloc(deltas->gone_count + 1, sizeof(*ids));

	if (!w.text || !ids) {
		free(w.text);
		free(ids);
		return NULL;
	}
	w.size = (size_t)snprintf(w.text, LINE_MAX_SIZE,
				  "snapshot %d %" PRIx64 " %" PRIu64 " %" PRIu64
				  " %.0f %s\n",
				  format, s->epoch, s->version, since,
				  fmax(0, s->made_at_s) * 1e3, s->cluster);
	for (uint32_t i = 0; i < s->node_count; i++)
		if (deltas->nodes_since[i] > since)
			put_node(&w, &s->nodes[i]);
	for (uint32_t i = 0; i < s->pair_count; i++)
		if (deltas->pairs_since > since)
			put_pair(&w, &s->pairs[i]);
	put_jobs(&w, deltas, since, ids);
	free(ids);
	put_text(&w, "end ");
	put_number(&w, w.lines);
	put_text(&w, "\n");
	*ret_size = w.size;
	return w.text;
}
