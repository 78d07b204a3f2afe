/* SPDX-License-Identifier: GPL-2.0-or-later */
/* easy.h - simulates a log under EASY backfilling
 *
 * The queue is served in the order of submission.  The first job that does not
 * fit gets a reservation at the earliest time at which enough CPUs are planned
 * to be free; any other job may start at once if it does not
 * delay that [1].  With SJBF these others are tried shortest first [2].  With
 * more reservations it is Slurm's sched/backfill, which gives one to each job
 * that it looks at.  In the aged order all jobs, the first among them, are
 * ordered by their submission and `aged` times their length: what a priority in
 * Slurm can do.
 *
 * The planner supplies the planned run times: the users' limits, a model's
 * predictions, or (clairvoyance) the actual run times.  Nothing ends a
 * job early: it runs as long as it ran in the log, and where that is longer
 * than was planned, its limit is the new plan.
 *
 * [1] D. A. Lifka: The ANL/IBM SP Scheduling System, JSSPP 1995, LNCS 949.
 * [2] D. Tsafrir, Y. Etsion, D. G. Feitelson: Backfilling Using
 *     System-Generated Predictions Rather than User Runtime Estimates, IEEE
 *     TPDS 18 (2007) 789-803.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"

struct easy_job {
	double submitted_s;
	double runtime_s; /* as it ran, 0 to limit_s */
	double limit_s;   /* HUGE_VAL: none */
	uint32_t cpus;    /* 1 to those of the machine */
};

/* How long a job is planned to run.  NAN: as long as its limit. */
struct easy_plan {
	double order_s;   /* with SJBF: the shortest of these goes first; the
			     length in the aged order */
	double reserve_s; /* its CPUs are taken to be free after this */
};

/* What Slurm does otherwise.  Its main scheduler starts the first in the order
 * while they fit.  Its backfill has turns, and its one reservation
 * (bf_job_part_count_reserve=1) is of particular nodes (node_pool.h), for the
 * first in the order that has waited long enough. */
struct easy_slurm {
	double interval_s;      /* between turns, bf_interval; > 0 */
	bool turns_only;        /* the main scheduler starts no job but at its
				   submission: so it was in rehearsals */
	double window_linear_s; /* bf_window_linear; 0: windows double */
	double reserve_age_s;   /* bf_min_age_reserve */
	/* Also for jobs whose slowdown, over their length and at least a
	 * minute, has come to this; 0: not. */
	double reserve_slowdown;
};

struct easy_rules {
	uint32_t cpus; /* of the machine */
	bool shortest_first;
	uint32_t reservations; /* that many first jobs have one; 0: one */
	/* Seconds of waiting that a second of length counts as; 0: not in the
	 * aged order. */
	double aged;
	double aged_most_s; /* in the aged order lengths count up to this, by
			       their logarithm; 0: as they are */
	const struct easy_slurm *slurm; /* NULL: [1].  Neither shortest_first
					   nor reservations count with it. */
};

/* Called at each event, at its simulated time.  started and ended may be NULL.
 * A function that fails ends the simulation. */
struct easy_planner {
	void *context;
	int (*submitted)(void *context, size_t job, double now_s,
			 struct easy_plan *ret, struct sp_error *err);
	int (*started)(void *context, size_t job, double now_s,
		       struct sp_error *err);
	int (*ended)(void *context, size_t job, double started_s, double now_s,
		     struct sp_error *err);
};

/* Simulate jobs[count], in any order; ret_started_s[count] says when each
 * started.  Fails on a job that can't run (no CPUs, more than the machine has,
 * times that are no numbers), when memory ran out or the planner failed. */
int easy_simulate(const struct easy_rules *rules, const struct easy_job *jobs,
		  size_t count, const struct easy_planner *planner,
		  double *ret_started_s, struct sp_error *err);
