/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_farm.h - what the files of bench-farm share */
#pragma once

#include "predictor/farm/farm.h"
#include "tests/unit/random.h"

#define TASKS_MAX 10000

enum task_times {
	TIMES_LOGNORMAL,
	TIMES_NORMAL,
	TIMES_EXPONENTIAL, /* above a least time */
	TIMES_TWO_KINDS,   /* one in five is longer */
	TASK_TIMES
};

double draw_normal(struct random *r);

/* The times of an iteration's tasks, work[M + 1] as in simulate.h. */
void draw_tasks(const struct farm *farm, struct random *r,
		enum task_times times, double work[]);

/* Mean and standard deviation of tasks. */
void measure_tasks(const double work[], int M, double *ret_mu,
		   double *ret_sigma);

void compare_farm_curves(void);
void compare_history_curves(void);
