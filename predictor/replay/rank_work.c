/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank_work.c - how unequal the work of a traced run's nodes was
 *
 * The sum of a rank's work is not all: of two ranks that wait for each other in
 * turn each may have half of the other's work, and still no time to spare.  So
 * the run is replayed with all nodes as slow as their work seems to allow, at
 * once.  If it takes longer, half of what is given away is taken back, a few
 * times.  Speeds are compared with equal ones, as what was free during the
 * traced run is no matter.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/rank_work.h"
#include "predictor/replay/run_replay.h"
#include "predictor/trace/trace_stretches.h"

#define LONGER_MAX 1.05 /* this much is given away at most */
#define ROUNDS     4

/* With less to give away no replay is worth its time. */
#define ALIKE 0.95

/* No node may be slower: an idle rank, too, has something to do. */
#define LEAST 0.05

/* --- Blocks --------------------------------------------------------------- */

static int count_nodes(const struct run_trace *run)
{
	bool *has = calloc((size_t)run->nodes_count, sizeof(*has));
	int count = 0;

	for (int r = 0; has && r < run->ranks; r++) {
		count += !has[run->node[r]];
		has[run->node[r]] = true;
	}
	free(has);
	return count;
}

static bool is_in_blocks(const struct run_trace *run, int nodes)
{
	if (nodes < 2 || run->ranks % nodes)
		return false;

	int each = run->ranks / nodes;

	for (int r = 1; r < run->ranks; r++) {
		const char *before = run->nodes[run->node[r - 1]].name;
		const char *name = run->nodes[run->node[r]].name;
		int order = strverscmp(before, name);

		if (r % each ? order != 0 : order >= 0)
			return false;
	}
	return true;
}

/* --- Work ----------------------------------------------------------------- */

/* Return the work of a rank, each stretch as often as it stands for others. */
static double work_of(const struct matched_trace *trace, int rank)
{
	double sum_s = 0, stretch_s = 0;

	for (int i = trace->first[rank]; i < trace->first[rank + 1]; i++) {
		const struct trace_event *e = &trace->events[i];

		stretch_s += e->work_s;
		if (!e->ends_stretch && i + 1 < trace->first[rank + 1])
			continue;
		sum_s += stretch_s * trace_stretch_weight(e->level);
		stretch_s = 0;
	}
	return sum_s;
}

/* Find the work of the busiest rank of each block, as shares of the most. */
static int find_shares(const struct run_trace *run, struct rank_work *ret,
		       struct sp_error *err)
{
	int each = run->ranks / ret->nodes;
	double most_s = 0;

	for (int k = 0; k < ret->nodes; k++) {
		ret->of[k] = 0;
		for (int r = k * each; r < (k + 1) * each; r++)
			ret->of[k] = fmax(ret->of[k], work_of(run->trace, r));
		most_s = fmax(most_s, ret->of[k]);
	}
	if (!(most_s > 0))
		return sp_error_set(err, "no rank has any work");
	for (int k = 0; k < ret->nodes; k++)
		ret->of[k] = fmax(ret->of[k] / most_s, LEAST);
	return 0;
}

static bool are_alike(const struct rank_work *work)
{
	for (int k = 0; k < work->nodes; k++)
		if (work->of[k] < ALIKE)
			return false;
	return true;
}

/* --- The replay ----------------------------------------------------------- */

/* With a core for each rank. */
static void set_speeds(const struct run_trace *run,
		       const struct rank_work *work, struct replay_node nodes[])
{
	int each = work->nodes ? run->ranks / work->nodes : 0;

	for (int n = 0; n < run->nodes_count; n++)
		nodes[n] = (struct replay_node){ run->ranks, 1, 0 };
	for (int k = 0; k < work->nodes; k++)
		nodes[run->node[k * each]].speed = work->of[k];
}

static int take_back(const struct run_replay *replay,
		     const struct run_trace *run,
		     const struct replay_placement *place,
		     struct replay_node nodes[], struct rank_work *work,
		     struct sp_error *err)
{
	double even_s, slow_s;

	if (run_replay_time(replay, place, &even_s, err))
		return -1;
	for (int round = 0; round < ROUNDS; round++) {
		set_speeds(run, work, nodes);
		if (run_replay_time(replay, place, &slow_s, err))
			return -1;
		if (slow_s <= even_s * LONGER_MAX)
			return 0;
		for (int k = 0; k < work->nodes; k++)
			work->of[k] = (1 + work->of[k]) / 2;
	}
	for (int k = 0; k < work->nodes; k++)
		work->of[k] = 1;
	return 0;
}

static int replay_slow(const struct run_trace *run, struct rank_work *work,
		       struct sp_error *err)
{
	const struct rank_work even = { .nodes = 0 };
	struct replay_node *nodes =
		calloc((size_t)run->nodes_count, sizeof(*nodes));
	const struct replay_placement place = {
		.nodes_count = run->nodes_count,
		.nodes = nodes,
		.links = run->links,
		.node = run->node,
		.rendezvous_bytes = run->rendezvous_bytes,
		.spinning = run->spinning,
		.limit = run->limit,
	};
	struct run_replay replay;
	int rc;

	if (!nodes)
		return sp_error_set(err, "out of memory for nodes");
	set_speeds(run, &even, nodes);
	rc = run_replay_create(run->trace, &place, 0, &replay, err);
	if (!rc) {
		/* Its tasks go to free workers. */
		rc = replay.is_farm ? sp_error_set(err, "it is a farm")
				    : take_back(&replay, run, &place, nodes,
						work, err);
		run_replay_clear(&replay);
	}
	free(nodes);
	return rc;
}

int rank_work_find(const struct run_trace *run, struct rank_work *ret,
		   struct sp_error *err)
{
	ret->nodes = count_nodes(run);
	ret->in_blocks = is_in_blocks(run, ret->nodes);
	if (!ret->in_blocks)
		return sp_error_set(err, "its ranks were not in blocks");
	if (!run->whole)
		return sp_error_set(err, "some of its ranks have no end");
	if (find_shares(run, ret, err))
		return -1;
	return are_alike(ret) ? 0 : replay_slow(run, ret, err);
}
