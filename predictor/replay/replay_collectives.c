/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_collectives.c - what all ranks of a communicator do together in
 * a replay
 *
 * A collective takes its time from the call of its last rank on, whatever its
 * ranks do meanwhile: as if MPI made progress while they compute.  That time is
 * that of the algorithms in [1], with the slowest link of those between the
 * nodes, and with bytes that nodes pass on once, not each of their ranks.
 *
 * [1] R. Thakur, R. Rabenseifner and W. Gropp, Optimization of Collective
 *     Communication Operations in MPICH, International Journal of High
 *     Performance Computing Applications 19(1), 2005.
 */
#include <stddef.h>

#include "predictor/replay/replay_state.h"
#include "predictor/trace/trace_stretches.h"

double replay_stretch_more(struct replay *s, double end, int level)
{
	s->more_s +=
		(trace_stretch_weight(level) - 1) * (end - s->stretch_begin);
	s->stretch_begin = end;
	return s->more_s;
}

/* Ranks that call the collective. */
static const int *members(const struct replay *s, int collective,
			  int *ret_count)
{
	const int *begin = &s->trace->members[s->trace->group[collective]];

	*ret_count = begin[1] - begin[0];
	return &s->trace->member[begin[0]];
}

static bool waits_for(const struct replay *s, int r, int collective)
{
	const struct replayed_rank *rank = &s->ranks[r];
	int partner = s->trace->partner[rank->event];

	if (rank->computes || rank->ended || rank->takes_turn)
		return false;
	switch (s->trace->events[rank->event].call) {
	case CALL_ALL:
		return partner == collective;
	case CALL_WAIT:
		return s->trace->partner[partner] == collective;
	default:
		return false;
	}
}

/* --- Time ----------------------------------------------------------------- */

/* The slowest links of the nodes. */
struct crossing {
	double latency_s;
	double bytes_s; /* for all bytes */
	double share_s; /* for those that a node has not of its own */
};

/* How often each of these comes, one after the other; of latencies and of all
 * bytes for each level of a tree. */
struct algorithm {
	bool combined; /* collectives that it is for */
	int latencies, bytes, shares;
};

/* The one that takes least counts. */
static const struct algorithm algorithms[] = {
	/* Trees and rings, which pass on parts as they come: [1] 4.1 to 4.4. */
	{ .combined = false, .latencies = 1, .shares = 1 },
	/* Recursive doubling; reduce-scatter and allgather: [1] 4.5. */
	{ .combined = true, .latencies = 1, .bytes = 1 },
	{ .combined = true, .latencies = 2, .shares = 2 },
};

/* What its ranks have in common crosses a node's slowest link once, what they
 * have for each other as often as there are ranks. */
static struct crossing node_crossing(const struct replay *s, int n, int members,
				     const struct replayed_collective *of)
{
	const struct replay_link *out = &s->nodes[n].out;
	int here = s->nodes[n].in_group;
	int own = n * s->place->nodes_count + n;

	if (here == members)
		return (struct crossing){ s->place->links[own].latency_s, 0,
					  0 };

	double bytes_s = of->bytes / out->bandwidth_bps;

	return (struct crossing){
		.latency_s = out->latency_s,
		.bytes_s = bytes_s,
		.share_s = bytes_s * (members - here) / members *
			   (of->to_each ? here : 1),
	};
}

/* Return the most of each. */
static struct crossing find_crossing(struct replay *s, int c)
{
	struct crossing most = { 0 };
	int count;
	const int *ranks = members(s, c, &count);

	for (int i = 0; i < count; i++)
		s->nodes[s->place->node[ranks[i]]].in_group++;
	for (int i = 0; i < count; i++) {
		int n = s->place->node[ranks[i]];

		if (!s->nodes[n].in_group)
			continue;

		struct crossing of =
			node_crossing(s, n, count, &s->collectives[c]);

		most.latency_s = fmax(most.latency_s, of.latency_s);
		most.bytes_s = fmax(most.bytes_s, of.bytes_s);
		most.share_s = fmax(most.share_s, of.share_s);
		s->nodes[n].in_group = 0;
	}
	return most;
}

static double collective_time(struct replay *s, int c)
{
	const struct crossing of = find_crossing(s, c);
	double least_s = HUGE_VAL;
	int count;

	(void)members(s, c, &count);

	double levels = ceil(log2(count));

	for (size_t i = 0; i < sizeof(algorithms) / sizeof(*algorithms); i++) {
		const struct algorithm *row = &algorithms[i];

		if (row->combined == s->collectives[c].combined)
			least_s = fmin(least_s,
				       levels * (row->latencies * of.latency_s +
						 row->bytes * of.bytes_s) +
					       row->shares * of.share_s);
	}
	return least_s;
}

/* --- Calls ---------------------------------------------------------------- */

/* No message comes or goes with work of the procedure: it stays where it is. */
static void keep_procedure(struct replayed_rank *rank)
{
	procedure_update(&rank->moved, rank->clock);
	rank->moved.F = 0;
}

/* With the last one it ends, and ranks return that wait for it. */
void replay_join(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct trace_event *e = &s->trace->events[rank->event];
	int c = s->trace->partner[rank->event], count;
	const int *ranks = members(s, c, &count);
	struct replayed_collective *of = &s->collectives[c];

	keep_procedure(rank);
	of->original = fmax(of->original, rank->moved.original);
	of->zeroed = fmax(of->zeroed, rank->zeroed);
	of->moved = fmax(of->moved, rank->moved.longest);
	of->bytes = fmax(of->bytes, (double)e->bytes);
	of->to_each |= e->to_each;
	of->combined |= e->combined;
	of->last = rank->event;
	if (++of->arrived < count)
		return;
	of->end_s = s->now + collective_time(s, c);
	if (e->ends_stretch)
		replay_stretch_more(s, of->end_s, e->level);
	for (int i = 0; i < count; i++) {
		if (!waits_for(s, ranks[i], c))
			continue;
		replay_wake(s, ranks[i], of->end_s);
		if (ranks[i] != r)
			s->ranks[ranks[i]].cause = of->last;
	}
}

void replay_wait(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int c = s->trace->partner[s->trace->partner[rank->event]], count;
	const struct replayed_collective *of = &s->collectives[c];

	keep_procedure(rank);
	(void)members(s, c, &count);
	if (of->arrived < count)
		return;
	if (of->end_s > s->now)
		rank->cause = of->last;
	replay_wake(s, r, fmax(of->end_s, s->now));
}

void replay_take_paths(struct replay *s, int r, int collective)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct replayed_collective *of = &s->collectives[collective];

	rank->zeroed = fmax(rank->zeroed, of->zeroed);
	rank->moved.original = fmax(rank->moved.original, of->original);
	rank->moved.longest = fmax(rank->moved.longest, of->moved);
}
