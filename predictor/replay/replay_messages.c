/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_messages.c - messages of a replay on their way, and what they share
 *
 * All that a node sends goes through one port, and so does all that it
 * receives, which a port serves at equal rates: three messages at a time take
 * three times as long.  As in [2] a message needs both its nodes' ports.  There
 * it waits for both to be idle; here each serves it by itself, and it is
 * through when both have and when its link alone would let it.  A port is as
 * fast as the fastest of its node's links, so that a slow link holds up its own
 * messages only.
 *
 * A port has a virtual clock, as a node's cores have (replay_state.h): the
 * bytes that each message was served.  One of b bytes that comes at V is
 * served at V + b, whatever comes and goes meanwhile.  Messages within a node
 * share nothing.
 *
 * [2] S. Girona, J. Labarta, R. M. Badia: Validation of Dimemas Communication
 *     Model for MPI Collective Operations, EuroPVM/MPI 2000.
 */
#include <stdlib.h>

#include "predictor/replay/replay_state.h"

/* --- Slots ---------------------------------------------------------------- */

struct sent *replay_message(const struct replay *s, int send)
{
	return s->slot[send] < 0 ? NULL : &s->sent[s->slot[send]];
}

struct sent *replay_add_message(struct replay *s, int send)
{
	int slot = s->sent_free;

	if (slot >= 0) {
		s->sent_free = s->sent[slot].next_free;
	} else {
		if (s->sent_count == s->sent_size) {
			int size = s->sent_size ? 2 * s->sent_size : 1024;
			struct sent *more =
				realloc(s->sent, size * sizeof(*more));

			if (!more)
				return NULL;
			s->sent = more;
			s->sent_size = size;
		}
		slot = s->sent_count++;
	}
	s->slot[send] = slot;
	s->sent[slot] = (struct sent){ .send = send,
				       .time = s->now,
				       .arrival = REPLAY_UNKNOWN };
	return &s->sent[slot];
}

void replay_drop_message(struct replay *s, int send)
{
	replay_message(s, send)->next_free = s->sent_free;
	s->sent_free = s->slot[send];
	s->slot[send] = -1;
}

/* --- Ports ---------------------------------------------------------------- */

static const struct replay_link *link_of(const struct replay *s, int from,
					 int to)
{
	return &s->place->links[from * s->place->nodes_count + to];
}

/* A node's other one has the node's number. */
static int port_in(const struct replay *s, int node)
{
	return s->place->nodes_count + node;
}

static void node_prepare(struct replay *s, int n)
{
	struct replayed_port *out = &s->ports[n];
	struct replayed_port *in = &s->ports[port_in(s, n)];
	struct replay_link *slowest = &s->nodes[n].out;

	*slowest = (struct replay_link){ 0, HUGE_VAL };
	*out = *in = (struct replayed_port){ .first = -1 };
	for (int m = 0; s->nodes[n].there && m < s->place->nodes_count; m++) {
		const struct replay_link *to = link_of(s, n, m);
		const struct replay_link *from = link_of(s, m, n);

		if (m == n || !s->nodes[m].there)
			continue;
		slowest->latency_s = fmax(slowest->latency_s,
					  fmax(to->latency_s, from->latency_s));
		slowest->bandwidth_bps =
			fmin(slowest->bandwidth_bps,
			     fmin(to->bandwidth_bps, from->bandwidth_bps));
		out->bandwidth_bps =
			fmax(out->bandwidth_bps, to->bandwidth_bps);
		in->bandwidth_bps =
			fmax(in->bandwidth_bps, from->bandwidth_bps);
	}
}

void replay_prepare_links(struct replay *s)
{
	for (int n = 0; n < s->place->nodes_count; n++)
		node_prepare(s, n);
}

static bool is_out(const struct replay *s, int port)
{
	return port < s->place->nodes_count;
}

static struct service *service_of(const struct replay *s, int port, int slot)
{
	return is_out(s, port) ? &s->sent[slot].out : &s->sent[slot].in;
}

/* Two skew heaps as one.  With equal services the smaller slot comes first. */
static int merge(const struct replay *s, int port, int a, int b)
{
	int root = -1, *at = &root;

	while (a >= 0 && b >= 0) {
		struct service *first = service_of(s, port, a);
		const struct service *second = service_of(s, port, b);

		if (second->done < first->done ||
		    (second->done == first->done && b < a)) {
			int other = a;

			a = b;
			b = other;
			first = service_of(s, port, a);
		}
		*at = a;
		a = first->right;
		first->right = first->left;
		at = &first->left;
	}
	*at = a >= 0 ? a : b;
	return root;
}

/* Find when the port's next service is done, after a change at s->now. */
static void port_find_next(struct replay *s, int p)
{
	const struct replayed_port *port = &s->ports[p];
	double next = REPLAY_UNKNOWN;

	if (port->count) {
		double left = service_of(s, p, port->first)->done - port->V;

		next = s->now +
		       fmax(left, 0) * port->count / port->bandwidth_bps;
	}
	rank_heap_change(&s->next, s->trace->ranks + s->place->nodes_count + p,
			 next);
}

static void port_take(struct replay *s, int p, int slot, uint64_t bytes)
{
	struct replayed_port *port = &s->ports[p];

	if (port->count)
		port->V += (s->now - port->time) * port->bandwidth_bps /
			   port->count;
	else
		port->V = 0;
	port->time = s->now;
	*service_of(s, p, slot) =
		(struct service){ port->V + (double)bytes, -1, -1 };
	port->first = merge(s, p, port->first, slot);
	port->count++;
	port_find_next(s, p);
}

void replay_serve(struct replay *s, int p)
{
	struct replayed_port *port = &s->ports[p];
	int slot = port->first;
	const struct service *service = service_of(s, p, slot);
	struct sent *sent = &s->sent[slot];

	port->V = service->done; /* exactly */
	port->time = s->now;
	port->first = merge(s, p, service->left, service->right);
	port->count--;
	port_find_next(s, p);
	if (--sent->serving)
		return;

	int to = s->place->node[s->trace->events[sent->send].peer];
	int from =
		s->place->node[s->trace->events[s->trace->partner[sent->send]]
				       .peer];

	sent->arrival =
		fmax(sent->earliest, s->now + link_of(s, from, to)->latency_s);
	replay_arrive(s, sent);
}

void replay_send(struct replay *s, struct sent *sent)
{
	const struct trace_event *e = &s->trace->events[sent->send];
	const struct trace_event *receive =
		&s->trace->events[s->trace->partner[sent->send]];
	int from = s->place->node[receive->peer], to = s->place->node[e->peer];
	const struct replay_link *link = link_of(s, from, to);
	int slot = s->slot[sent->send];

	sent->leaves = true;
	sent->earliest = s->now + link->latency_s +
			 (double)e->bytes / link->bandwidth_bps;
	if (from == to || !e->bytes || isinf(link->bandwidth_bps)) {
		sent->arrival = sent->earliest;
		replay_arrive(s, sent);
		return;
	}
	sent->serving = 2;
	port_take(s, from, slot, e->bytes);
	port_take(s, port_in(s, to), slot, e->bytes);
}
