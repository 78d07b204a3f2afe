/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_replay.c - a traced run under another placement
 *
 * Each node has a virtual clock V: the work that any rank computing there has
 * done.  It goes at speed * min(1, cores / ranks that compete), and a rank that
 * begins w of work at V is done at V + w, whoever comes and goes meanwhile.
 * The next thing to happen is the earliest of all nodes' first ranks, and of all
 * waiting ranks whose message is on its way.
 *
 * Paths are passed along with messages as in figure 2 of [1] (header), in the
 * order of the replay, which is one that the messages allow.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/replay/procedure_path.h"
#include "predictor/replay/trace_replay.h"

#define UNKNOWN HUGE_VAL

struct sent {
	double time;    /* of the send; UNKNOWN: not yet */
	double arrival; /* UNKNOWN: not sent, or waits for its receive */
	double path;
	double zeroed;
	struct procedure_message message;
};

struct replayed_rank {
	int event;     /* in the matched trace */
	bool computes; /* else it waits or has ended */
	bool ended;
	double finish_v; /* computes: V of its node at which it is done */
	double wake;     /* waits: until then */
	double waits_from;
	double clock; /* work done */
	double path;
	double zeroed;
	struct procedure_path moved;
};

struct replayed_node {
	double V;
	double time; /* of V */
	int competing;
	int first;   /* rank that is done first; -1: none computes */
	double next; /* time at which it is */
};

struct replayed_group {
	int arrived;
	double path;
	double zeroed;
	double moved;
};

struct replay {
	const struct matched_trace *trace;
	const struct replay_placement *place;
	struct rank_result *results;
	struct replayed_rank *ranks;
	struct replayed_node *nodes;
	struct replayed_group *groups;
	struct sent *sent; /* by event */
	double now;
};

/* --- Nodes ---------------------------------------------------------------- */

static double node_rate(const struct replay *s, int n)
{
	const struct replay_node *node = &s->place->nodes[n];
	int competing = s->nodes[n].competing;

	return node->speed *
	       (competing > node->cores ? node->cores / competing : 1);
}

static void node_advance(struct replay *s, int n)
{
	struct replayed_node *node = &s->nodes[n];

	node->V += (s->now - node->time) * node_rate(s, n);
	node->time = s->now;
}

/* After a change, at s->now. */
static void node_find_next(struct replay *s, int n)
{
	struct replayed_node *node = &s->nodes[n];

	node->first = -1;
	node->next = UNKNOWN;
	for (int r = 0; r < s->trace->ranks; r++)
		if (s->place->node[r] == n && s->ranks[r].computes &&
		    (node->first < 0 ||
		     s->ranks[r].finish_v < s->ranks[node->first].finish_v))
			node->first = r;
	if (node->first < 0)
		return;

	double left = s->ranks[node->first].finish_v - node->V;

	node->next = s->now + fmax(left, 0) / node_rate(s, n);
}

/* The rank goes on with the work before its event. */
static void rank_compute(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int n = s->place->node[r];
	const struct trace_event *e = &s->trace->events[rank->event];

	node_advance(s, n);
	if (!s->place->spinning)
		s->nodes[n].competing++;
	rank->computes = true;
	rank->finish_v = s->nodes[n].V + e->work_s;
	node_find_next(s, n);
}

static void rank_stop(struct replay *s, int r)
{
	int n = s->place->node[r];

	node_advance(s, n);
	s->ranks[r].computes = false;
	if (!s->place->spinning)
		s->nodes[n].competing--;
	s->ranks[r].wake = UNKNOWN;
	s->ranks[r].waits_from = s->now;
	node_find_next(s, n);
}

/* --- Calls ---------------------------------------------------------------- */

static double transfer_time(const struct replay *s, int from, int to,
			    uint64_t bytes)
{
	const struct replay_link *link =
		&s->place->links[s->place->node[from] * s->place->nodes_count +
				 s->place->node[to]];

	return link->latency_s + (double)bytes / link->bandwidth_bps;
}

static bool call_waits_for_receive(const struct replay *s,
				   const struct trace_event *e)
{
	return e->call == CALL_SEND && e->bytes > s->place->rendezvous_bytes;
}

/* Both sides are there, or the send is eager: when is the message? */
static void message_leaves(struct replay *s, int from, int to, int send)
{
	const struct trace_event *e = &s->trace->events[send];

	s->sent[send].arrival = s->now + transfer_time(s, from, to, e->bytes);
	if (call_waits_for_receive(s, e))
		s->ranks[from].wake = s->sent[send].arrival;
}

static bool rank_waits_at(const struct replay *s, int r, int event)
{
	return !s->ranks[r].computes && s->ranks[r].event == event;
}

static void rank_send(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int send = rank->event;
	const struct trace_event *e = &s->trace->events[send];
	int receive = s->trace->partner[send];
	struct sent *sent = &s->sent[send];

	sent->time = s->now;
	sent->path = rank->path;
	sent->zeroed = rank->zeroed;
	sent->message = procedure_send(&rank->moved, rank->clock);
	if (!call_waits_for_receive(s, e)) {
		message_leaves(s, r, e->peer, send);
		rank->wake = s->now;
	}
	if (rank_waits_at(s, e->peer, receive)) {
		if (sent->arrival == UNKNOWN)
			message_leaves(s, r, e->peer, send);
		s->ranks[e->peer].wake = sent->arrival;
	}
}

static void rank_receive(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int send = s->trace->partner[rank->event];
	struct sent *sent = &s->sent[send];

	if (sent->time == UNKNOWN)
		return;
	if (sent->arrival == UNKNOWN)
		message_leaves(s, s->trace->events[rank->event].peer, r, send);
	rank->wake = fmax(sent->arrival, s->now);
}

/* A tree: messages of nobody's size, over the slowest of the links. */
static double collective_time(const struct replay *s, int members)
{
	double latency_s = 0;

	for (int i = 0; i < s->place->nodes_count * s->place->nodes_count; i++)
		latency_s = fmax(latency_s, s->place->links[i].latency_s);
	return latency_s * ceil(log2(members));
}

static void rank_collective(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int g = s->trace->partner[rank->event];
	struct replayed_group *group = &s->groups[g];

	procedure_update(&rank->moved, rank->clock);
	rank->moved.F = 0;
	if (!group->arrived) /* longest may have become less */
		*group = (struct replayed_group){ 0 };
	group->path = fmax(group->path, rank->path);
	group->zeroed = fmax(group->zeroed, rank->zeroed);
	group->moved = fmax(group->moved, rank->moved.longest);
	if (++group->arrived < s->trace->members[g])
		return;

	double wake = s->now + collective_time(s, group->arrived);

	for (int i = 0; i < s->trace->ranks; i++) {
		struct replayed_rank *other = &s->ranks[i];

		if (other->computes || other->ended ||
		    s->trace->events[other->event].call != CALL_ALL ||
		    s->trace->partner[other->event] != g)
			continue;
		other->wake = wake;
		other->path = group->path;
		other->zeroed = group->zeroed;
		other->moved.longest = group->moved;
	}
	group->arrived = 0;
}

/* The work before the event is done. */
static void rank_call(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct trace_event *e = &s->trace->events[rank->event];

	s->nodes[s->place->node[r]].V = rank->finish_v; /* exactly */
	s->nodes[s->place->node[r]].time = s->now;
	rank_stop(s, r);
	rank->clock += e->work_s;
	rank->path += e->work_s;
	rank->zeroed += e->work_s - e->procedure_s;
	rank->moved.F += e->procedure_s;
	if (e->call <= CALL_ISEND)
		rank_send(s, r);
	else if (e->call == CALL_RECEIVE)
		rank_receive(s, r);
	else if (e->call == CALL_ALL)
		rank_collective(s, r);
	else {
		rank->ended = true;
		procedure_update(&rank->moved, rank->clock);
		s->results[r].end_s = s->now;
		s->results[r].work_s = rank->clock;
		if (s->place->spinning) { /* no more */
			s->nodes[s->place->node[r]].competing--;
			node_find_next(s, s->place->node[r]);
		}
	}
}

/* The call returns. */
static void rank_return(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];

	s->results[r].waited_s += s->now - rank->waits_from;
	if (s->trace->events[rank->event].call == CALL_RECEIVE) {
		const struct sent *sent =
			&s->sent[s->trace->partner[rank->event]];

		rank->path = fmax(rank->path, sent->path);
		rank->zeroed = fmax(rank->zeroed, sent->zeroed);
		procedure_receive(&rank->moved, rank->clock, &sent->message);
	}
	rank->event++;
	rank_compute(s, r);
}

/* --- The run ------------------------------------------------------------- */

static int replay_run(struct replay *s, struct sp_error *err)
{
	for (int n = 0; n < s->place->nodes_count; n++)
		node_find_next(s, n);
	for (int r = 0; r < s->trace->ranks; r++) {
		s->ranks[r].event = s->trace->first[r];
		if (s->place->spinning)
			s->nodes[s->place->node[r]].competing++;
	}
	for (int r = 0; r < s->trace->ranks; r++)
		rank_compute(s, r);
	for (int left = s->trace->ranks; left;) {
		double next = UNKNOWN;
		int woken = -1;
		int done = -1;

		for (int r = 0; r < s->trace->ranks; r++)
			if (!s->ranks[r].computes && s->ranks[r].wake < next) {
				next = s->ranks[r].wake;
				woken = r;
			}
		for (int n = 0; n < s->place->nodes_count; n++)
			if (s->nodes[n].next < next) {
				next = s->nodes[n].next;
				done = s->nodes[n].first;
			}
		if (next == UNKNOWN)
			return sp_error_set(err, "ranks of the trace wait for "
						 "each other");
		s->now = next;
		if (done >= 0) {
			rank_call(s, done);
			left -= s->ranks[done].ended;
		} else {
			rank_return(s, woken);
		}
	}
	return 0;
}

static int check_placement(const struct matched_trace *trace,
			   const struct replay_placement *p,
			   struct sp_error *err)
{
	if (p->nodes_count < 1 || p->nodes_count > trace->ranks)
		return sp_error_set(err, "%d nodes for %d ranks",
				    p->nodes_count, trace->ranks);
	for (int n = 0; n < p->nodes_count; n++)
		if (!(p->nodes[n].cores > 0 && p->nodes[n].speed > 0))
			return sp_error_set(err, "node %d: no cores or speed",
					    n);
	for (int i = 0; i < p->nodes_count * p->nodes_count; i++)
		if (!(p->links[i].latency_s >= 0 &&
		      p->links[i].bandwidth_bps > 0))
			return sp_error_set(err,
					    "link %d: bad latency or "
					    "bandwidth",
					    i);
	for (int r = 0; r < trace->ranks; r++)
		if (p->node[r] < 0 || p->node[r] >= p->nodes_count)
			return sp_error_set(err, "rank %d: no node %d", r,
					    p->node[r]);
	return 0;
}

int trace_replay(const struct matched_trace *trace,
		 const struct replay_placement *placement,
		 struct replay_result *ret_result,
		 struct rank_result ret_ranks[], struct sp_error *err)
{
	if (check_placement(trace, placement, err))
		return -1;

	struct replay s = { .trace = trace, .place = placement };
	int rc = -1;

	s.results = calloc(trace->ranks, sizeof(*s.results));
	s.ranks = calloc(trace->ranks, sizeof(*s.ranks));
	s.nodes = calloc(placement->nodes_count, sizeof(*s.nodes));
	s.groups = calloc(trace->groups + 1, sizeof(*s.groups));
	s.sent = malloc(trace->count * sizeof(*s.sent));
	if (!s.results || !s.ranks || !s.nodes || !s.groups || !s.sent) {
		sp_error_set(err, "out of memory for a replay");
		goto out;
	}
	for (int i = 0; i < trace->count; i++)
		s.sent[i] =
			(struct sent){ .time = UNKNOWN, .arrival = UNKNOWN };
	rc = replay_run(&s, err);
	if (rc)
		goto out;
	*ret_result = (struct replay_result){ .time_s = s.now };
	for (int r = 0; r < trace->ranks; r++) {
		const struct replayed_rank *rank = &s.ranks[r];

		ret_ranks[r] = s.results[r];
		ret_result->critical_path_s =
			fmax(ret_result->critical_path_s, rank->path);
		ret_result->zeroed_s = fmax(ret_result->zeroed_s, rank->zeroed);
		ret_result->moved_s =
			fmax(ret_result->moved_s, rank->moved.longest);
	}
out:
	free(s.results);
	free(s.ranks);
	free(s.nodes);
	free(s.groups);
	free(s.sent);
	return rc;
}
