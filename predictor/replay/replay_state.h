/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_state.h - a replay on its way
 *
 * Each node has a virtual clock V: the work that any rank computing there has
 * done.  It goes at speed * min(1, cores / ranks that compete), and a rank that
 * begins w of work at V is done at V + w, whichever ranks come and go
 * meanwhile.  The next thing to happen is the earliest of all nodes' first
 * ranks, and of all waiting ranks whose message is on its way: both are heaps.
 */
#pragma once

#include <math.h>

#include "predictor/replay/open_order.h"
#include "predictor/replay/rank_heap.h"
#include "predictor/replay/trace_replay.h"
#include "predictor/trace/procedure_path.h"

#define REPLAY_UNKNOWN HUGE_VAL

/* A message's service by a port: a node of the port's heap. */
struct service {
	double done;     /* by the port's clock */
	int left, right; /* slots, or -1 */
};

/* A message that was sent and not yet received. */
struct sent {
	int send;               /* event */
	double time;            /* of the send */
	bool leaves;            /* no longer waits for its receive */
	double arrival;         /* REPLAY_UNKNOWN: waits or is on its way */
	double earliest;        /* arrival, by its link alone */
	struct service out, in; /* of its nodes' ports */
	int serving;            /* ports that are not done with it */
	double zeroed;
	struct procedure_message message;
	int next_free;
};

/* A node's way to or from the network, which all its messages share; its clock
 * V counts bytes that each message under way was served. */
struct replayed_port {
	double bandwidth_bps; /* of its fastest link */
	double V;
	double time; /* of V */
	int count;   /* of messages */
	int first;   /* slot; of a skew heap by `done` */
};

struct replayed_rank {
	int event;     /* in the matched trace */
	int section;   /* of the block that it is in; -1: of none */
	bool computes; /* else it waits or has ended */
	bool ended;
	bool chooses;    /* waits for the first message of its section */
	bool takes_turn; /* spins: its wait is over, but it has no CPU */
	int cause;       /* of its wait: an event, or -1 */
	double work_s;   /* that it computes */
	double procedure_s;
	double begin; /* of the work */
	double waits_from;
	double clock; /* work done */
	double zeroed;
	struct procedure_path moved;
};

struct replayed_node {
	double V;
	double time; /* of V */
	int there;   /* ranks */
	int competing;
	int in_group; /* ranks; only while a collective's time is computed */
	/* The slowest to or from another node with ranks, each at its worst. */
	struct replay_link out;
	struct rank_heap ranks; /* that compute, by V at which they are done */
};

struct replayed_collective {
	int arrived;  /* ranks that have called it */
	int last;     /* event of the last of these */
	double end_s; /* when all have arrived */
	double bytes;
	bool to_each, combined;
	double original, zeroed, moved;
};

struct replay {
	const struct matched_trace *trace;
	const struct replay_placement *place;
	struct rank_result *results;
	struct replay_step *steps; /* or NULL */
	struct replayed_rank *ranks;
	struct replayed_node *nodes;
	struct replayed_collective *collectives;
	struct open_order order;
	/* Ranks that wait, then nodes where some compute, then ports that
	 * serve a message: each node's to the network, each one's from it.
	 * By time. */
	struct rank_heap next;
	struct replayed_port *ports;
	int *slot; /* [events]: of a message in `sent`, or -1 */
	struct sent *sent;
	int sent_count;
	int sent_size;
	int sent_free; /* -1: none */
	double now;
	double stretch_begin;
	double more_s; /* of stretches that were not recorded */
};

/* --- replay_nodes.c: who computes ----------------------------------------- */

/* A node's clock up to now; after a change, when its first rank is done. */
void replay_node_advance(struct replay *s, int n);
void replay_node_find_next(struct replay *s, int n);

/* A rank begins work; its work is done. */
void replay_compute(struct replay *s, int r, double work_s, double procedure_s);
void replay_stop(struct replay *s, int r);

/* A rank that waits does so until then. */
void replay_wake(struct replay *s, int r, double time);

/* --- replay_collectives.c ------------------------------------------------- */

/* The rank calls a collective, or waits for one that it began. */
void replay_join(struct replay *s, int r);
void replay_wait(struct replay *s, int r);

/* What a rank gets of the others when its collective has ended. */
void replay_take_paths(struct replay *s, int r, int collective);

/* A stretch of that level ends: the time of those that it stands for,
 * so far. */
double replay_stretch_more(struct replay *s, double end, int level);

/* --- replay_messages.c: what is on its way -------------------------------- */

/* Once all ranks have a place: ports, and nodes' slowest links. */
void replay_prepare_links(struct replay *s);

/* Return the message of an event that sends; NULL if it is not sent yet, or
 * already received. */
struct sent *replay_message(const struct replay *s, int send);

/* NULL without memory. */
struct sent *replay_add_message(struct replay *s, int send);
void replay_drop_message(struct replay *s, int send);

/* Send a message that leaves now: replay_arrive() is called when its
 * arrival is known, at once or by replay_serve(), which is for the port
 * whose turn it is. */
void replay_send(struct replay *s, struct sent *sent);
void replay_serve(struct replay *s, int port);

/* --- replay_calls.c ------------------------------------------------------- */

void replay_arrive(struct replay *s, const struct sent *sent);

/* The rank calls its event; without memory it fails. */
int replay_call(struct replay *s, int r, struct sp_error *err);

/* What it chose is there, or about to be sent. */
void replay_take(struct replay *s, int r);

/* Record that the rank's event is over. */
void replay_record(const struct replay *s, int r);
