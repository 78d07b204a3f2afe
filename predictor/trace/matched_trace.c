/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matched_trace.c - which send fed which receive
 *
 * All sends and all receives are sorted by (from, to, communicator, tag,
 * order), and must then be equal side by side.  Collectives are sorted by
 * (communicator, rank, order); each communicator is a group.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/matched_trace.h"
#include "predictor/trace/trace_begun.h"
#include "predictor/trace/trace_endpoints.h"

static int check_event(const struct trace *trace, int rank, int i,
		       struct sp_error *err)
{
	const struct trace_event *e = &trace->events[rank][i];
	bool message = e->call <= CALL_RECEIVE;
	bool request = e->call == CALL_IALL || e->call == CALL_WAIT;

	if (!(e->work_s >= 0 && isfinite(e->work_s)) ||
	    !(e->procedure_s >= 0 && e->procedure_s <= e->work_s))
		return sp_error_set(err, "rank %d, event %d: bad work", rank,
				    i);
	if (e->call == CALL_GAP || e->call > CALL_WAIT ||
	    (message && (e->peer < 0 || e->peer >= trace->ranks)) ||
	    (request && (e->peer < 0 || e->peer >= TRACE_REQUESTS_MAX)))
		return sp_error_set(err, "rank %d, event %d: bad call or peer",
				    rank, i);
	if ((e->wildcard || e->asked) && e->call != CALL_RECEIVE)
		return sp_error_set(err,
				    "rank %d, event %d: only receives have"
				    " wildcards, or are asked for",
				    rank, i);
	if ((e->call == CALL_END) != (i == trace->counts[rank] - 1))
		return sp_error_set(err, "rank %d: %s", rank,
				    e->call == CALL_END ? "goes on after end"
							: "has no end");
	return 0;
}

static int check_trace(const struct trace *trace, struct sp_error *err)
{
	int64_t total = 0;

	if (trace->ranks < 1 || trace->ranks > TRACE_RANKS_MAX)
		return sp_error_set(err, "%d ranks: not from 1 to %d",
				    trace->ranks, TRACE_RANKS_MAX);
	for (int r = 0; r < trace->ranks; r++) {
		if (trace->counts[r] < 1)
			return sp_error_set(err, "rank %d: no events", r);
		total += trace->counts[r];
		if (total > TRACE_EVENTS_MAX)
			return sp_error_set(err, "more than %d events",
					    TRACE_EVENTS_MAX);
	}
	for (int r = 0; r < trace->ranks; r++)
		for (int i = 0; i < trace->counts[r]; i++)
			if (check_event(trace, r, i, err))
				return -1;
	return 0;
}

static int match_messages(struct matched_trace *m, struct trace_endpoint *sends,
			  struct trace_endpoint *receives, struct sp_error *err)
{
	int sent = trace_endpoints_list(m->events, m->first, m->ranks,
					TRACE_SENDS, sends);
	int received = trace_endpoints_list(m->events, m->first, m->ranks,
					    TRACE_RECEIVES, receives);

	for (int i = 0; i < sent || i < received; i++) {
		if (i >= sent || i >= received ||
		    trace_endpoint_compare(&sends[i], &receives[i])) {
			const struct trace_endpoint *e =
				i < sent ? &sends[i] : &receives[i];

			return sp_error_set(err,
					    "a message from rank %d to %d"
					    " was only sent or received",
					    e->key[0], e->key[1]);
		}
		m->partner[sends[i].index] = receives[i].index;
		m->partner[receives[i].index] = sends[i].index;
		if (m->events[receives[i].index].asked)
			m->events[sends[i].index].call = CALL_ISEND;
	}
	return 0;
}

/* A group for each communicator; each member has called as often. */
static int match_collectives(struct matched_trace *m,
			     struct trace_endpoint *all, struct sp_error *err)
{
	int n = trace_endpoints_list(m->events, m->first, m->ranks,
				     TRACE_COLLECTIVES, all);
	int base = 0;  /* first collective of the group */
	int calls = 0; /* of its first member */

	for (int i = 0; i < n;) {
		bool new_group = !i || all[i - 1].key[0] != all[i].key[0];
		int end = i;

		if (new_group) {
			base = m->collectives;
			m->members[m->groups + 1] = m->members[m->groups];
			m->groups++;
		}
		for (; end < n && !trace_endpoint_compare(&all[end], &all[i]);
		     end++)
			m->partner[all[end].index] = base + end - i;
		if (new_group) {
			calls = end - i;
			while (m->collectives < base + calls)
				m->group[m->collectives++] = m->groups - 1;
		} else if (end - i != calls) {
			return sp_error_set(err,
					    "communicator %d: rank %d has"
					    " %d collectives, not %d",
					    all[i].key[0], all[i].key[1],
					    end - i, calls);
		}
		m->member[m->members[m->groups]++] = all[i].key[1];
		i = end;
	}
	return 0;
}

static int match_waits(struct matched_trace *m, struct sp_error *err)
{
	if (trace_begun_pair(m->events, m->first, m->ranks, m->partner))
		return sp_error_set(err, "out of memory for a trace");
	for (int r = 0; r < m->ranks; r++)
		for (int g = m->first[r]; g < m->first[r + 1]; g++)
			if (m->events[g].call == CALL_WAIT && m->partner[g] < 0)
				return sp_error_set(err,
						    "rank %d, event %d: waits"
						    " for a collective that"
						    " had not begun",
						    r, g - m->first[r]);
	return 0;
}

static bool reserve(struct matched_trace *m)
{
	size_t room = (size_t)m->count + 2; /* it may have no events */

	m->first = calloc((size_t)m->ranks + 1, sizeof(*m->first));
	m->partner = calloc(room, sizeof(*m->partner));
	m->group = calloc(room, sizeof(*m->group));
	m->members = calloc(room, sizeof(*m->members));
	m->member = calloc(room, sizeof(*m->member));
	m->events = calloc(room, sizeof(*m->events));
	return m->first && m->partner && m->group && m->members && m->member &&
	       m->events;
}

struct matched_trace *matched_trace_create(const struct trace *trace,
					   struct trace_event *owned[],
					   struct sp_error *err)
{
	if (check_trace(trace, err))
		return NULL;

	struct matched_trace *m = calloc(1, sizeof(*m));
	struct trace_endpoint *a = NULL;
	struct trace_endpoint *b = NULL;
	bool done = false;

	if (!m)
		goto out;
	m->ranks = trace->ranks;
	for (int r = 0; r < trace->ranks; r++)
		m->count += trace->counts[r];

	a = calloc((size_t)m->count + 1, sizeof(*a));
	b = calloc((size_t)m->count + 1, sizeof(*b));
	if (!reserve(m) || !a || !b)
		goto out;
	for (int r = 0; r < m->ranks; r++) {
		m->first[r + 1] = m->first[r] + trace->counts[r];
		for (int i = 0; i < trace->counts[r]; i++)
			m->events[m->first[r] + i] = trace->events[r][i];
		if (owned) {
			free(owned[r]);
			owned[r] = NULL;
		}
	}
	done = true;
	if (match_messages(m, a, b, err) || match_collectives(m, a, err) ||
	    match_waits(m, err)) {
		matched_trace_destroy(m);
		m = NULL;
	}
out:
	if (!done) {
		sp_error_set(err, "out of memory for a trace");
		matched_trace_destroy(m);
		m = NULL;
	}
	free(a);
	free(b);
	return m;
}

static void *copy_of(const void *data, size_t size)
{
	void *copy = malloc(size);

	if (copy)
		memcpy(copy, data, size);
	return copy;
}

struct matched_trace *matched_trace_copy(const struct matched_trace *m)
{
	struct matched_trace *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *m;
	copy->first = copy_of(m->first, (m->ranks + 1) * sizeof(int));
	copy->partner = copy_of(m->partner, m->count * sizeof(int));
	copy->group = copy_of(m->group, (m->collectives + 1) * sizeof(int));
	copy->members = copy_of(m->members, (m->groups + 1) * sizeof(int));
	copy->member =
		copy_of(m->member, (m->members[m->groups] + 1) * sizeof(int));
	copy->events = copy_of(m->events, m->count * sizeof(*m->events));
	if (!copy->first || !copy->partner || !copy->group || !copy->members ||
	    !copy->member || !copy->events) {
		matched_trace_destroy(copy);
		return NULL;
	}
	return copy;
}

void matched_trace_destroy(struct matched_trace *m)
{
	if (!m)
		return;
	free(m->first);
	free(m->partner);
	free(m->group);
	free(m->members);
	free(m->member);
	free(m->events);
	free(m);
}
