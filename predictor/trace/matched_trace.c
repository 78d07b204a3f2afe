/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matched_trace.c - which send fed which receive
 *
 * Each must have another side (trace_pairs.h).  Collectives are sorted by
 * (communicator, rank, order); each communicator is a group.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/matched_trace.h"
#include "predictor/trace/trace_pairs.h"

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

/* Fail if an event lacks its other side. */
static int check_pair(const struct trace *trace, int r, int i,
		      struct sp_error *err)
{
	const struct trace_event *e = &trace->events[r][i];

	if (e->call == CALL_WAIT)
		return sp_error_set(err,
				    "rank %d, event %d: waits for a collective"
				    " that had not begun",
				    r, i);
	if (e->call > CALL_RECEIVE)
		return 0;
	return sp_error_set(err,
			    "a message from rank %d to %d"
			    " was only sent or received",
			    e->call == CALL_RECEIVE ? e->peer : r,
			    e->call == CALL_RECEIVE ? r : e->peer);
}

static int match_pairs(struct matched_trace *m, const struct trace *trace,
		       struct sp_error *err)
{
	if (trace_pairs_find(trace, m->first, m->partner))
		return sp_error_set(err, "out of memory for a trace");
	for (int r = 0; r < m->ranks; r++)
		for (int i = 0; i < trace->counts[r]; i++)
			if (m->partner[m->first[r] + i] < 0 &&
			    check_pair(trace, r, i, err))
				return -1;
	return 0;
}

/* A group for each communicator; each member has called as often. */
static int group_collectives(struct matched_trace *m,
			     const struct trace_collective all[], int n,
			     struct sp_error *err)
{
	int base = 0;  /* first collective of the group */
	int calls = 0; /* of its first member */

	for (int i = 0; i < n;) {
		bool new_group = !i || all[i - 1].comm != all[i].comm;
		int end = i;

		if (new_group) {
			base = m->collectives;
			m->members[m->groups + 1] = m->members[m->groups];
			m->groups++;
		}
		for (; end < n && all[end].comm == all[i].comm &&
		       all[end].rank == all[i].rank;
		     end++)
			m->partner[all[end].event] = base + end - i;
		if (new_group) {
			calls = end - i;
			while (m->collectives < base + calls)
				m->group[m->collectives++] = m->groups - 1;
		} else if (end - i != calls) {
			return sp_error_set(err,
					    "communicator %d: rank %d has"
					    " %d collectives, not %d",
					    all[i].comm, all[i].rank, end - i,
					    calls);
		}
		m->member[m->members[m->groups]++] = all[i].rank;
		i = end;
	}
	return 0;
}

static int match_collectives(struct matched_trace *m, const struct trace *trace,
			     struct sp_error *err)
{
	struct trace_collective *all;
	int n = trace_collectives_list(trace, m->first, &all);

	if (n < 0)
		return sp_error_set(err, "out of memory for a trace");
	m->group = calloc((size_t)n + 1, sizeof(*m->group));
	m->members = calloc((size_t)n + 2, sizeof(*m->members));
	m->member = calloc((size_t)n + 1, sizeof(*m->member));

	int rc = m->group && m->members && m->member
			 ? group_collectives(m, all, n, err)
			 : sp_error_set(err, "out of memory for a trace");

	free(all);
	return rc;
}

/* Copy the events, once it is known what belongs together. */
static int take_events(struct matched_trace *m, const struct trace *trace,
		       struct trace_event *owned[], struct sp_error *err)
{
	m->events = calloc((size_t)m->count + 1, sizeof(*m->events));
	if (!m->events)
		return sp_error_set(err, "out of memory for a trace");
	for (int r = 0; r < m->ranks; r++) {
		memcpy(m->events + m->first[r], trace->events[r],
		       (size_t)trace->counts[r] * sizeof(*m->events));
		if (owned) {
			free(owned[r]);
			owned[r] = NULL;
		}
	}
	for (int g = 0; g < m->count; g++)
		if (m->events[g].asked)
			m->events[m->partner[g]].call = CALL_ISEND;
	return 0;
}

static int number_events(struct matched_trace *m, const struct trace *trace,
			 struct sp_error *err)
{
	m->ranks = trace->ranks;
	m->first = calloc((size_t)m->ranks + 1, sizeof(*m->first));
	for (int r = 0; m->first && r < m->ranks; r++)
		m->first[r + 1] = m->count += trace->counts[r];
	m->partner = calloc((size_t)m->count + 1, sizeof(*m->partner));
	return m->first && m->partner
		       ? 0
		       : sp_error_set(err, "out of memory for a trace");
}

struct matched_trace *matched_trace_create(const struct trace *trace,
					   struct trace_event *owned[],
					   struct sp_error *err)
{
	if (check_trace(trace, err))
		return NULL;

	struct matched_trace *m = calloc(1, sizeof(*m));

	if (!m)
		return sp_error_null(err, "out of memory for a trace");
	if (!number_events(m, trace, err) && !match_pairs(m, trace, err) &&
	    !match_collectives(m, trace, err) &&
	    !take_events(m, trace, owned, err))
		return m;
	matched_trace_destroy(m);
	return NULL;
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
