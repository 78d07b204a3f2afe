/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_events.h - past jobs once more, in the order in which things happened
 *
 * Submissions, starts and ends are fed to an ensemble one after the other by
 * their times (at the same moment: ends before starts before submissions), so
 * that each prediction is made from what was known then.  A backtest judges by
 * it; predictd learns by it when it starts.
 */
#pragma once

#include "predictor/ensemble/ensemble.h"

/* NAN: it has not happened. */
struct past_times {
	double submitted_s, started_s, ended_s;
};

/* What the caller wants to see; each may be NULL.  `job` is a position. */
struct replay_visitor {
	void *context;
	/* With what was said at submission. */
	void (*submitted)(void *context, size_t job,
			  const struct verdict *verdict);
	/* Predicted again at the start; not if NULL. */
	void (*started)(void *context, size_t job,
			const struct verdict *verdict);
	void (*ended)(void *context, size_t job);
	/* The job's ticket; 0: it is learned from without being predicted;
	 * NULL: its position and 1. */
	uint64_t (*ticket)(void *context, size_t job);
	/* When these things became known, which says their order only; NULL: at
	 * once.  The end of a job without one: that its run was lost. */
	struct past_times (*known)(void *context, size_t job);
	/* What was assumed of its nodes at submission; NULL: what it found. */
	const struct conditions *(*assumed_of)(void *context, size_t job);
};

/* Replay jobs[count], in any order; one whose times of start or end are NAN has
 * not come so far.  Those before position `warm` (by their
 * submission) are learned from without being predicted, which is faster.  Fails
 * when memory ran out. */
int replay(struct ensemble *ensemble, const struct past_job *jobs, size_t count,
	   size_t warm, const struct replay_visitor *visitor,
	   struct sp_error *err);
