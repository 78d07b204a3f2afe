/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_calls.c - what ranks of a replay do when their work is done
 *
 * A message is kept from its send to its receive, so that memory follows what
 * is on its way.  Paths are passed along with messages as in figure 2 of [1]
 * (trace_replay.h), in the order of the replay, which is one that the messages
 * allow.  A rank whose receives may change places (open_order.h) waits for the
 * first message of its section, then receives that one.
 */

#include "predictor/replay/replay_state.h"

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

/* The rank that waits for the message goes on then. */
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
		replay_wait(s, r);
	else if (e->call == CALL_END)
		rank_end(s, r);
	else
		replay_join(s, r);
	if (e->call == CALL_IALL)
		replay_wake(s, r, s->now);
	return 0;
}
