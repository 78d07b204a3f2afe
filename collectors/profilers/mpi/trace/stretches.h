/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stretches.h - which parts of a long run are in its trace
 *
 * As predictor/trace/trace_stretches.h describes.  While the first half of the
 * file fills all is recorded; with each half of the rest the level goes up
 * by one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "collectors/profilers/mpi/trace/trace_file.h"
#include "predictor/trace/matched_trace.h"

struct stretches {
	uint64_t number; /* of the one that we are in */
	int level;
	bool skipped;    /* it is not recorded */
	int64_t balance; /* trace_balance() so far */
	/* Not recorded since the last event in the file. */
	double work_s, procedure_s;
};

/* An event happened, in what is recorded or not. */
void stretches_count(struct stretches *s, const struct trace_event *event);

/* A stretch is over; whether an event *ret_gap comes before the next one's. */
bool stretches_next(struct stretches *s, const struct trace_file *file,
		    struct trace_event *ret_gap);

/* Before CALL_END of a run that ends in what is not recorded; else false. */
bool stretches_end(struct stretches *s, struct trace_event *ret_gap);
