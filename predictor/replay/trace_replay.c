/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_replay.c - a traced run under another placement
 *
 * Always the earliest thing happens next: a node's first rank has done its work
 * and calls (replay_calls.c), a port has served a message
 * (replay_messages.c), or a rank that waited returns, and goes on with the
 * work before its next event.
 */
#include <stdlib.h>

#include "predictor/replay/replay_state.h"
#include "predictor/replay/replay_turn.h"

/* --- On to the next event ------------------------------------------------- */

/* A block is done: the rank goes on to choose from its section, or leaves it.
 * What it worked before the receive that followed in the recording belongs to
 * the block; what it worked before the section's end comes last. */
static void rank_leave_block(struct replay *s, int r, double *work_s,
			     double *procedure_s)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct open_section *section = &s->order.sections[rank->section];
	const struct trace_event *end = &s->trace->events[section->end];
	const struct trace_event *next = &s->trace->events[rank->event];

	*work_s = next == end ? 0 : next->work_s;
	*procedure_s = next == end ? 0 : next->procedure_s;
	if (section->heads_count) {
		rank->event = section->heads[0];
		return;
	}
	*work_s += end->work_s;
	*procedure_s += end->procedure_s;
	rank->event = section->end;
	rank->section = -1;
}

static void rank_go_on(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct trace_event *next = &s->trace->events[++rank->event];
	double work_s = next->work_s;
	double procedure_s = next->procedure_s;

	if (s->place->open_order) {
		int section = s->order.section[rank->event];

		if (rank->section < 0)
			rank->section = section;
		else if (section >= 0 ||
			 rank->event == s->order.sections[rank->section].end)
			rank_leave_block(s, r, &work_s, &procedure_s);
	}

	int n = s->place->node[r];
	double turn_s = 0;

	if (s->place->spinning && s->now > rank->waits_from)
		turn_s = replay_turn(&s->place->nodes[n], s->nodes[n].competing,
				     work_s);
	if (!(turn_s > 0)) {
		replay_compute(s, r, work_s, procedure_s);
		return;
	}
	rank->takes_turn = true;
	rank->work_s = work_s;
	rank->procedure_s = procedure_s;
	rank->waits_from = s->now;
	replay_wake(s, r, s->now + turn_s);
}

static void rank_take_message(struct replay *s, int r, int send)
{
	struct replayed_rank *rank = &s->ranks[r];
	const struct sent *sent = replay_message(s, send);

	rank->zeroed = fmax(rank->zeroed, sent->zeroed);
	procedure_receive(&rank->moved, rank->clock, &sent->message);
	replay_drop_message(s, send);
}

/* The call returns. */
static void rank_return(struct replay *s, int r)
{
	struct replayed_rank *rank = &s->ranks[r];

	if (rank->chooses) {
		replay_take(s, r);
		return;
	}
	s->results[r].waited_s += s->now - rank->waits_from;
	if (rank->takes_turn) {
		rank->takes_turn = false;
		replay_compute(s, r, rank->work_s, rank->procedure_s);
		return;
	}
	replay_record(s, r);

	int partner = s->trace->partner[rank->event];

	switch (s->trace->events[rank->event].call) {
	case CALL_RECEIVE:
		rank_take_message(s, r, partner);
		break;
	case CALL_ALL:
		replay_take_paths(s, r, partner);
		break;
	case CALL_WAIT:
		replay_take_paths(s, r, s->trace->partner[partner]);
		break;
	default:
		break;
	}
	rank_go_on(s, r);
}

/* --- The run -------------------------------------------------------------- */

static void begin(struct replay *s)
{
	int ranks = s->trace->ranks;

	replay_prepare_links(s);
	for (int i = 0; i < ranks + 3 * s->place->nodes_count; i++)
		rank_heap_add(&s->next, i, REPLAY_UNKNOWN);
	for (int r = 0; r < ranks; r++) {
		s->ranks[r].event = s->trace->first[r] - 1;
		s->ranks[r].section = -1;
		if (s->place->spinning)
			s->nodes[s->place->node[r]].competing++;
	}
	for (int r = 0; r < ranks; r++)
		rank_go_on(s, r);
}

static int replay_run(struct replay *s, struct sp_error *err)
{
	int ranks = s->trace->ranks;
	unsigned steps = 0;

	begin(s);
	for (int left = ranks; left;) {
		int first = s->next.items[0];

		if (++steps % WORK_LIMIT_STEPS == 0 &&
		    work_limit_check(s->place->limit, err))
			return -1;
		if (s->next.keys[first] == REPLAY_UNKNOWN)
			return sp_error_set(err, "ranks of the trace wait for "
						 "each other");
		s->now = s->next.keys[first];
		if (first < ranks) {
			rank_return(s, first);
			continue;
		}

		if (first >= ranks + s->place->nodes_count) {
			replay_serve(s, first - ranks - s->place->nodes_count);
			continue;
		}

		int done = s->nodes[first - ranks].ranks.items[0];

		if (replay_call(s, done, err))
			return -1;
		left -= s->ranks[done].ended;
	}
	return 0;
}

int replay_placement_check(const struct matched_trace *trace,
			   const struct replay_placement *p,
			   struct sp_error *err)
{
	if (p->nodes_count < 1 || p->nodes_count > TRACE_RANKS_MAX)
		return sp_error_set(err, "%d nodes: not from 1 to %d",
				    p->nodes_count, TRACE_RANKS_MAX);
	for (int n = 0; n < p->nodes_count; n++)
		if (!(p->nodes[n].cores > 0 && p->nodes[n].speed > 0 &&
		      p->nodes[n].turn_s >= 0))
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

/* Memory of the whole replay, but for messages and the order; of the nodes'
 * heaps, too. */
struct replay_room {
	int *next_items, *next_positions;
	double *next_keys;
	int *rank_items, *rank_positions;
	double *rank_keys;
};

static int reserve(struct replay *s, struct replay_room *room)
{
	const struct matched_trace *trace = s->trace;
	int ranks = trace->ranks;
	int nodes = s->place->nodes_count;
	size_t all = (size_t)ranks + 3 * (size_t)nodes;

	s->results = calloc(ranks, sizeof(*s->results));
	s->ranks = calloc(ranks, sizeof(*s->ranks));
	s->nodes = calloc(nodes, sizeof(*s->nodes));
	s->ports = calloc(2 * (size_t)nodes, sizeof(*s->ports));
	s->collectives =
		calloc((size_t)trace->collectives + 1, sizeof(*s->collectives));
	s->slot = malloc(trace->count * sizeof(*s->slot));
	s->sent_free = -1;
	*room = (struct replay_room){
		.next_items = malloc(all * sizeof(int)),
		.next_positions = malloc(all * sizeof(int)),
		.next_keys = malloc(all * sizeof(double)),
		.rank_items = malloc(ranks * sizeof(int)),
		.rank_positions = malloc(ranks * sizeof(int)),
		.rank_keys = malloc(ranks * sizeof(double)),
	};
	if (!s->results || !s->ranks || !s->nodes || !s->ports ||
	    !s->collectives || !s->slot || !room->next_items ||
	    !room->next_positions || !room->next_keys || !room->rank_items ||
	    !room->rank_positions || !room->rank_keys ||
	    (s->place->open_order && open_order_create(trace, &s->order)))
		return -1;
	for (int i = 0; i < trace->count; i++)
		s->slot[i] = -1;
	s->next = (struct rank_heap){ 0, room->next_items, room->next_positions,
				      room->next_keys };

	/* A node's heap has room for the ranks that are there. */
	for (int r = 0; r < ranks; r++)
		s->nodes[s->place->node[r]].there++;
	for (int n = 0, at = 0; n < nodes; at += s->nodes[n++].there)
		s->nodes[n].ranks =
			(struct rank_heap){ 0, room->rank_items + at,
					    room->rank_positions,
					    room->rank_keys };
	return 0;
}

static void release(struct replay *s, const struct replay_room *room)
{
	free(s->results);
	free(s->ranks);
	free(s->nodes);
	free(s->ports);
	free(s->collectives);
	free(s->slot);
	free(s->sent);
	open_order_clear(&s->order);
	free(room->next_items);
	free(room->next_positions);
	free(room->next_keys);
	free(room->rank_items);
	free(room->rank_positions);
	free(room->rank_keys);
}

int trace_replay(const struct matched_trace *trace,
		 const struct replay_placement *placement,
		 struct replay_result *ret_result,
		 struct rank_result ret_ranks[], struct replay_step ret_steps[],
		 struct sp_error *err)
{
	if (replay_placement_check(trace, placement, err))
		return -1;

	struct replay s = { .trace = trace,
			    .place = placement,
			    .steps = ret_steps };
	struct replay_room room;
	int rc = reserve(&s, &room);

	if (rc)
		sp_error_set(err, "out of memory for a replay");
	else
		rc = replay_run(&s, err);
	if (!rc) {
		*ret_result = (struct replay_result){
			.time_s = s.now,
			.run_s = s.now +
				 replay_stretch_more(
					 &s, s.now,
					 trace->events[trace->first[1] - 1]
						 .level),
		};
		for (int r = 0; r < trace->ranks; r++) {
			const struct replayed_rank *rank = &s.ranks[r];

			ret_ranks[r] = s.results[r];
			ret_result->critical_path_s =
				fmax(ret_result->critical_path_s,
				     rank->moved.original);
			ret_result->zeroed_s =
				fmax(ret_result->zeroed_s, rank->zeroed);
			ret_result->moved_s =
				fmax(ret_result->moved_s, rank->moved.longest);
		}
	}
	release(&s, &room);
	return rc;
}
