/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_replay.c - traced runs under other placements: speed, and figure 2
 *
 *	bar replay_events_per_s N    random programs, 16 ranks on 4 nodes;
 *		replay_long_events_per_s with 10 million events
 *	bar figure2_diff SECONDS     greatest difference of the procedure LBF
 *		between processes that carry it along, as in the MPI library,
 *		and the replay, over programs and placements
 *
 * The others are in bench_replay_programs.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "predictor/replay/trace_replay.h"
#include "predictor/trace/procedure_path.h"
#include "tests/bench/bench_replay.h"
#include "tests/unit/predictor/replay/random_trace.h"

#define RANKS 16
#define NODES 4

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

_Noreturn void fail(const struct sp_error *err)
{
	fprintf(stderr, "bench-replay: %s\n", err->text);
	exit(1);
}

struct matched_trace *match_or_exit(const struct trace *trace)
{
	struct sp_error err;
	struct matched_trace *m = matched_trace_create(trace, NULL, &err);

	if (!m)
		fail(&err);
	return m;
}

/* Ranks on unequal nodes, dealt out by `stride`. */
static struct replay_result replay_or_exit(const struct matched_trace *m,
					   int stride)
{
	static const struct replay_node nodes[NODES] = {
		{ 2, 1, 0 }, { 1.5, .7, 0 }, { 4, 1.3, 0 }, { 1, .9, 0 }
	};
	struct replay_link links[NODES * NODES];
	int node[RANKS];
	struct rank_result ranks[RANKS];
	struct replay_result result;
	struct sp_error err;

	for (int i = 0; i < NODES * NODES; i++)
		links[i] = (struct replay_link){ 3e-5 * (i % 3), 1.1e8 };
	for (int r = 0; r < m->ranks; r++)
		node[r] = r * stride / 3 % NODES;

	struct replay_placement place = { NODES, nodes, links, node,
					  4096,  false, false, NULL };

	if (trace_replay(m, &place, &result, ranks, NULL, &err))
		fail(&err);
	return result;
}

/* The program run rank by rank in the order in which it was made: each keeps
 * its path on its own CPU clock, and enters and leaves the procedure. */
static double run_online(const struct random_trace *t,
			 const struct matched_trace *m)
{
	struct procedure_path paths[RANKS] = { 0 };
	double clocks[RANKS] = { 0 };
	int next[RANKS];
	double together = 0; /* path at the collective */
	double longest = 0;
	int arrived = 0;
	struct procedure_message *messages =
		calloc(m->count, sizeof(*messages));

	memcpy(next, m->first, m->ranks * sizeof(*next));
	for (int i = 0; i < t->order_count; i++) {
		int r = t->order[i];
		int event = next[r]++;
		const struct trace_event *e = &m->events[event];
		struct procedure_path *p = &paths[r];

		procedure_enter(p, clocks[r]);
		procedure_exit(p, clocks[r] + e->procedure_s);
		clocks[r] += e->work_s;
		if (e->call <= CALL_ISEND)
			messages[event] = procedure_send(p, clocks[r]);
		else if (e->call == CALL_RECEIVE)
			procedure_receive(p, clocks[r],
					  &messages[m->partner[event]]);
		else
			procedure_update(p, clocks[r]);
		if (e->call == CALL_END)
			longest = fmax(longest, p->longest);
		if (e->call != CALL_ALL)
			continue;
		together = arrived ? fmax(together, p->longest) : p->longest;
		if (++arrived < m->ranks)
			continue;
		for (int k = 0; k < m->ranks; k++) {
			paths[k].longest = together;
			paths[k].F = 0;
		}
		arrived = 0;
	}
	free(messages);
	return longest;
}

static double measure_figure2(void)
{
	struct random random = { 4375 };
	double diff = 0;

	for (int i = 0; i < 100; i++) {
		struct random_trace t;

		random_trace_fill(&t, 4 + i % (RANKS - 3), 500, &random);

		struct matched_trace *m = match_or_exit(&t.trace);
		double online_s = run_online(&t, m);

		for (int stride = 1; stride <= 7; stride += 2)
			diff = fmax(diff,
				    fabs(replay_or_exit(m, stride).moved_s -
					 online_s));
		matched_trace_destroy(m);
		random_trace_free(&t);
	}
	return diff;
}

static void measure_speed(int messages, const char *bar)
{
	struct random random = { 1998 };
	struct random_trace t;

	random_trace_fill(&t, RANKS, messages, &random);

	double start = now_s();
	struct matched_trace *m = match_or_exit(&t.trace);
	double matched = now_s();

	replay_or_exit(m, 3);
	printf("%d events matched in %.2f s\n", m->count, matched - start);
	printf("bar %s %.0f\n", bar, m->count / (now_s() - matched));
	matched_trace_destroy(m);
	random_trace_free(&t);
}

int main(void)
{
	measure_speed(1000000, "replay_events_per_s");
	measure_speed(4200000, "replay_long_events_per_s");
	printf("bar figure2_diff %.3g\n", measure_figure2());
	measure_programs();
	return 0;
}
