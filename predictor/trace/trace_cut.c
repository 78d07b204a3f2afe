/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_cut.c - what of a trace without its end can be replayed
 *
 * The k-th send of a key is paired with its k-th receive as far as there are
 * both, and the k-th collectives of a communicator's ranks.  Then all ranks go
 * on as long as one can, without a clock: sends and what begins always, a
 * receive after its send, a collective when all are there, or have begun it.
 * Where they stand then, they are cut.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/trace_begun.h"
#include "predictor/trace/trace_cut.h"
#include "predictor/trace/trace_endpoints.h"

struct cutting {
	int ranks;
	int *first;   /* [ranks + 1] */
	int *at;      /* [ranks]: event where a rank stands */
	bool *waits;  /* [ranks]: counted at its collective */
	int *partner; /* [events]: event, or k-th collective, or -1 */
	int *missing; /* [collectives]: ranks not there yet */
	struct trace_event *events; /* [events]: a copy */
	struct trace_endpoint *a, *b;
};

/* --- Pairs ---------------------------------------------------------------- */

static void pair_messages(struct cutting *c)
{
	int sent = trace_endpoints_list(c->events, c->first, c->ranks,
					TRACE_SENDS, c->a);
	int received = trace_endpoints_list(c->events, c->first, c->ranks,
					    TRACE_RECEIVES, c->b);

	for (int i = 0, k = 0; i < sent && k < received;) {
		int order = trace_endpoint_compare(&c->a[i], &c->b[k]);

		if (!order) {
			c->partner[c->a[i].index] = c->b[k].index;
			c->partner[c->b[k].index] = c->a[i].index;
		}
		i += order <= 0;
		k += order >= 0;
	}
}

/* Slot base + k is the k-th collective of a communicator. */
static void pair_collectives(struct cutting *c)
{
	int n = trace_endpoints_list(c->events, c->first, c->ranks,
				     TRACE_COLLECTIVES, c->a);
	int base = 0;

	for (int i = 0; i < n;) {
		int begin = i, members = 0, most = 0;

		while (i < n && c->a[i].key[0] == c->a[begin].key[0]) {
			int k = 0;

			for (int r = i; i < n && !trace_endpoint_compare(
							 &c->a[i], &c->a[r]);
			     i++)
				c->partner[c->a[i].index] = base + k++;
			most = k > most ? k : most;
			members++;
		}
		for (int k = 0; k < most; k++)
			c->missing[base + k] = members;
		base += most;
	}
}

/* --- Going on ------------------------------------------------------------- */

static int rank_of_sender(const struct cutting *c, int receive)
{
	return c->events[receive].peer;
}

/* Return whether the rank is through its event. */
static bool can_pass(struct cutting *c, int r)
{
	int g = c->at[r];
	int partner = c->partner[g];

	switch (c->events[g].call) {
	case CALL_SEND:
	case CALL_ISEND:
		return true;
	case CALL_IALL:
		c->missing[partner]--;
		return true;
	case CALL_WAIT:
		return partner >= 0 && !c->missing[c->partner[partner]];
	case CALL_RECEIVE:
		return partner >= 0 && c->at[rank_of_sender(c, g)] > partner;
	case CALL_ALL:
		if (!c->waits[r])
			c->missing[partner]--;
		c->waits[r] = c->missing[partner] > 0;
		return !c->waits[r];
	case CALL_END:
	case CALL_GAP:
		break;
	}
	return false;
}

static int go_on(struct cutting *c, const struct work_limit *limit,
		 struct sp_error *err)
{
	unsigned steps = 0;

	for (bool moved = true; moved;) {
		moved = false;
		for (int r = 0; r < c->ranks; r++) {
			if (++steps % WORK_LIMIT_STEPS == 0 &&
			    work_limit_check(limit, err))
				return -1;
			for (; can_pass(c, r); c->at[r]++)
				moved = true;
		}
	}
	return 0;
}

/* --- The cut -------------------------------------------------------------- */

/* Return whether what began at an event that its rank passed has no
 * other side. */
static bool is_alone(const struct cutting *c, int g)
{
	const struct trace_event *e = &c->events[g];
	int partner = c->partner[g];

	if (e->call <= CALL_ISEND)
		return partner < 0 || partner >= c->at[e->peer];
	return e->call == CALL_IALL && c->missing[partner];
}

static int cut_rank(const struct cutting *c, int r, struct trace_event *out)
{
	double work_s = 0, procedure_s = 0; /* of what was left out */
	int count = 0;

	for (int g = c->first[r]; g <= c->at[r]; g++) {
		struct trace_event e = c->events[g];

		e.work_s += work_s;
		e.procedure_s += procedure_s;
		if (g < c->at[r] && is_alone(c, g)) {
			work_s = e.work_s;
			procedure_s = e.procedure_s;
			continue;
		}
		work_s = procedure_s = 0;
		if (g == c->at[r])
			e = (struct trace_event){ .work_s = e.work_s,
						  .procedure_s = e.procedure_s,
						  .call = CALL_END,
						  .level = e.level };
		out[count++] = e;
	}
	return count;
}

static void cutting_clear(struct cutting *c)
{
	free(c->first);
	free(c->at);
	free(c->waits);
	free(c->partner);
	free(c->missing);
	free(c->events);
	free(c->a);
	free(c->b);
}

static int cutting_init(struct cutting *c, int ranks,
			struct trace_event *const events[], const int counts[])
{
	size_t total = 1;

	for (int r = 0; r < ranks; r++)
		total += (size_t)counts[r];
	*c = (struct cutting){
		.ranks = ranks,
		.first = calloc((size_t)ranks + 1, sizeof(*c->first)),
		.at = calloc((size_t)ranks, sizeof(*c->at)),
		.waits = calloc((size_t)ranks, sizeof(*c->waits)),
		.partner = malloc(total * sizeof(*c->partner)),
		.missing = calloc(total, sizeof(*c->missing)),
		.events = malloc(total * sizeof(*c->events)),
		.a = malloc(total * sizeof(*c->a)),
		.b = malloc(total * sizeof(*c->b)),
	};
	if (!c->first || !c->at || !c->waits || !c->partner || !c->missing ||
	    !c->events || !c->a || !c->b)
		return -1;
	for (int r = 0; r < ranks; r++) {
		c->at[r] = c->first[r];
		c->first[r + 1] = c->first[r] + counts[r];
		memcpy(c->events + c->first[r], events[r],
		       (size_t)counts[r] * sizeof(*c->events));
	}
	for (size_t g = 0; g < total; g++)
		c->partner[g] = -1;
	return 0;
}

int trace_cut(int ranks, struct trace_event *const events[], int counts[],
	      const struct work_limit *limit, struct sp_error *err)
{
	struct cutting c;

	if (cutting_init(&c, ranks, events, counts) ||
	    trace_begun_pair(c.events, c.first, ranks, c.partner)) {
		cutting_clear(&c);
		return sp_error_set(err, "out of memory for a trace");
	}
	pair_messages(&c);
	pair_collectives(&c);

	int rc = go_on(&c, limit, err);

	for (int r = 0; !rc && r < ranks; r++)
		counts[r] = cut_rank(&c, r, events[r]);
	cutting_clear(&c);
	return rc;
}
