/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sooner.h - whether a waiting job would start much sooner if changed */
#pragma once

#include "predictor/scheduler/start_times.h"

/* The limit is that quantile of the run time.  For this share of the jobs that
 * it is suggested to it is too short: those that gain are not like all
 * (`make bench-sooner`). */
#define SOONER_QUANTILE 0.95
#define SOONER_RISK     0.07

/* As many of the last runs must have the job's size and time limit: without
 * that, twice as many of the limits advised to waiting jobs are too short
 * (`make bench-sooner`). */
#define SOONER_MATCHING 10

/* This share of the draws gains as much or more.  Fewer draws than these do not
 * say so. */
#define SOONER_SURE        0.8
#define SOONER_DRAWS_LEAST 20

#define SOONER_LEAST_S 600.0
#define SOONER_LEAST   0.2

#define SOONER_CHANGES 2 /* at most */

/* The queue of a pool, as start_times() has it. */
struct sooner_pool {
	struct start_rules rules;
	size_t count, which;    /* of jobs[]: the one that may change */
	struct start_job *jobs; /* to be freed */
	double now_s;           /* when the queue was so */
};

struct sooner_change {
	struct start_job job; /* as the one that may change would be */
	double longer_s;      /* that it is expected to run longer */
};

struct sooner {
	double wait_s; /* from now_s, unchanged: the median; NAN: not known */
	/* How much sooner the job would end with each change: SOONER_SURE. */
	double gain_s[SOONER_CHANGES];
	bool worth; /* sooner_is_worth() of the first */
};

/* Return whether a job that waits should be changed for that: for ten minutes
 * and a fifth of its wait. */
static inline bool sooner_is_worth(double wait_s, double gain_s)
{
	return gain_s >= SOONER_LEAST_S && gain_s >= SOONER_LEAST * wait_s;
}

/* Find what each of the changes would gain: simulate the queue without and with
 * each, with the same draws, until stops(argument), which is called before each
 * draw.  Fails when memory ran out. */
int sooner_find(const struct sooner_pool *pool,
		const struct sooner_change changes[], int count,
		bool (*stops)(void *argument), void *argument,
		struct sooner *ret, struct sp_error *err);
