/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_order.h - which job is submitted next
 *
 * By the time of submission; a job that its user submits when another one has
 * ended (the Standard Workload Format's think time) has no time until then.
 */
#pragma once

#include "predictor/backtest/rehearse/rehearse_jobs.h"

struct job_order {
	struct rehearse_jobs *jobs; /* lent; times of submission change */
	size_t *of; /* positions in `jobs`, as they are submitted */
	size_t count;
	size_t submitted; /* of[0 .. submitted) */
	size_t *held;     /* those without a time */
	size_t held_count;
};

/* `hold` says which jobs have no time yet.  -1: out of memory. */
int job_order_create(struct rehearse_jobs *jobs,
		     bool (*hold)(const void *context, size_t job),
		     const void *context, struct job_order *ret);

void job_order_destroy(struct job_order *order);

/* When the next one is submitted; HUGE_VAL: there is none so far. */
double job_order_next_s(const struct job_order *order);

/* Submit the next job, and those of its group, later than it would be. */
void job_order_postpone(struct job_order *order, double submit_s);

/* The job held[at] is submitted then. */
void job_order_release(struct job_order *order, size_t at, double submit_s);
