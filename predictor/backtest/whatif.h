/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif.h - schedules a log with the run times that predictions would plan
 *
 * Simulates a log once for each source of planned run times (easy.h), on one
 * machine whose CPUs are all equal.  A model learns inside the simulated
 * world: only from jobs that have ended there, at the times at which they did.
 *
 * As in the figures published for such logs [1], a job ends at its limit even
 * if it ran longer in the log, one that wants more CPUs than there are gets
 * all, and one without a limit has the longest requested.
 *
 * [1] E. Gaussier, D. Glesser, V. Reis, D. Trystram: Improving Backfilling by
 *     Using Machine Learning to Predict Running Times, SC'15.
 */
#pragma once

#include "predictor/scheduler/easy.h"
#include "predictor/base/error.h"
#include "predictor/features/subject.h"

/* Where planned run times come from. */
enum whatif_source {
	WHATIF_LIMIT,
	WHATIF_MODEL,     /* what one of models[] says */
	WHATIF_PREDICTED, /* predicted quantiles */
	WHATIF_ACTUAL     /* clairvoyance */
};

struct whatif_row {
	const char *name; /* short, for tables and bars */
	const char *help;
	enum whatif_source source;
	const char *model;         /* of WHATIF_MODEL */
	double order_p, reserve_p; /* of WHATIF_PREDICTED */
	bool shortest_first;
	bool by_log;         /* with most_h: easy_rules.aged_most_s */
	double aged, most_h; /* easy_rules.aged; a length counts up to most_h
				hours, 0: any */
	const struct easy_slurm *slurm; /* easy_rules.slurm; reservations by
					   the limit */
};

extern const struct whatif_row whatif_rows[]; /* ends without a name */

struct whatif_world {
	const struct past_job *jobs;
	size_t count;
	const char *start; /* as in struct backtest_options */
	uint32_t cpus;     /* of the machine */
	/* Each submission is moved by up to this, at random, as the seed says:
	 * a schedule is chaotic, a mean over some worlds tells more. */
	double jitter_s;
	uint64_t seed;
};

struct whatif_measures {
	double wait_s;      /* mean */
	double longest_s;   /* the longest wait */
	double area_s;      /* mean wait, weighted by CPU time */
	double slowdown;    /* mean bounded slowdown, of at least 10 s [1] */
	double utilisation; /* share of the CPUs, first submission to end */
	double killed;      /* share of jobs that their limit ended */
	double outlived;    /* share of jobs that outlived the first plan */
};

int whatif_run(const struct whatif_world *world, const struct whatif_row *row,
	       struct whatif_measures *ret, struct sp_error *err);

/* How many jobs are not simulated as they were. */
struct whatif_odd {
	size_t wide;     /* of more CPUs than the machine: they get all */
	size_t no_limit; /* they get the longest requested */
	size_t instant;  /* of run time 0 */
};

struct whatif_odd whatif_odd_jobs(const struct past_job *jobs, size_t count,
				  uint32_t cpus);

/* Return the most CPUs in use at a time, for logs that do not have the
 * machine's size. 0: no jobs, or out of memory. */
uint32_t whatif_peak_cpus(const struct past_job *jobs, size_t count);
