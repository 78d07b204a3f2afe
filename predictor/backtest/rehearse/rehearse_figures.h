/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_figures.h - what a schedule was worth
 *
 * Times in seconds unless said otherwise.  Bounded slowdown as in D. Feitelson
 * et al.: Theory and Practice in Parallel Job Scheduling, JSSPP 1997: the
 * response over the run time, of which neither is below SHORTEST_S.
 */
#pragma once

#include "predictor/backtest/rehearse/rehearse_jobs.h"

#define FIGURES_SHORTEST_S 10.0

enum figure {
	FIGURE_WAIT,     /* mean, minutes */
	FIGURE_SLOWDOWN, /* mean bounded slowdown */
	FIGURE_P95,      /* of the bounded slowdown */
	FIGURE_LONGEST,  /* wait, hours */
	FIGURE_DAY,      /* jobs that waited over 24 hours */
	FIGURE_AREA,     /* mean wait weighted by CPU time, hours */
	FIGURE_USED,     /* of the machine, first submission to last end, % */
	FIGURE_LOST,     /* jobs that did not end, or before their time */
	FIGURES
};

extern const char *const figure_names[FIGURES];

/* A part of the jobs; partitions are those of the log. */
struct figures_filter {
	uint32_t cpus_min, cpus_max;
	uint32_t user;         /* UINT32_MAX: all */
	const char *partition; /* NULL: all */
};

#define FIGURES_OF_ALL                                                    \
	(struct figures_filter)                                           \
	{                                                                 \
		.cpus_min = 0, .cpus_max = UINT32_MAX, .user = UINT32_MAX \
	}

/* Returns how many jobs the filter leaves; without any, ret is all NAN.  Memory
 * that runs out leaves only the p95 NAN. */
size_t figures_of(const struct rehearse_jobs *jobs,
		  const struct figures_filter *filter, double ret[FIGURES]);

/* The same jobs under the simulator of `spredict backtest`, EASY
 * with limits. */
int figures_simulate(const struct rehearse_jobs *jobs,
		     struct rehearse_jobs *ret, struct sp_error *err);
