/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_nodes.c - ranks that share the cores of their node */
#include "predictor/replay/replay_state.h"
#include "predictor/replay/replay_turn.h"

static double node_rate(const struct replay *s, int n)
{
	const struct replay_node *node = &s->place->nodes[n];
	int competing = s->nodes[n].competing;

	return node->speed *
	       (competing > node->cores ? node->cores / competing : 1);
}

void replay_node_advance(struct replay *s, int n)
{
	struct replayed_node *node = &s->nodes[n];

	node->V += (s->now - node->time) * node_rate(s, n);
	node->time = s->now;
}

/* Find when the node's next rank is done, after a change at s->now. */
void replay_node_find_next(struct replay *s, int n)
{
	struct replayed_node *node = &s->nodes[n];
	double next = REPLAY_UNKNOWN;

	if (node->ranks.count) {
		double left = node->ranks.keys[node->ranks.items[0]] - node->V;

		next = s->now + fmax(left, 0) / node_rate(s, n);
	}
	rank_heap_change(&s->next, s->trace->ranks + n, next);
}

void replay_compute(struct replay *s, int r, double work_s, double procedure_s)
{
	struct replayed_rank *rank = &s->ranks[r];
	int n = s->place->node[r];

	replay_node_advance(s, n);
	if (!s->place->spinning)
		s->nodes[n].competing++;
	rank->computes = true;
	rank->begin = s->now;
	rank->work_s = work_s;
	rank->procedure_s = procedure_s;
	rank_heap_change(&s->next, r, REPLAY_UNKNOWN);
	rank_heap_add(&s->nodes[n].ranks, r, s->nodes[n].V + work_s);
	replay_node_find_next(s, n);
}

/* Stop a rank whose work is done. */
void replay_stop(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int n = s->place->node[r];

	s->nodes[n].V = s->nodes[n].ranks.keys[r]; /* exactly */
	s->nodes[n].time = s->now;
	rank_heap_remove(&s->nodes[n].ranks, r);
	rank->computes = false;
	if (!s->place->spinning)
		s->nodes[n].competing--;
	rank->waits_from = s->now;
	rank->cause = -1;
	s->results[r].computed_s += s->now - rank->begin;
	replay_node_find_next(s, n);
	procedure_enter(&rank->moved, rank->clock);
	procedure_exit(&rank->moved, rank->clock + rank->procedure_s);
	rank->clock += rank->work_s;
	rank->zeroed += rank->work_s - rank->procedure_s;
}

void replay_wake(struct replay *s, int r, double time)
{
	rank_heap_change(&s->next, r, time);
}

/* A rank of n on c cores, with turns q, is away from the CPU for (n - c) / n
 * of the time, (n - c) / c q long.  Found away, it waits half of that on the
 * average, then works a turn at full speed: that is later than at equal shares
 * by off (1/2 - w / q) for work w, and no later for long work. */
double replay_turn(const struct replay_node *node, int n, double work_s)
{
	if (n <= node->cores || !(node->turn_s > 0))
		return 0;

	double away = (n - node->cores) / n;
	double off_s = (n - node->cores) / node->cores * node->turn_s;
	double turns = work_s / node->speed / node->turn_s;

	return away * off_s * fmax(0.5 - turns, 0);
}
