/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_text.c - read a snapshot's text: all of it, or a delta
 *
 *	snapshot 4 EPOCH VERSION BEFORE TIME CLUSTER
 *	n NAME LEAF AVAILABLE... ERROR LOAD SPEED MEMORY BANDWIDTH LATENCY TURN
 *	p LEAF LEAF BANDWIDTH LATENCY
 *	j ID BASIS NODES TASKS FROM REACH HORIZON BUSY IDLE CREDIT BITS MESSAGES
 *	  TURNS C1 C2 C3 C4 [WEIGHTS]
 *	g ID
 *	end LINES
 *
 * BEFORE is the version that this is a delta to: it holds the rows that have
 * changed since, and the jobs that are gone (g).  0: it holds all rows.  Nodes
 * come in the order of names, jobs, gone or not, in that of ids.  Pairs come
 * all, or none if none has changed.
 *
 * Lines are counted first, so that memory is allocated once; then the rows of
 * the text and of the snapshot before are merged, both in order.
 *
 * These are lines and not JSON, as all else that predictd sends, because
 * slurmctld reads them every few seconds: a tree of objects for 10,000 nodes
 * takes more time and memory than all the rest.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "predictor/snapshot/snapshot_line.h"

#define UNITS_MAX 1e15

#define COLUMN(type, member, its_units, its_max, its_threshold, its_required) \
	{                                                                     \
		.offset = offsetof(type, member),                             \
		.units_per_one = (its_units), .max = (its_max),               \
		.threshold = (its_threshold), .required = (its_required),     \
	}
#define NODE(member, units_per_one, max, threshold)                         \
	COLUMN(struct snapshot_node, member, units_per_one, max, threshold, \
	       false)
#define PAIR(member, units_per_one, threshold)                         \
	COLUMN(struct snapshot_pair, member, units_per_one, UNITS_MAX, \
	       threshold, false)
#define JOB(member, units_per_one, max) \
	COLUMN(struct placement_model, member, units_per_one, max, 0, true)

/* Thresholds: changes below 1 % of run time make no difference. */
const struct snapshot_column snapshot_node_columns[] = {
	NODE(available[0], 1e4, 1e4, 0.01f),
	NODE(available[1], 1e4, 1e4, 0.01f),
	NODE(available[2], 1e4, 1e4, 0.01f),
	NODE(error, 1e4, 1e4, 0.3f),
	NODE(load, 1e3, UNITS_MAX, 0.05f),
	NODE(speed, 1e4, UNITS_MAX, 0.01f),
	NODE(memory_mb, 1, UNITS_MAX, 0.1f),
	NODE(bandwidth_bps, 1e-3, UNITS_MAX, 0.02f),
	NODE(latency_s, 1e9, UNITS_MAX, 0.1f),
	NODE(turn_s, 1e6, 1e6, 0.2f),
	{ 0 },
};

const struct snapshot_column snapshot_pair_columns[] = {
	PAIR(bandwidth_bps, 1e-3, 0.02f),
	PAIR(latency_s, 1e9, 0.1f),
	{ 0 },
};

const struct snapshot_column snapshot_job_columns[] = {
	JOB(horizon_s, 1, UNITS_MAX),      JOB(busy_s, 1e3, UNITS_MAX),
	JOB(idle_s, 1e3, UNITS_MAX),       JOB(credit, 1e4, 1e4),
	JOB(link_bits, 1e-3, UNITS_MAX),   JOB(link_messages, 1, UNITS_MAX),
	JOB(turns, 1, UNITS_MAX),          JOB(curve.c_s[0], 1e6, UNITS_MAX),
	JOB(curve.c_s[1], 1e6, UNITS_MAX), JOB(curve.c_s[2], 1e6, UNITS_MAX),
	JOB(curve.c_s[3], 1e6, UNITS_MAX), { 0 },
};

/* --- Count lines ---------------------------------------------------------- */

struct line_counts {
	uint32_t nodes, pairs, jobs, gone;
};

static int count_lines(struct snapshot_reader r, struct line_counts *ret)
{
	uint64_t lines = 0;

	*ret = (struct line_counts){ 0 };
	while (snapshot_line_next(&r)) {
		switch (*r.word) {
		case 'n':
			ret->nodes++;
			break;
		case 'p':
			ret->pairs++;
			break;
		case 'j':
			ret->jobs++;
			break;
		case 'g':
			ret->gone++;
			break;
		case 'e': {
			uint64_t announced;
			char word[8];

			if (snapshot_line_word(&r, word, sizeof(word)) ||
			    snapshot_line_number(&r, 10, UINT64_MAX,
						 &announced))
				return -1;
			if (announced != lines || r.at != r.end)
				return snapshot_line_bad(&r,
							 "lines are missing");
			return 0;
		}
		default:
			return snapshot_line_bad(&r, "unknown kind of line");
		}
		lines++;
	}
	return snapshot_line_bad(&r, "the end is missing");
}

/* --- Merge with the snapshot before --------------------------------------- */

struct merge {
	struct snapshot_reader r;
	const struct snapshot *before; /* NULL: the text has all rows */
	struct snapshot *into;
	uint32_t node, job; /* next one of `before` */
	uint64_t last_job;  /* of the text */
	bool any_job;
};

static void copy_nodes(struct merge *m, const char *up_to)
{
	const struct snapshot *from = m->before;
	int order = -1;

	while (from && m->node < from->node_count && order < 0) {
		const struct snapshot_node *node = &from->nodes[m->node];

		order = up_to ? strcmp(node->name, up_to) : -1;
		if (order < 0)
			m->into->nodes[m->into->node_count++] = *node;
		m->node += order <= 0;
	}
}

static void copy_jobs(struct merge *m, uint64_t up_to)
{
	const struct snapshot *from = m->before;

	while (from && m->job < from->job_count &&
	       from->jobs[m->job].id < up_to)
		m->into->jobs[m->into->job_count++] = from->jobs[m->job++];
	if (from && m->job < from->job_count && from->jobs[m->job].id == up_to)
		m->job++;
}

static void copy_rest_of_jobs(struct merge *m)
{
	while (m->before && m->job < m->before->job_count)
		m->into->jobs[m->into->job_count++] = m->before->jobs[m->job++];
}

static int merge_node(struct merge *m)
{
	struct snapshot *into = m->into;
	struct snapshot_node node;

	if (snapshot_line_node(&m->r, &node))
		return -1;
	copy_nodes(m, node.name);
	if (into->node_count &&
	    strcmp(into->nodes[into->node_count - 1].name, node.name) >= 0)
		return snapshot_line_bad(&m->r, "nodes are not in order");
	into->nodes[into->node_count++] = node;
	return 0;
}

static int merge_pair(struct merge *m)
{
	struct snapshot *into = m->into;
	struct snapshot_pair pair;

	if (snapshot_line_pair(&m->r, &pair))
		return -1;
	if (into->pair_count) {
		const struct snapshot_pair *last =
			&into->pairs[into->pair_count - 1];

		if (pair.a < last->a ||
		    (pair.a == last->a && pair.b <= last->b))
			return snapshot_line_bad(&m->r,
						 "pairs are not in order");
	}
	into->pairs[into->pair_count++] = pair;
	return 0;
}

static int merge_job(struct merge *m, bool gone)
{
	struct snapshot *into = m->into;
	struct snapshot_job job;

	if (gone ? snapshot_line_number(&m->r, 16, UINT64_MAX, &job.id)
		 : snapshot_line_job(&m->r, &job))
		return -1;
	if (m->any_job && job.id <= m->last_job)
		return snapshot_line_bad(&m->r, "jobs are not in order");
	m->any_job = true;
	m->last_job = job.id;
	copy_jobs(m, job.id);
	if (!gone)
		into->jobs[into->job_count++] = job;
	return 0;
}

static int merge_line(struct merge *m)
{
	char kind[8];

	if (snapshot_line_word(&m->r, kind, sizeof(kind)))
		return -1;
	if (!strcmp(kind, "n"))
		return merge_node(m);
	if (!strcmp(kind, "p"))
		return merge_pair(m);
	if (!strcmp(kind, "j"))
		return merge_job(m, false);
	if (!strcmp(kind, "g"))
		return merge_job(m, true);
	return !strcmp(kind, "end")
		       ? 1
		       : snapshot_line_bad(&m->r, "unknown kind of line");
}

static int merge(struct merge *m, const struct line_counts *counts)
{
	int rc = 0;

	while (!rc && snapshot_line_next(&m->r))
		rc = merge_line(m);
	if (rc < 0)
		return -1;
	copy_nodes(m, NULL);
	copy_rest_of_jobs(m);
	if (m->before && !counts->pairs) {
		memcpy(m->into->pairs, m->before->pairs,
		       m->before->pair_count * sizeof(m->into->pairs[0]));
		m->into->pair_count = m->before->pair_count;
	}
	return 0;
}

/* Memory for the result.  NULL: too large, or out of memory. */
static struct snapshot *snapshot_for(const struct snapshot_reader *r,
				     const struct snapshot *before,
				     const struct line_counts *counts)
{
	uint32_t nodes = counts->nodes + (before ? before->node_count : 0);
	uint32_t jobs = counts->jobs + (before ? before->job_count : 0);
	uint32_t pairs = counts->pairs;
	struct snapshot *s;

	if (before && before->pair_count > pairs)
		pairs = before->pair_count;
	/* Twice: each may come as a new one and as one of before. */
	if (nodes > 2 * SNAPSHOT_NODES_MAX || jobs > 2 * SNAPSHOT_JOBS_MAX ||
	    pairs > SNAPSHOT_PAIRS_MAX) {
		snapshot_line_bad(r, "too many rows");
		return NULL;
	}
	s = snapshot_create(nodes, pairs, jobs);
	if (!s)
		snapshot_line_bad(r, "out of memory");
	return s;
}

static int read_rows(struct snapshot_reader *r, const struct snapshot *head,
		     const struct snapshot *before, struct snapshot **ret)
{
	struct line_counts counts;
	struct merge m = { .before = before };
	struct snapshot *s;

	if (count_lines(*r, &counts))
		return -1;
	s = snapshot_for(r, before, &counts);
	if (!s)
		return -1;
	s->epoch = head->epoch;
	s->version = head->version;
	s->made_at_s = head->made_at_s;
	memcpy(s->cluster, head->cluster, sizeof(s->cluster));
	m.r = *r;
	m.into = s;
	if (merge(&m, &counts) || snapshot_finish(s)) {
		snapshot_put(s);
		return -1;
	}
	*ret = s;
	return 0;
}

int snapshot_read(const char *text, size_t size, struct snapshot *before,
		  struct snapshot **ret, struct sp_error *err)
{
	struct snapshot_reader r = { .at = text,
				     .end = text + size,
				     .err = err };
	struct snapshot head = { .epoch = 0 };
	struct line_counts counts;
	uint64_t base_version;

	if (size > SNAPSHOT_TEXT_MAX)
		return snapshot_line_bad(&r, "the text is too long");
	if (snapshot_line_head(&r, &head, &base_version))
		return -1;
	if (base_version == 0)
		return read_rows(&r, &head, NULL, ret);
	if (!before || before->epoch != head.epoch ||
	    before->version != base_version ||
	    strcmp(before->cluster, head.cluster) != 0)
		return snapshot_line_bad(&r,
					 "it is a delta to another snapshot");
	if (head.version == base_version && count_lines(r, &counts) == 0 &&
	    !(counts.nodes || counts.pairs || counts.jobs || counts.gone)) {
		*ret = snapshot_get(before);
		return 0;
	}
	return read_rows(&r, &head, before, ret);
}

int snapshot_model_parse(const char *text, struct placement_model *ret,
			 struct sp_error *err)
{
	const char *end = text + strlen(text);
	struct snapshot_reader r = { .at = end,
				     .end = end,
				     .word = text,
				     .line_end = end,
				     .format = SNAPSHOT_FORMAT,
				     .err = err };
	struct placement_model model;

	if (snapshot_line_model(&r, &model))
		return -1;
	*ret = model;
	return 0;
}

void snapshot_path(const char *cluster, const struct snapshot *before,
		   char *ret_path)
{
	bool known = before && strcmp(before->cluster, cluster) == 0;

	snprintf(ret_path, SNAPSHOT_PATH_SIZE,
		 "/v1/snapshot?cluster=%.63s&since=%" PRIx64 "-%" PRIu64
		 "&format=%d",
		 cluster, known ? before->epoch : 0,
		 known ? before->version : 0, SNAPSHOT_FORMAT);
}
