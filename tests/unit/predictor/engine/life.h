/* SPDX-License-Identifier: GPL-2.0-or-later */
/* life.h - jobs as they come to the engine, for its tests */
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/engine/engine.h"
#include "predictor/models/model.h"
#include "tests/unit/suite.h"

#define LIFE_START_S 1.7e9

/* `nbody -n BODIES`, on some nodes, as the user 1234 on "tiny". */
struct life {
	char bodies[32];
	struct submission job;
};

static inline void life_submit(struct life *life, uint32_t nodes, double bodies)
{
	submission_init(&life->job);
	snprintf(life->bodies, sizeof(life->bodies), "%g", bodies);
	life->job.cluster = "tiny";
	life->job.user_id = 1234;
	life->job.name = "nbody";
	life->job.size.nodes_min = nodes;
	life->job.limit_s = 600;
	life->job.arguments[0] = "./nbody";
	life->job.arguments[1] = "-n";
	life->job.arguments[2] = life->bodies;
	life->job.arguments_count = 3;
}

/* Predicted, and kept, as predictd does when a job is submitted.  Without an
 * id: there was no memory. */
static inline struct prediction
life_predict(struct engine *engine, const struct life *life, double now_s)
{
	struct prediction p;

	engine_predict(engine, &life->job, MODE_ADVISE, 0.9, now_s, true, &p);
	if (engine_keep(engine, &p, NULL))
		p.id[0] = '\0';
	return p;
}

/* Every model says what it would have. */
static inline int life_models_count(void)
{
	int n = 0;

	while (models[n])
		n++;
	return n;
}

/* Predict a job, and check what holds for each prediction. */
static inline struct prediction life_ask(struct engine *engine, uint32_t nodes,
					 double bodies, double now_s)
{
	struct life life;
	struct prediction p;

	life_submit(&life, nodes, bodies);
	p = life_predict(engine, &life, now_s);
	if (p.basis != BASIS_NOTHING) {
		ck_assert_double_finite(p.median_s);
		ck_assert_double_gt(p.median_s, 0);
		ck_assert_double_finite(p.quantile_s);
		ck_assert_double_ge(p.quantile_s, p.median_s);
		ck_assert_double_le(p.quantile_s, life.job.limit_s);
	}
	ck_assert_int_eq(p.candidates_count, life_models_count());
	return p;
}

/* The run of a job that was predicted so. */
static inline struct run life_run(const struct prediction *p, uint32_t job_id,
				  double started_at_s, double runtime_s)
{
	struct run run = {
		.cluster = "tiny",
		.job_id = job_id,
		.user_id = p->user_id,
		.job_name = "nbody",
		.nodes = p->nodes,
		.tasks = p->tasks,
		.cpus = p->cpus,
		.limit_s = p->limit_s,
		.submitted_at_s = p->made_at_s,
		.started_at_s = started_at_s,
		.ended_at_s = started_at_s + runtime_s,
		.state = RUN_COMPLETED,
	};

	memcpy(run.prediction_id, p->id, sizeof(run.prediction_id));
	memcpy(run.node_list, p->assumed_nodes, sizeof(run.node_list));
	return run;
}

static inline void life_measure(struct engine *engine, const char *node,
				double time_s, double load)
{
	struct measurement m = { .time_s = time_s,
				 .cpu_load = load,
				 .cpu_available = 1 / (1 + load),
				 .cpu_speed = 1,
				 .memory_available_mb = 4096 };

	snprintf(m.node, sizeof(m.node), "%s", node);
	engine_measure(engine, "tiny", &m, NULL);
}
