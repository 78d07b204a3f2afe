/* snapshot_delta.c - snapshots for those who know an older one */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "predictor/base/clock.h"
#include "predictor/snapshot/snapshot_state.h"
#include "predictor/snapshot/snapshot_delta.h"

/* Of jobs that went, so many are remembered; who knows an older snapshot gets
 * all. */
#define GONE_MAX 8192

struct gone {
	uint64_t id;
	uint64_t version;
};

struct snapshot_told {
	uint64_t epoch;
	uint64_t version; /* of the newest */
	struct snapshot *newest;
	uint64_t *nodes_since; /* for each row, its version */
	uint64_t *jobs_since;
	uint64_t pairs_since;

	/* A ring. */
	struct gone gone[GONE_MAX];
	uint32_t gone_first, gone_count;
	uint64_t complete_since; /* it holds all that went after this */
};

static uint64_t new_epoch(void)
{
	uint64_t epoch;

	if (getrandom(&epoch, sizeof(epoch), GRND_NONBLOCK) != sizeof(epoch))
		epoch = (uint64_t)(clock_now_s() * 1e6);
	return epoch ? epoch : 1;
}

struct snapshot_told *snapshot_told_create(void)
{
	struct snapshot_told *told = calloc(1, sizeof(*told));

	if (told)
		told->epoch = new_epoch();
	return told;
}

void snapshot_told_destroy(struct snapshot_told *told)
{
	if (!told)
		return;
	snapshot_put(told->newest);
	free(told->nodes_since);
	free(told->jobs_since);
	free(told);
}

struct snapshot *snapshot_told_newest(const struct snapshot_told *told)
{
	return told->newest;
}

/* --- Order -------------------------------------------------------------------- */

static bool can_be_told(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (!isgraph((unsigned char)*name))
			return false;
	return true;
}

static int by_name(const void *a, const void *b)
{
	const struct snapshot_node *x = a;
	const struct snapshot_node *y = b;

	return strcmp(x->name, y->name);
}

static int by_leaves(const void *a, const void *b)
{
	const struct snapshot_pair *x = a;
	const struct snapshot_pair *y = b;

	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return (x->b > y->b) - (x->b < y->b);
}

static int by_id(const void *a, const void *b)
{
	const struct snapshot_job *x = a;
	const struct snapshot_job *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void put_in_order(struct snapshot *s)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->node_count; i++)
		if (can_be_told(s->nodes[i].name))
			s->nodes[kept++] = s->nodes[i];
	s->node_count = kept;
	if (s->node_count)
		qsort(s->nodes, s->node_count, sizeof(s->nodes[0]), by_name);
	if (s->pair_count)
		qsort(s->pairs, s->pair_count, sizeof(s->pairs[0]), by_leaves);
	if (s->job_count)
		qsort(s->jobs, s->job_count, sizeof(s->jobs[0]), by_id);
	if (!can_be_told(s->cluster))
		strcpy(s->cluster, "-");
}

/* --- News --------------------------------------------------------------------- */

static float value_at(const void *row, const struct snapshot_column *column)
{
	float value;

	memcpy(&value, (const char *)row + column->offset, sizeof(value));
	return value;
}

static bool differ(const struct snapshot_column *columns, const void *a,
		   const void *b)
{
	for (; columns->per_one > 0; columns++) {
		float x = value_at(a, columns);
		float y = value_at(b, columns);

		if (isnan(x) != isnan(y) ||
		    fabsf(x - y) > columns->news * fmaxf(fabsf(x), fabsf(y)))
			return true;
	}
	return false;
}

static bool node_differs(const struct snapshot_node *a,
			 const struct snapshot_node *b)
{
	return a->leaf != b->leaf || differ(snapshot_node_columns, a, b);
}

static bool job_differs(const struct snapshot_job *a,
			const struct snapshot_job *b)
{
	return a->model.basis != b->model.basis ||
	       a->model.nodes != b->model.nodes ||
	       a->model.tasks != b->model.tasks ||
	       differ(snapshot_job_columns, &a->model, &b->model);
}

static bool pairs_differ(const struct snapshot *a, const struct snapshot *b)
{
	if (a->pair_count != b->pair_count)
		return true;
	for (uint32_t i = 0; i < a->pair_count; i++)
		if (by_leaves(&a->pairs[i], &b->pairs[i]) ||
		    differ(snapshot_pair_columns, &a->pairs[i], &b->pairs[i]))
			return true;
	return false;
}

/* What the next snapshot needs, before anything changes. */
struct news {
	struct snapshot *next;
	uint64_t *nodes_since, *jobs_since;
	uint64_t version;
	bool any;
};

static void compare_nodes(const struct snapshot_told *told, struct news *n)
{
	const struct snapshot *old = told->newest;
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
			n->nodes_since[i] = told->nodes_since[at];
			continue;
		}
		n->nodes_since[i] = n->version;
		n->any = true;
	}
}

static void note_gone(struct snapshot_told *told, uint64_t id, uint64_t version)
{
	if (told->gone_count == GONE_MAX) {
		told->complete_since = told->gone[told->gone_first].version;
		told->gone_first = (told->gone_first + 1) % GONE_MAX;
		told->gone_count--;
	}
	told->gone[(told->gone_first + told->gone_count++) % GONE_MAX] =
		(struct gone){ id, version };
}

/* Jobs that are no more are noted at once: a version that nobody gets does no
 * harm. */
static void compare_jobs(struct snapshot_told *told, struct news *n)
{
	const struct snapshot *old = told->newest;
	uint32_t old_count = old ? old->job_count : 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < n->next->job_count; i++) {
		const struct snapshot_job *job = &n->next->jobs[i];

		for (; at < old_count && old->jobs[at].id < job->id; at++) {
			note_gone(told, old->jobs[at].id, n->version);
			n->any = true;
		}
		if (at < old_count && old->jobs[at].id == job->id) {
			bool differs = job_differs(&old->jobs[at], job);

			n->jobs_since[i] =
				differs ? n->version : told->jobs_since[at];
			n->any |= differs;
			at++;
			continue;
		}
		n->jobs_since[i] = n->version;
		n->any = true;
	}
	for (; at < old_count; at++) {
		note_gone(told, old->jobs[at].id, n->version);
		n->any = true;
	}
}

int snapshot_told_next(struct snapshot_told *told, struct snapshot *next)
{
	struct news n = { .next = next, .version = told->version + 1 };

	put_in_order(next);
	n.nodes_since = calloc(next->node_count + 1, sizeof(uint64_t));
	n.jobs_since = calloc(next->job_count + 1, sizeof(uint64_t));
	if (!n.nodes_since || !n.jobs_since || snapshot_finish(next)) {
		free(n.nodes_since);
		free(n.jobs_since);
		snapshot_put(next);
		return -1;
	}
	compare_nodes(told, &n);
	compare_jobs(told, &n);
	if (!told->newest || pairs_differ(told->newest, next)) {
		told->pairs_since = n.version;
		n.any = true;
	}
	if (n.any)
		told->version = n.version;
	next->epoch = told->epoch;
	next->version = told->version;
	snapshot_put(told->newest);
	free(told->nodes_since);
	free(told->jobs_since);
	told->newest = next;
	told->nodes_since = n.nodes_since;
	told->jobs_since = n.jobs_since;
	return 0;
}

/* --- The text ------------------------------------------------------------------ */

/* A node's line has a name and ten numbers. */
#define LINE_MAX_SIZE 320

struct writer {
	char *text;
	size_t size;
	uint64_t lines;
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
	for (; columns->per_one > 0; columns++) {
		double units =
			(double)value_at(row, columns) * columns->per_one;

		put_text(w, " ");
		if (isnan(units))
			put_text(w, "-");
		else
			put_number(w, (uint64_t)rint(fmax(
					      0, fmin(units, columns->max))));
	}
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
}

static void put_pair(struct writer *w, const struct snapshot_pair *pair)
{
	put_text(w, "p ");
	put_number(w, pair->a);
	put_text(w, " ");
	put_number(w, pair->b);
	put_columns(w, snapshot_pair_columns, pair);
}

static void put_model(struct writer *w, const struct placement_model *m)
{
	put_number(w, (uint64_t)m->basis);
	put_text(w, " ");
	put_number(w, m->nodes);
	put_text(w, " ");
	put_number(w, m->tasks);
	put_columns(w, snapshot_job_columns, m);
}

static void put_job(struct writer *w, const struct snapshot_job *job)
{
	put_id(w, "j", job->id);
	put_text(w, " ");
	put_model(w, &job->model);
}

/* Three numbers of ten digits at most and six of sixteen. */
void snapshot_model_print(const struct placement_model *model, char *ret)
{
	struct writer w = { .text = ret };

	put_model(&w, model);
	ret[w.size - 1] = '\0'; /* in place of the end of line */
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The ids of jobs that went after `since` and are not there again, sorted. */
static uint32_t gone_since(const struct snapshot_told *told, uint64_t since,
			   uint64_t *ret_ids)
{
	uint32_t count = 0;

	for (uint32_t i = 0; since && i < told->gone_count; i++) {
		const struct gone *gone =
			&told->gone[(told->gone_first + i) % GONE_MAX];
		uint32_t at = snapshot_job_place(told->newest, gone->id);

		if (gone->version > since &&
		    (at == told->newest->job_count ||
		     told->newest->jobs[at].id != gone->id))
			ret_ids[count++] = gone->id;
	}
	qsort(ret_ids, count, sizeof(ret_ids[0]), by_number);
	return count;
}

/* Those gone up to that id. */
static void put_gone(struct writer *w, const uint64_t *ids, uint32_t count,
		     uint32_t *at, uint64_t up_to)
{
	for (; *at < count && ids[*at] <= up_to; ++*at) {
		if (*at && ids[*at] == ids[*at - 1])
			continue; /* it went twice */
		put_id(w, "g", ids[*at]);
		put_text(w, "\n");
		w->lines++;
	}
}

/* Both in the order of ids. */
static void put_jobs(struct writer *w, const struct snapshot_told *told,
		     uint64_t since, uint64_t *ids)
{
	const struct snapshot *s = told->newest;
	uint32_t count = gone_since(told, since, ids);
	uint32_t at = 0;

	for (uint32_t i = 0; i < s->job_count; i++) {
		if (told->jobs_since[i] <= since)
			continue;
		put_gone(w, ids, count, &at, s->jobs[i].id);
		put_job(w, &s->jobs[i]);
	}
	put_gone(w, ids, count, &at, UINT64_MAX);
}

/* No more than this is written. */
static size_t size_of(const struct snapshot_told *told)
{
	const struct snapshot *s = told->newest;
	size_t lines = (size_t)s->node_count + s->pair_count + s->job_count;

	return (lines + told->gone_count + 2) * LINE_MAX_SIZE;
}

char *snapshot_told_text(const struct snapshot_told *told, uint64_t epoch,
			 uint64_t version, size_t *ret_size)
{
	const struct snapshot *s = told->newest;
	bool follows = epoch == told->epoch && version <= told->version &&
		       version >= told->complete_since && version > 0;
	uint64_t since = follows ? version : 0;
	struct writer w = { .text = s ? malloc(size_of(told)) : NULL };
	uint64_t *ids = calloc(told->gone_count + 1, sizeof(*ids));

	if (!w.text || !ids) {
		free(w.text);
		free(ids);
		return NULL;
	}
	w.size = (size_t)snprintf(w.text, LINE_MAX_SIZE,
				  "snapshot 1 %" PRIx64 " %" PRIu64 " %" PRIu64
				  " %.0f %s\n",
				  s->epoch, s->version, since,
				  fmax(0, s->made_at_s) * 1e3, s->cluster);
	for (uint32_t i = 0; i < s->node_count; i++)
		if (told->nodes_since[i] > since)
			put_node(&w, &s->nodes[i]);
	for (uint32_t i = 0; i < s->pair_count; i++)
		if (told->pairs_since > since)
			put_pair(&w, &s->pairs[i]);
	put_jobs(&w, told, since, ids);
	free(ids);
	put_text(&w, "end ");
	put_number(&w, w.lines);
	put_text(&w, "\n");
	*ret_size = w.size;
	return w.text;
}
