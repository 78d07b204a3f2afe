/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matched_trace.h - what each rank of a run did, and which send fed
 * which receive
 *
 * A rank is a list of events: work, then a call.  The k-th send of one rank to
 * another with a communicator and a tag feeds the k-th such receive, as MPI
 * orders them, so that no clocks of two nodes are compared.  Wildcards are
 * recorded with the source and tag that they got.  A non-blocking receive is
 * an event where it is waited for; its send, which may be long, then returns at
 * once, since the receiver was ready for it before.
 *
 * The k-th collectives of a communicator's ranks are one, whether they block or
 * not, as all call them in the same order.  One that does not block is two
 * events: where it begins, and where it is waited for.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "predictor/base/error.h"

#define TRACE_RANKS_MAX  4096
#define TRACE_EVENTS_MAX 100000000
/* Collectives of a rank that have begun, at a time. */
#define TRACE_REQUESTS_MAX 65536

/* In the order of FORMAT.md. */
enum trace_call {
	CALL_SEND,    /* returns when eager, or when received */
	CALL_ISEND,   /* returns at once */
	CALL_RECEIVE, /* returns when the message is here */
	CALL_ALL,     /* collective: returns when all have called it */
	CALL_END,     /* of the rank; the last event */
	/* Not a call: what came before was not recorded (trace_stretches.h). */
	CALL_GAP,
	CALL_IALL, /* collective: returns at once */
	/* Returns when all have called what this rank's CALL_IALL began. */
	CALL_WAIT,
};

static inline bool trace_call_is_collective(enum trace_call call)
{
	return call == CALL_ALL || call == CALL_IALL || call == CALL_WAIT;
}

struct trace_event {
	double work_s;      /* CPU time since the last call, >= 0 */
	double procedure_s; /* of it in the procedure, 0 <= .. <= work_s */
	/* Bytes of a message; of a collective all that its ranks have in the
	 * end, or what comes to this one, if it is to_each. */
	uint64_t bytes;
	/* Rank of the run; CALL_IALL and CALL_WAIT: number of the request, of
	 * no other of this rank that has begun; CALL_ALL: unused. */
	int32_t peer;
	int32_t tag, comm;
	enum trace_call call : 8; /* small: there are many events */
	bool wildcard : 1;        /* CALL_RECEIVE: any source would have done */
	bool asked : 1;           /* CALL_RECEIVE: does not block */
	/* CALL_ALL and CALL_IALL: each rank has something else for each; what
	 * all have in the end is combined of what all had. */
	bool to_each : 1;
	bool combined : 1;
	bool ends_stretch : 1; /* CALL_ALL: of all ranks, and blocks */
	bool unmeasured : 1;   /* what the procedure did is not known */
	/* Level of the stretch that this event ends, or CALL_GAP:
	 * that begins. */
	uint8_t level;
};

struct trace {
	int ranks;
	const int *counts;                       /* [ranks] */
	const struct trace_event *const *events; /* [ranks][counts[rank]] */
};

/* Events of all ranks in one array: event i of rank r is first[r] + i. */
struct matched_trace {
	int ranks;
	int count;
	int *first; /* [ranks + 1] */
	/* [count]: of sends and receives; CALL_ALL and CALL_IALL: their
	 * collective; CALL_WAIT: the event that began it. */
	int *partner;
	int collectives;
	int *group;   /* [collectives]: of the ranks that call it */
	int groups;   /* of ranks that call collectives together */
	int *members; /* [groups + 1]: begin of a group's ranks in member[] */
	int *member;
	/* [count], a copy, in which sends to those that asked are CALL_ISEND */
	struct trace_event *events;
};

/* NULL with *err set: out of memory, out of range, a message with one side
 * only, collectives that not all members called equally often, or a wait for
 * one that had not begun.  owned[ranks], if not NULL, are the trace's events,
 * each of which is freed, and NULL, once it was copied: there are many. */
struct matched_trace *matched_trace_create(const struct trace *trace,
					   struct trace_event *owned[],
					   struct sp_error *err);
/* NULL without memory. */
struct matched_trace *matched_trace_copy(const struct matched_trace *trace);
void matched_trace_destroy(struct matched_trace *trace); /* NULL is allowed */
