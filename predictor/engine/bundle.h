/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bundle.h - how many tasks of an array of short jobs one job should run
 *
 * So many that starting a job costs no more than BUNDLE_COST of its time, but
 * few enough that all nodes have work and no job runs too long.
 */
#pragma once

#include "predictor/engine/engine.h"

#define BUNDLE_COST      0.05
#define BUNDLE_LONGEST_S 3600.0 /* of a job, unless a task is longer */

/* Tasks for each job, 1 or more: a number that is easily said. */
int bundle_size(int tasks, double task_s, double cost_s, int nodes);

struct bundle {
	char application[APPLICATION_NAME_SIZE];
	int tasks, per_job, jobs;
	int runs; /* the tasks' time rests on */
	double task_s, task_quantile_s;
	double quantile;
	double cost_s;  /* of starting a job */
	int starts;     /* this rests on */
	double saved_s; /* node time */
	bool plain;
};

/* Fails if the run time of tasks, or the cost of starting a job, is
 * not known. */
int engine_bundle(struct engine *engine, const struct submission *job,
		  double quantile, int tasks, double now_s, struct bundle *ret,
		  struct sp_error *err);
