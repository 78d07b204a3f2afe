/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_calls.c - what ranks of a replay do when their work is done
 *
 * A message is kept from its send to its receive, so that memory follows what is
 * on its way.  Paths are passed along with messages as in figure 2 of [1]
 * (trace_replay.h), in the order of the replay, which is one that the messages
 * allow.  A rank whose receives may change places (open_order.h) waits for the
 * first message of its section, then receives that one.
 *
 * A collective takes its time from the call of its last rank on, whatever its ranks
 * do meanwhile: as if MPI made progress while they compute.
 */
#include <stdlib.h>

#include "predictor/replay/replay_state.h"
#include "predictor/replay/trace_stretches.h"

/* --- Messages ------------------------------------------------------------- */

static bool call_waits_for_receive(const struct replay *s,
				   const struct trace_event *e)
{
	return e->call == CALL_SEND && e->bytes > s->place->rendezvous_bytes;
}

/* The message is or will be received by the event at which the rank waits. */
static void rank_receive(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int send = s->trace->partner[rank->event];
	struct sent *sent = replay_message(s, send);

	if (!sent)
		return;
	if (!sent->leaves) {
		if (sent->time < s->now)
			s->ranks[s->trace->events[rank->event].peer].cause =
				rank->event;
		replay_send(s, sent);
		return;
	}
	if (sent->arrival > s->now)
		rank->cause = send;
	if (sent->arrival < REPLAY_UNKNOWN)
		replay_wake(s, r, fmax(sent->arrival, s->now));
}

/* The first message of those that the rank's section could begin with.  One
 * that waits for its receive counts from its send on, one on its way when its
 * arrival is known. */
static void rank_choose(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct open_section *section = &s->order.sections[rank->section];
	double first = REPLAY_UNKNOWN;

	for (int i = 0; i < section->heads_count; i++) {
		int receive = section->heads[i];
		const struct sent *sent =
			replay_message(s, s->trace->partner[receive]);

		if (!sent)
			continue;

		double time = sent->leaves ? sent->arrival : sent->time;

		if (time < first || (time == first && receive < rank->event)) {
			first = time;
			rank->event = receive;
		}
	}
	rank->chooses = true;
	replay_wake(s, r,
		    first == REPLAY_UNKNOWN ? first : fmax(first, s->now));
}

/* Who waits for the message goes on then. */
void replay_arrive(struct replay *s, const struct sent *sent)
{
	const struct trace_event *e = &s->trace->events[sent->send];
	int receive = s->trace->partner[sent->send];
	const struct replayed_rank *rank = &s->ranks[e->peer];

	if (call_waits_for_receive(s, e))
		replay_wake(s, s->trace->events[receive].peer, sent->arrival);
	if (rank->computes || rank->takes_turn)
		return;
	if (rank->chooses)
		rank_choose(s, e->peer);
	else if (rank->event == receive)
		replay_wake(s, e->peer, sent->arrival);
}

void replay_take(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	int send = s->trace->partner[rank->event];
	const struct open_section *section = &s->order.sections[rank->section];

	for (int i = 0; i < section->heads_count; i++)
		if (section->heads[i] == rank->event) {
			open_order_take(&s->order, rank->section, i);
			break;
		}
	rank->chooses = false;
	if (s->now > rank->waits_from)
		rank->cause = send;
	rank_receive(s, r);
}

static int rank_send(struct replay *s, int r, struct sp_error *err)
{
	struct replayed_rank *rank = &s->ranks[r];
	int send = rank->event;
	const struct trace_event *e = &s->trace->events[send];
	struct sent *sent = replay_add_message(s, send);

	if (!sent)
		return sp_error_set(err, "out of memory for a replay");
	sent->zeroed = rank->zeroed;
	sent->message = procedure_send(&rank->moved, rank->clock);
	if (!call_waits_for_receive(s, e)) {
		replay_send(s, sent);
		replay_wake(s, r, s->now);
	}

	const struct replayed_rank *peer = &s->ranks[e->peer];

	if (peer->computes || peer->takes_turn)
		return 0;
	if (peer->chooses) {
		rank_choose(s, e->peer);
	} else if (peer->event == s->trace->partner[send]) {
		rank_receive(s, e->peer);
		s->ranks[e->peer].cause = send;
	}
	return 0;
}

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

/* What its ranks have in common crosses a node's slowest link once, what they
 * have for each other as often as there are ranks; ret_latency_s is the link's. */
static double node_collective_time(const struct replay *s, int n, int members,
				   double bytes, bool to_each,
				   double *ret_latency_s)
{
	const struct replay_link *out = &s->nodes[n].out;
	int here = s->nodes[n].in_group;

	if (here == members) {
		*ret_latency_s = s->place->links[n * s->place->nodes_count + n]
					 .latency_s;
		return 0;
	}
	*ret_latency_s = out->latency_s;
	return bytes * (members - here) / members * (to_each ? here : 1) /
	       out->bandwidth_bps;
}

/* A tree's latencies, then the bytes of the node that takes longest. */
static double collective_time(struct replay *s, int c)
{
	const struct replayed_collective *of = &s->collectives[c];
	double latency_s = 0, bytes_s = 0;
	int count;
	const int *ranks = members(s, c, &count);

	for (int i = 0; i < count; i++)
		s->nodes[s->place->node[ranks[i]]].in_group++;
	for (int i = 0; i < count; i++) {
		int n = s->place->node[ranks[i]];
		double its_latency_s, its_bytes_s;

		if (!s->nodes[n].in_group)
			continue;
		its_bytes_s = node_collective_time(s, n, count, of->bytes,
						   of->to_each, &its_latency_s);
		latency_s = fmax(latency_s, its_latency_s);
		bytes_s = fmax(bytes_s, its_bytes_s);
		s->nodes[n].in_group = 0;
	}
	return latency_s * ceil(log2(count)) + bytes_s;
}

/* No message comes or goes with work of the procedure: it stays where it is. */
static void keep_procedure(struct replayed_rank *rank)
{
	procedure_update(&rank->moved, rank->clock);
	rank->moved.F = 0;
}

/* The rank calls a collective: with the last one it ends, and ranks return that
 * wait for it. */
static void rank_arrive(struct replay *s, int r)
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

static void rank_wait(struct replay *s, int r)
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

void replay_record(const struct replay *s, int r)
{
	const struct replayed_rank *rank = &s->ranks[r];

	if (s->steps)
		s->steps[rank->event] =
			(struct replay_step){ rank->begin, rank->waits_from,
					      s->now, rank->cause };
}

static void rank_end(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];

	rank->ended = true;
	procedure_update(&rank->moved, rank->clock);
	s->results[r].end_s = s->now;
	s->results[r].work_s = rank->clock;
	replay_record(s, r);
	if (s->place->spinning) { /* no more */
		int n = s->place->node[r];

		replay_node_advance(s, n);
		s->nodes[n].competing--;
		replay_node_find_next(s, n);
	}
}

/* The work before the event is done. */
int replay_call(struct replay *s, int r, struct sp_error *err)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct trace_event *e = &s->trace->events[rank->event];

	replay_stop(s, r);
	if (e->call <= CALL_ISEND)
		return rank_send(s, r, err);
	if (rank->section >= 0 && s->order.section[rank->event] >= 0)
		rank_choose(s, r);
	else if (e->call == CALL_RECEIVE)
		rank_receive(s, r);
	else if (e->call == CALL_WAIT)
		rank_wait(s, r);
	else if (e->call == CALL_END)
		rank_end(s, r);
	else
		rank_arrive(s, r);
	if (e->call == CALL_IALL)
		replay_wake(s, r, s->now);
	return 0;
}
