/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace_stretches.h - what of a sampled trace can be replayed
 *
 * A stretch goes from one blocking collective of all ranks to the next; all
 * ranks give them the same numbers, from 0 on, without a message.  A rank whose
 * file fills up records fewer of them: at level L those whose hashed number
 * ends in 2 L bits 0, one of 4^L.  So what a rank of a higher level has, one of
 * a lower level has, too, and what all have is a random sample.
 *
 * Messages must not cross into what was not recorded, as the k-th send of a key
 * is taken for that of the k-th receive.  Stretches in which the sends are not
 * those of the receives, or that begin with messages on their way, are left
 * out.  So are those with a collective that is waited for in another one.
 */
#pragma once

#include "predictor/base/hash_mix.h"
#include "predictor/trace/matched_trace.h"

/* Return whether a rank of that level records the stretch. */
static inline bool trace_stretch_is_recorded(uint64_t number, int level)
{
	return !(hash_mix(number + 1) & ((UINT64_C(1) << 2 * level) - 1));
}

/* Return how many stretches one of that level stands for. */
static inline double trace_stretch_weight(int level)
{
	return (double)(UINT64_C(1) << 2 * level);
}

/* What the event adds to the messages and collectives under way: 1, -1 or 0. */
static inline int trace_balance(const struct trace_event *e)
{
	if (e->call <= CALL_ISEND || e->call == CALL_IALL)
		return 1;
	return e->call == CALL_RECEIVE || e->call == CALL_WAIT ? -1 : 0;
}

bool trace_is_sampled(int ranks, struct trace_event *const events[],
		      const int counts[]);

/* In place, events[ranks][counts[rank]], each of which ends with CALL_END:
 * leaves the stretches that all ranks have, without gaps; each one's last event
 * has its level.  Where the beginning that all recorded is more than these, it
 * alone stays, without its end.  whole: no rank died.  -1 with *err set:
 * stretches out of order, or no memory. */
int trace_stretches_join(int ranks, struct trace_event *const events[],
			 int counts[], bool whole, struct sp_error *err);
