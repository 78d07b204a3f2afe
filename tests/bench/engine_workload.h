/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_workload.h - jobs of many users, for benchmarks of the engine
 *
 * 5,000 users, most of them with few runs and some with many, each have four
 * programs; those of every fifth user run on a cluster whose load is measured,
 * with parameters that the run time grows with.
 */
#pragma once

#include "predictor/features/run.h"
#include "predictor/features/submission.h"
#include "tests/unit/random.h"

struct job {
	uint32_t user, program;
	int n; /* its parameter; 0: it has none */
	double load, runtime_s;
	char script[768];
	struct submission submission; /* lent from this struct */
};

void job_make(struct random *r, struct job *job);

/* The job's run, all but its application. */
void run_make(const struct job *job, uint32_t number, double ended_at_s,
	      struct run *ret);
