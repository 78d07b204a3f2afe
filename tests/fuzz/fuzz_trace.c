/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_trace.c - any bytes as the traces of two ranks; what is read can
 * be matched
 * or is refused, and replays in any way or is refused */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/replay/critical_path.h"
#include "predictor/replay/procedure_move.h"
#include "predictor/replay/run_replay.h"
#include "predictor/trace/trace_cut.h"
#include "predictor/trace/trace_format.h"
#include "predictor/trace/trace_stretches.h"

#define RANKS 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct replay_node nodes[RANKS] = { { 1, .7, .004 },
						 { 1.5, 1, 0 } };
static const struct replay_link links[RANKS * RANKS] = {
	{ 1e-5, 1e8 }, { 1e-4, 1e7 }, { 1e-4, 1e7 }, { 1e-5, 1e8 }
};

static void replay(const struct matched_trace *m, const int node[],
		   bool spinning, bool open_order)
{
	const struct replay_placement placement = {
		.nodes_count = RANKS,
		.nodes = nodes,
		.links = links,
		.node = node,
		.rendezvous_bytes = 4096,
		.spinning = spinning,
		.open_order = open_order,
	};
	struct replay_result result;
	struct rank_result ranks[RANKS];
	struct critical_path path;
	struct run_replay run;
	struct sp_error err;
	struct replay_step *steps = calloc(m->count, sizeof(*steps));

	if (!trace_replay(m, &placement, &result, ranks, steps, &err) &&
	    !open_order && !critical_path_find(m, steps, &path, &err))
		critical_path_clear(&path);
	free(steps);
	if (!run_replay_create(m, &placement, 1, &run, &err))
		run_replay_clear(&run);
}

static void replay_all(const struct matched_trace *m)
{
	const int together[RANKS] = { 0, 0 }, apart[RANKS] = { 0, 1 };

	for (int i = 0; i < 4; i++)
		replay(m, i & 1 ? apart : together, i & 2, i == 3);
}

/* The second one begins with the same eight bytes as the first. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rank_trace t[RANKS] = { { 0 }, { 0 } };
	const uint8_t *second =
		size > 16 ? memmem(data + 8, size - 8, data, 8) : NULL;
	size_t first_size = second ? (size_t)(second - data) : size;
	int ranks = 1 + (second != NULL);
	struct sp_error err;
	int rc = trace_decode(data, first_size, &t[0], &err);

	if (!rc && second)
		rc = trace_decode(second, size - first_size, &t[1], &err);

	struct trace_event *events[] = { t[0].events, t[1].events };
	int counts[] = { t[0].count, t[1].count };
	struct trace trace = { ranks, counts,
			       (const struct trace_event *const *)events };

	/* As predictd does, cut only a trace whose ranks are all there: by
	 * their number the decoder bounds peers. */
	if (!rc && t[0].ranks == ranks && (!second || t[1].ranks == ranks) &&
	    trace_is_sampled(ranks, events, counts))
		rc = trace_stretches_join(ranks, events, counts, t[0].whole,
					  &err) ||
		     trace_cut(ranks, events, counts, NULL, &err);

	struct matched_trace *m =
		rc ? NULL : matched_trace_create(&trace, NULL, &err);
	struct matched_trace *moved = m ? procedure_move(m) : NULL;

	if (moved) {
		replay_all(m);
		replay_all(moved);
	}
	matched_trace_destroy(m);
	matched_trace_destroy(moved);
	free(t[0].events);
	free(t[1].events);
	return 0;
}
