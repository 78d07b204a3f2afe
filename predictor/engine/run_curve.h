/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_curve.h - run time of a job over the number of nodes, from its history */
#pragma once

#include "predictor/stats/curve.h"
#include "predictor/engine/engine.h"
#include "predictor/features/describe.h"

struct run_curve {
	char application[APPLICATION_NAME_SIZE];
	int runs;           /* that it was made of */
	int n_min, n_max;   /* nodes of these */
	bool from_messages; /* profiles show how messages grow */
	bool from_farm;     /* simulated, as the program hands out tasks */
	int fed;            /* nodes up to which a farm's master keeps its
			       workers fed; 0: on all of the curve */
	struct curve curve;
};

struct run_scaling {
	struct scaling scaling;
	int runs;
	bool from_messages;
};

/* From completed runs of the application, with its parameters and as many tasks
 * on each node, on at least two numbers of nodes.  Where the size has a range
 * of nodes and a number of tasks, runs of as many tasks in all.  `cluster`:
 * NULL or empty for the engine's own.  Fails where there are no such runs;
 * takes a millisecond at most, and the engine's lock for a part of it. */
int engine_scaling(struct engine *engine, const char *cluster,
		   const struct application *application,
		   const struct job_size *size, struct run_scaling *ret,
		   struct sp_error *err);

/* A job on half of its nodes, with as many tasks and CPUs on each. */
struct half_job {
	uint32_t nodes, tasks, cpus;
	double factor;   /* of its run time, at least 1 */
	double longer_s; /* that it is expected to run */
	double gain_s;   /* how much sooner it would end; the caller knows */
};

/* As it is sent. */
extern const struct field half_job_fields[];

/* Find what the curve of its application says of half the nodes of a job.  -1:
 * there is no curve, or its runs were on more nodes; the number of nodes is odd
 * or 1; a generic resource is counted over all nodes; or SOONER_QUANTILE of the
 * longer run time is beyond the time limit. */
int engine_half(struct engine *engine, const struct prediction *p,
		struct half_job *ret);

/* Make the curve of the job's application, over its range of nodes, if it has
 * one.  A farm needs no run on a second number of nodes, see farm_curve.h: its
 * points are predictions, as engine_predict() makes them for a job with that
 * number. */
int engine_run_curve(struct engine *engine, const struct submission *job,
		     enum prediction_mode mode, double now_s,
		     struct run_curve *ret, struct sp_error *err);
