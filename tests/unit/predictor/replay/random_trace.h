/* SPDX-License-Identifier: GPL-2.0-or-later */
/* random_trace.h - a program of random messages and collectives
 *
 * Calls are made in one order for all ranks, so that no ranks wait for each
 * other, however sends wait.  `order` has the ranks of that order.
 */
#pragma once

#include <stdlib.h>

#include "predictor/trace/matched_trace.h"
#include "tests/unit/random.h"

struct random_trace {
	struct trace trace;
	int *counts;
	struct trace_event **events;
	int *order;
	int order_count;
};

static inline void random_trace_add(struct random_trace *t, int rank,
				    struct random *random,
				    struct trace_event event)
{
	event.work_s = 1e-3 * random_unit(random);
	if (random_below(random, 3) == 0)
		event.procedure_s = event.work_s * random_unit(random);
	t->events[rank][t->counts[rank]++] = event;
	t->order[t->order_count++] = rank;
}

static inline void random_trace_add_all(struct random_trace *t, int ranks,
					struct random *random,
					struct trace_event event)
{
	for (int r = 0; r < ranks; r++)
		random_trace_add(t, r, random, event);
}

/* For each 40 messages two collectives begin, and ranks wait for them in
 * different orders. */
static inline void random_trace_add_begun(struct random_trace *t, int ranks,
					  int message, struct random *random)
{
	struct trace_event e = { .bytes = random_below(random, 9000),
				 .comm = 7,
				 .call = CALL_IALL };

	if (message % 40 == 9 || message % 40 == 19) {
		e.peer = message % 40;
		e.to_each = message % 40 == 19;
		random_trace_add_all(t, ranks, random, e);
	}
	e = (struct trace_event){ .call = CALL_WAIT };
	for (int r = 0; message % 40 == 33 && r < 2 * ranks; r++) {
		e.peer = (r % ranks + r / ranks) % 2 ? 9 : 19;
		random_trace_add(t, r % ranks, random, e);
	}
}

/* `messages` messages, a collective after each 40th; and others that do not
 * block. */
static inline void random_trace_make(struct random_trace *t, int ranks,
				     int messages, bool begun,
				     struct random *random)
{
	int most = 2 * messages + 5 * (messages / 40 + 1) + 1;

	*t = (struct random_trace){ 0 };
	t->counts = calloc(ranks, sizeof(*t->counts));
	t->events = calloc(ranks, sizeof(*t->events));
	t->order = calloc((size_t)most * ranks, sizeof(*t->order));
	for (int r = 0; r < ranks; r++)
		t->events[r] = calloc(most, sizeof(**t->events));
	for (int i = 0; i < messages; i++) {
		int from = random_below(random, ranks);
		int to = (from + 1 + random_below(random, ranks - 1)) % ranks;
		struct trace_event e = {
			.bytes = random_below(random, 9000),
			.tag = random_below(random, 3),
			.comm = 7,
		};

		e.peer = to;
		e.call = random_below(random, 2) ? CALL_SEND : CALL_ISEND;
		random_trace_add(t, from, random, e);
		e.peer = from;
		e.call = CALL_RECEIVE;
		random_trace_add(t, to, random, e);
		e.call = CALL_ALL;
		if (i % 40 == 39)
			random_trace_add_all(t, ranks, random, e);
		if (begun)
			random_trace_add_begun(t, ranks, i, random);
	}
	random_trace_add_all(t, ranks, random,
			     (struct trace_event){ .call = CALL_END });
	t->trace =
		(struct trace){ ranks, t->counts,
				(const struct trace_event *const *)t->events };
}

static inline void random_trace_fill(struct random_trace *t, int ranks,
				     int messages, struct random *random)
{
	random_trace_make(t, ranks, messages, false, random);
}

static inline void random_trace_free(struct random_trace *t)
{
	for (int r = 0; r < t->trace.ranks; r++)
		free(t->events[r]);
	free(t->events);
	free(t->counts);
	free(t->order);
}
