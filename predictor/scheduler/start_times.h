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

/* Rules of the machine; `reservations` as in struct easy_rules. */
struct start_rules {
	uint32_t cpus, reservations;
};

/* Simulate jobs[count], in the order in which Slurm considers those that wait.
 * *draws is how many times; fewer where budget_s of the thread's CPU time does
 * not suffice (the first is always done), and then says how many.  ret[i] is of
 * jobs[i], {0, 0, 0} for a running one.  Fails when memory ran out. */
int start_times(const struct start_rules *rules, const struct start_job *jobs,
		size_t count, double budget_s, uint64_t seed, int *draws,
		struct start_time *ret, struct sp_error *err);
