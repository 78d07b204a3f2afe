/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_times.h - when the jobs of a queue will start
 *
 * The present queue is simulated (easy.h) again and again, each time with other
 * run times drawn from what is predicted of each job.  The starts of a job in
 * all draws are the distribution of its start.  Jobs that are submitted later
 * are not known: start_record.h corrects what that does.
 *
 * Times are seconds from now.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"

/* The run time that is left, as quantiles at (i + 0.5) / START_LEVELS. */
#define START_LEVELS 20

/* Probability of the interval that is shown. */
#define START_INTERVAL 0.8

#define START_GRES_SIZE 64

struct start_job {
	uint32_t cpus;
	bool running;
	double begin_s; /* a waiting job does not start before */
	double limit_s; /* that is left; HUGE_VAL: none */
	/* NAN in the first: not known; it may be any share of its limit. */
	double left_s[START_LEVELS];
	/* A resource that it has or wants beside CPUs; empty: none. */
	char gres[START_GRES_SIZE];
};

/* All NAN: it can't start, as it wants more than there is. */
struct start_time {
	double low_s, median_s, high_s;
};

/* A new job goes behind those that run, or also behind a third of those that
 * wait, two thirds, or all. */
#define START_TURNS 4

#define START_KEPT  20  /* draws */
#define START_CELLS 320 /* of time, ever longer: a month */

/* The CPUs that are free over time in some of the draws. */
struct start_gaps {
	int draws;
	double begin_s[START_CELLS + 1]; /* of each cell; the last never ends */
	/* The first of jobs[] that is not counted; their number: all are. */
	size_t behind[START_TURNS];
	uint32_t free[START_TURNS][START_KEPT][START_CELLS];
};

/* Rules of the machine; `reservations` as in struct easy_rules. */
struct start_rules {
	uint32_t cpus, reservations;
};

/* Find when one more job would start that moves none of those before its turn
 * (from 0), at after_s or later, as if it ran for limit_s.  -1: never. */
int start_gaps_find(const struct start_gaps *gaps, int turn, double after_s,
		    uint32_t cpus, double limit_s, struct start_time *ret);

/* Simulate jobs[count], in the order in which Slurm considers those that wait.
 * *draws is how many times; fewer where budget_s of the thread's CPU time does
 * not suffice (the first is always done), and then says how many.  ret[i] is of
 * jobs[i], {0, 0, 0} for a running one.  ret_gaps may be NULL.  Fails when
 * memory ran out. */
int start_times(const struct start_rules *rules, const struct start_job *jobs,
		size_t count, double budget_s, uint64_t seed, int *draws,
		struct start_time *ret, struct start_gaps *ret_gaps,
		struct sp_error *err);
