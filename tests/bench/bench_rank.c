/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_rank.c - what it costs to rank node sets, and how near the best
 * they are
 *
 * usage: bench-rank [NODES]
 *
 * A cluster with leaf switches of 32 nodes, loads and links as they may be on a
 * shared one.  Times are CPU time of this process, means over many rankings,
 * each of another job.  Where the best set cannot be known by trying them all,
 * it is compared with a bound: what the job would take if all nodes were in one
 * place.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/placement/rank.h"
#include "predictor/snapshot/snapshot_state.h"
#include "predictor/snapshot/snapshot_delta.h"
#include "tests/unit/random.h"

#define NODES_DEFAULT 10000
#define LEAF_NODES    32
#define ROUNDS        200
#define JOBS          2000

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "bench-rank: %s\n", what);
	exit(1);
}

/* --- The cluster ---------------------------------------------------------- */

static void make_node(struct random *random, uint32_t i,
		      struct snapshot_node *node)
{
	double load = random_below(random, 3) ? 0 : random_unit(random) * 4;

	*node = (struct snapshot_node){
		.leaf = i / LEAF_NODES % SNAPSHOT_LEAVES_MAX,
		.error = 0.02f,
		.load = (float)load,
		.speed = random_below(random, 4) ? 1 : 0.8f,
		.memory_mb = 64000,
		.bandwidth_bps = (float)(1e9 * (0.3 + random_unit(random))),
		.latency_s = (float)(2e-5 * (1 + random_unit(random))),
	};
	snprintf(node->name, sizeof(node->name), "n%05u", i);
	for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
		node->available[h] = (float)(1 / (1 + load) *
					     (0.9 + 0.1 * random_unit(random)));
	if (!random_below(random, 20)) /* no recent measurement */
		for (int h = 0; h < SNAPSHOT_HORIZONS; h++)
			node->available[h] = NAN;
}

static void make_pairs(struct random *random, uint32_t leaves,
		       struct snapshot *s)
{
	for (uint32_t a = 0; a < leaves; a++)
		for (uint32_t b = a + 1; b < leaves; b++)
			if (s->pair_count < SNAPSHOT_PAIRS_MAX)
				s->pairs[s->pair_count++] =
					(struct snapshot_pair){
						.a = a,
						.b = b,
						.bandwidth_bps =
							random_below(random, 5)
								? 1e9f
								: 2e8f,
						.latency_s = 1e-5f,
					};
}

static struct snapshot *make_cluster(struct random *random, uint32_t nodes,
				     bool pairs)
{
	struct snapshot *s = snapshot_create(nodes, SNAPSHOT_PAIRS_MAX, JOBS);

	if (!s)
		die("out of memory");
	strcpy(s->cluster, "bench");
	for (; s->node_count < nodes; s->node_count++)
		make_node(random, s->node_count, &s->nodes[s->node_count]);
	if (pairs)
		make_pairs(random, (nodes + LEAF_NODES - 1) / LEAF_NODES, s);
	for (; s->job_count < JOBS; s->job_count++) {
		struct snapshot_job *job = &s->jobs[s->job_count];

		job->id = random_next(random);
		placement_model_from_runtime(4, 4, 100 + s->job_count,
					     &job->model);
	}
	return s;
}

/* --- Ranking -------------------------------------------------------------- */

struct kind {
	const char *name;
	uint32_t nodes; /* 0: a random few */
	uint32_t leaves_max;
	bool links, pairs, contiguous;
	bool farm;   /* by the sum of speeds */
	bool blocks; /* ranks have unequal work */
};

static const struct kind kinds[] = {
	{ .name = "cpu" },
	{ .name = "link", .links = true },
	{ .name = "large", .nodes = 1000, .links = true },
	{ .name = "switches", .nodes = 64, .leaves_max = 3, .links = true },
	{ .name = "pairs", .nodes = 64, .links = true, .pairs = true },
	{ .name = "farm", .links = true, .farm = true },
	{ .name = "farm_large", .nodes = 1000, .links = true, .farm = true },
	{ .name = "contiguous", .nodes = 16, .contiguous = true },
	{ .name = "blocks", .blocks = true },
	{ .name = "blocks_link", .links = true, .blocks = true },
	{ .name = "blocks_large", .nodes = 64, .links = true, .blocks = true },
	{ .name = "blocks_pairs",
	  .nodes = 64,
	  .links = true,
	  .pairs = true,
	  .blocks = true },
	{ .name = NULL },
};

static struct placement_model model_of(struct random *random,
				       const struct kind *kind)
{
	double busy_s = 10 + 1000 * random_unit(random);

	return (struct placement_model){
		.basis = kind->farm ? PLACEMENT_FARM : PLACEMENT_PROFILE,
		.horizon_s = (float)busy_s,
		.busy_s = (float)busy_s,
		.idle_s = (float)(busy_s * 0.2 * random_unit(random)),
		.credit = (float)random_unit(random),
		.turns = 1e3f,
		.link_bits = kind->links ? (float)(busy_s * 3e8) : 0,
		.link_messages = kind->links ? (float)(busy_s * 1e3) : 0,
	};
}

/* From a tenth of the heaviest on. */
static void add_weights(struct random *random, uint32_t nodes,
			struct placement_model *model)
{
	double work[PLACEMENT_WEIGHTS_MAX];

	for (uint32_t k = 0; k < nodes && k < PLACEMENT_WEIGHTS_MAX; k++)
		work[k] = 0.1 + 0.9 * random_unit(random);
	model->tasks = nodes;
	placement_weights_of(work, nodes, &model->weights);
}

struct totals {
	double cpu_s, worst_s;
	double over_bound; /* run time in units of the bound, the mean */
	double over_stock; /* of what the first nodes give, the mean */
	int rankings, stocks;
};

static void rank_once(const struct kind *kind, struct random *random,
		      struct rank_request *q, void *scratch, uint32_t *chosen,
		      struct totals *t)
{
	struct placement_model model = model_of(random, kind);
	struct rank_request free_of_leaves = *q;
	struct rank_result result, bound;
	double began_s;

	q->model = &model;
	q->nodes = kind->nodes ? kind->nodes
			       : 1 + (uint32_t)random_below(random, 16);
	if (kind->blocks)
		add_weights(random, q->nodes, &model);
	began_s = cpu_s();
	if (rank_choose(q, scratch, chosen, &result))
		return;

	double took_s = cpu_s() - began_s;
	struct snapshot flat = *q->snapshot;

	flat.pair_count = 0;
	free_of_leaves.snapshot = &flat;
	free_of_leaves.model = &model;
	free_of_leaves.nodes = q->nodes;
	free_of_leaves.leaves_max = 0;
	free_of_leaves.contiguous = false;
	free_of_leaves.tie = 1e-6f;
	if (rank_choose(&free_of_leaves, scratch, chosen, &bound))
		return;
	t->cpu_s += took_s;
	t->worst_s = fmax(t->worst_s, took_s);
	t->over_bound += result.best.runtime_s / bound.best.runtime_s;
	if (!isnan(result.stock.runtime_s)) {
		t->over_stock += result.best.runtime_s / result.stock.runtime_s;
		t->stocks++;
	}
	t->rankings++;
}

static double bench_kind(const struct kind *kind, uint32_t nodes)
{
	struct random random = { 7 };
	struct snapshot *s = make_cluster(&random, nodes, kind->pairs);
	struct rank_candidate *candidates = calloc(nodes, sizeof(*candidates));
	uint32_t *chosen = calloc(nodes, sizeof(*chosen));
	void *scratch = malloc(rank_scratch_size(nodes));
	struct totals t = { 0 };
	struct rank_request q = { .snapshot = s,
				  .candidates = candidates,
				  .count = nodes,
				  .leaves_max = kind->leaves_max,
				  .contiguous = kind->contiguous,
				  .blocks = kind->blocks };

	if (!candidates || !chosen || !scratch || snapshot_finish(s))
		die("out of memory");
	for (uint32_t i = 0; i < nodes; i++)
		candidates[i] = (struct rank_candidate){
			.node = i, .place = i, .leaf = SNAPSHOT_NONE, .cpus = 8
		};
	for (int i = 0; i < ROUNDS; i++)
		rank_once(kind, &random, &q, scratch, chosen, &t);
	if (!t.rankings)
		die("nothing was ranked");
	printf("%-10s %6.0f us, at most %6.0f us; %.3f of the bound, "
	       "%.2f of the first nodes\n",
	       kind->name, t.cpu_s / t.rankings * 1e6, t.worst_s * 1e6,
	       t.over_bound / t.rankings,
	       t.stocks ? t.over_stock / t.stocks : NAN);
	free(scratch);
	free(chosen);
	free(candidates);
	snapshot_put(s);
	return t.cpu_s / t.rankings * 1e6;
}

/* --- The text ------------------------------------------------------------- */

static void bench_text(uint32_t nodes)
{
	struct random random = { 8 };
	struct snapshot_deltas *deltas = snapshot_deltas_create();
	struct snapshot *got = NULL;
	struct sp_error err;
	size_t size;
	char *text;

	struct snapshot *made = make_cluster(&random, nodes, false);

	if (!deltas || snapshot_arrange(made) ||
	    snapshot_deltas_add(deltas, made))
		die("out of memory");

	double began_s = cpu_s();

	text = snapshot_deltas_text(deltas, SNAPSHOT_FORMAT, 0, 0, &size);

	double written_s = cpu_s();

	if (!text || snapshot_read(text, size, NULL, &got, &err))
		die(text ? err.text : "out of memory");
	printf("snapshot   %.1f ms to write, %.1f ms to read, %.2f MB of text, "
	       "%.2f MB in memory\n",
	       (written_s - began_s) * 1e3, (cpu_s() - written_s) * 1e3,
	       (double)size / 1e6, (double)snapshot_bytes(got) / 1e6);
	printf("bar snapshot_read_ms %.2f\n", (cpu_s() - written_s) * 1e3);
	printf("bar snapshot_mb %.2f\n", (double)snapshot_bytes(got) / 1e6);
	free(text);
	snapshot_put(got);
	snapshot_deltas_destroy(deltas);
}

int main(int argc, char **argv)
{
	uint32_t nodes =
		argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : NODES_DEFAULT;
	double us[sizeof(kinds) / sizeof(kinds[0])];

	if (nodes < 1000 || nodes > SNAPSHOT_NODES_MAX)
		die("NODES must be 1000 to 100000");
	for (int i = 0; kinds[i].name; i++)
		us[i] = bench_kind(&kinds[i], nodes);
	bench_text(nodes);
	for (int i = 0; kinds[i].name; i++)
		printf("bar rank_%s_us %.0f\n", kinds[i].name, us[i]);
	return 0;
}
