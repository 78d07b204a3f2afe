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

#include "predictor/trace/trace_cut.h"
#include "predictor/trace/trace_pairs.h"

struct cutting {
	struct trace trace;
	int *first;   /* [ranks + 1] */
	int *at;      /* [ranks]: event of the rank where it stands */
	bool *waits;  /* [ranks]: counted at its collective */
	int *partner; /* [events]: event, or k-th collective, or -1 */
	int *missing; /* [collectives]: ranks not there yet */
};

/* --- Pairs ---------------------------------------------------------------- */

/* Slot base + k is the k-th collective of a communicator. */
static int pair_collectives(struct cutting *c)
{
	struct trace_collective *all;
	int n = trace_collectives_list(&c->trace, c->first, &all);
	int base = 0;

	c->missing = n < 0 ? NULL : calloc((size_t)n + 1, sizeof(int));
	for (int i = 0; c->missing && i < n;) {
		int begin = i, members = 0, most = 0;

		while (i < n && all[i].comm == all[begin].comm) {
			int k = 0;

			for (int rank = all[i].rank;
			     i < n && all[i].comm == all[begin].comm &&
			     all[i].rank == rank;
			     i++)
				c->partner[all[i].event] = base + k++;
			most = k > most ? k : most;
			members++;
		}
		for (int k = 0; k < most; k++)
			c->missing[base + k] = members;
		base += most;
	}
	free(n < 0 ? NULL : all);
	return c->missing ? 0 : -1;
}

/* --- Going on ------------------------------------------------------------- */

/* Return whether the rank is through its event. */
static bool can_pass(struct cutting *c, int r)
{
	const struct trace_event *e = &c->trace.events[r][c->at[r]];
	int partner = c->partner[c->first[r] + c->at[r]];

	switch (e->call) {
	case CALL_SEND:
	case CALL_ISEND:
		return true;
	case CALL_IALL:
		c->missing[partner]--;
		return true;
	case CALL_WAIT:
		return partner >= 0 && !c->missing[c->partner[partner]];
	case CALL_RECEIVE:
		return partner >= 0 &&
		       c->first[e->peer] + c->at[e->peer] > partner;
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
		for (int r = 0; r < c->trace.ranks; r++) {
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

/* Return whether what rank r began at event i, which it passed, has no other
 * side. */
static bool is_alone(const struct cutting *c, int r, int i)
{
	const struct trace_event *e = &c->trace.events[r][i];
	int partner = c->partner[c->first[r] + i];

	if (e->call <= CALL_ISEND)
		return partner < 0 ||
		       partner >= c->first[e->peer] + c->at[e->peer];
	return e->call == CALL_IALL && c->missing[partner];
}

/* In place: no event is written behind where the next one is read. */
static int cut_rank(const struct cutting *c, int r, struct trace_event *out)
{
	double work_s = 0, procedure_s = 0; /* of what was left out */
	int count = 0;

	for (int i = 0; i <= c->at[r]; i++) {
		struct trace_event e = c->trace.events[r][i];

		e.work_s += work_s;
		e.procedure_s += procedure_s;
		if (i < c->at[r] && is_alone(c, r, i)) {
			work_s = e.work_s;
			procedure_s = e.procedure_s;
			continue;
		}
		work_s = procedure_s = 0;
		if (i == c->at[r])
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
}

static int cutting_init(struct cutting *c, int ranks,
			struct trace_event *const events[], const int counts[])
{
	*c = (struct cutting){
		.trace = { ranks, counts,
			   (const struct trace_event *const *)events },
		.first = calloc((size_t)ranks + 1, sizeof(*c->first)),
		.at = calloc((size_t)ranks, sizeof(*c->at)),
		.waits = calloc((size_t)ranks, sizeof(*c->waits)),
	};
	if (!c->first || !c->at || !c->waits)
		return -1;
	for (int r = 0; r < ranks; r++)
		c->first[r + 1] = c->first[r] + counts[r];
	c->partner = calloc((size_t)c->first[ranks] + 1, sizeof(*c->partner));
	return !c->partner ||
			       trace_pairs_find(&c->trace, c->first,
						c->partner) ||
			       pair_collectives(c)
		       ? -1
		       : 0;
}

int trace_cut(int ranks, struct trace_event *const events[], int counts[],
	      const struct work_limit *limit, struct sp_error *err)
{
	struct cutting c;
	int rc = cutting_init(&c, ranks, events, counts)
			 ? sp_error_set(err, "out of memory for a trace")
			 : go_on(&c, limit, err);

	for (int r = 0; !rc && r < ranks; r++)
		counts[r] = cut_rank(&c, r, events[r]);
	cutting_clear(&c);
	return rc;
}
