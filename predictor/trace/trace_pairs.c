/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_pairs.c - which event of a trace belongs to which other one
 *
 * Each rank's sends and receives are sorted by peer, communicator and tag.  In
 * the order of the senders, each receiver's list is then passed once.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/trace/trace_pairs.h"

/* --- Messages ------------------------------------------------------------- */

/* Events of each rank, in its list's part from first[rank] on. */
struct lists {
	int *sends, *receives;
	int *sends_count, *next; /* [ranks]; next receive */
	int *receives_end;       /* [ranks] */
};

static int compare_keys(int peer, const struct trace_event *x, int other_peer,
			const struct trace_event *y)
{
	return COMPARE(peer, other_peer)
		       ?: COMPARE(x->comm, y->comm)
		       ?: COMPARE(x->tag, y->tag);
}

static int compare_events(const void *a, const void *b, void *events)
{
	const struct trace_event *x = (struct trace_event *)events + *(int *)a;
	const struct trace_event *y = (struct trace_event *)events + *(int *)b;

	return compare_keys(x->peer, x, y->peer, y) ?: COMPARE(x, y);
}

/* Both lists of a rank fit into as many places as it has events. */
static void list_rank(const struct trace *trace, const int first[], int r,
		      struct lists *l)
{
	const struct trace_event *events = trace->events[r];
	int *sends = l->sends + first[r];
	int *receives = l->receives + first[r];
	int sent = 0, received = 0;

	for (int i = 0; i < trace->counts[r]; i++)
		if (events[i].call <= CALL_ISEND)
			sends[sent++] = i;
		else if (events[i].call == CALL_RECEIVE)
			receives[received++] = i;
	qsort_r(sends, sent, sizeof(*sends), compare_events, (void *)events);
	qsort_r(receives, received, sizeof(*receives), compare_events,
		(void *)events);
	l->sends_count[r] = sent;
	l->next[r] = first[r];
	l->receives_end[r] = first[r] + received;
}

/* Find the receive of event i of rank r; -1: there is none. */
static int take_receive(const struct trace *trace, const int first[],
			struct lists *l, int r, int i)
{
	const struct trace_event *send = &trace->events[r][i];
	int to = send->peer;

	while (l->next[to] < l->receives_end[to]) {
		int k = l->receives[l->next[to]];
		const struct trace_event *receive = &trace->events[to][k];
		int order = compare_keys(receive->peer, receive, r, send);

		if (order > 0)
			break;
		l->next[to]++;
		if (!order)
			return first[to] + k;
	}
	return -1;
}

static void pair_messages(const struct trace *trace, const int first[],
			  struct lists *l, int partner[])
{
	for (int r = 0; r < trace->ranks; r++) {
		list_rank(trace, first, r, l);
		for (int i = first[r]; i < l->receives_end[r]; i++)
			partner[first[r] + l->receives[i]] = -1;
	}
	for (int r = 0; r < trace->ranks; r++)
		for (int i = 0; i < l->sends_count[r]; i++) {
			int sent = l->sends[first[r] + i];
			int to = take_receive(trace, first, l, r, sent);

			partner[first[r] + sent] = to;
			if (to >= 0)
				partner[to] = first[r] + sent;
		}
}

/* --- Collectives that do not block ---------------------------------------- */

static int most_requests(const struct trace *trace)
{
	int most = 0;

	for (int r = 0; r < trace->ranks; r++)
		for (int i = 0; i < trace->counts[r]; i++) {
			const struct trace_event *e = &trace->events[r][i];

			if ((e->call == CALL_IALL || e->call == CALL_WAIT) &&
			    e->peer >= most)
				most = e->peer + 1;
		}
	return most;
}

/* begun[] holds the numbers of events, by request. */
static void pair_waits(const struct trace *trace, const int first[],
		       int begun[], int partner[])
{
	for (int r = 0; r < trace->ranks; r++)
		for (int i = 0; i < trace->counts[r]; i++) {
			const struct trace_event *e = &trace->events[r][i];

			if (e->call == CALL_IALL) {
				begun[e->peer] = first[r] + i;
			} else if (e->call == CALL_WAIT) {
				/* Not one of the ranks before. */
				partner[first[r] + i] =
					begun[e->peer] >= first[r]
						? begun[e->peer]
						: -1;
				begun[e->peer] = -1;
			}
		}
}

int trace_pairs_find(const struct trace *trace, const int first[],
		     int partner[])
{
	size_t ranks = (size_t)trace->ranks + 1;
	size_t events = (size_t)first[trace->ranks] + 1;
	int requests = most_requests(trace);
	struct lists l = {
		.sends = malloc(events * sizeof(*l.sends)),
		.receives = malloc(events * sizeof(*l.receives)),
		.sends_count = malloc(ranks * sizeof(*l.sends_count)),
		.next = malloc(ranks * sizeof(*l.next)),
		.receives_end = malloc(ranks * sizeof(*l.receives_end)),
	};
	int *begun = malloc(((size_t)requests + 1) * sizeof(*begun));
	int rc = -1;

	if (l.sends && l.receives && l.sends_count && l.next &&
	    l.receives_end && begun) {
		memset(begun, -1, (size_t)requests * sizeof(*begun));
		pair_messages(trace, first, &l, partner);
		pair_waits(trace, first, begun, partner);
		rc = 0;
	}
	free(l.sends);
	free(l.receives);
	free(l.sends_count);
	free(l.next);
	free(l.receives_end);
	free(begun);
	return rc;
}

/* --- Collectives ---------------------------------------------------------- */

COMPARE_BY_BOTH(compare_collectives, struct trace_collective, comm, event)

/* With list == NULL: count them. */
static int fill_collectives(const struct trace *trace, const int first[],
			    struct trace_collective *list)
{
	int n = 0;

	for (int r = 0; r < trace->ranks; r++)
		for (int i = 0; i < trace->counts[r]; i++) {
			const struct trace_event *e = &trace->events[r][i];

			if (e->call != CALL_ALL && e->call != CALL_IALL)
				continue;
			if (list)
				list[n] = (struct trace_collective){
					e->comm, r, first[r] + i
				};
			n++;
		}
	return n;
}

int trace_collectives_list(const struct trace *trace, const int first[],
			   struct trace_collective **ret)
{
	int count = fill_collectives(trace, first, NULL);

	*ret = malloc(((size_t)count + 1) * sizeof(**ret));
	if (!*ret)
		return -1;
	fill_collectives(trace, first, *ret);
	qsort(*ret, count, sizeof(**ret), compare_collectives);
	return count;
}
