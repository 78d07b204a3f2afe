/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runs.h - runs of an N-body program, as tests of models and engine need them
 */
#pragma once

#include <math.h>
#include <string.h>

#include "predictor/features/past_jobs.h"
#include "predictor/models/history.h"
#include "predictor/models/model.h"
#include "tests/unit/random.h"

/* A completed run of `nbody -n bodies` on that many nodes, one task each. */
static inline struct run nbody_run(uint32_t job_id, uint32_t nodes,
				   double bodies, double runtime_s)
{
	struct run run = {
		.cluster = "tiny",
		.job_id = job_id,
		.user_id = 1234,
		.job_name = "nbody",
		.nodes = nodes,
		.tasks = nodes,
		.cpus = nodes,
		.limit_s = 3600,
		.submitted_at_s = 1.7e9 + 100.0 * job_id,
		.started_at_s = 1.7e9 + 100.0 * job_id + 3,
		.state = RUN_COMPLETED,
		.application = { .name = "nbody" },
	};

	run.ended_at_s = run.started_at_s + runtime_s;
	parameters_set(&run.application.parameters, "n", bodies, NULL);
	conditions_init(&run.before);
	return run;
}

static inline void run_set_load(struct run *run, double mean, double max)
{
	run->before.nodes_known = (int)run->nodes;
	run->before.cpu_load = mean;
	run->before.cpu_load_max = max;
}

static inline int history_add_run(struct history *h, const struct run *run,
				  struct sp_error *err)
{
	struct past_job job;

	past_job_of_run(run, &job);
	return history_add(h, &job, err);
}

/* The query before this run. */
static inline struct query query_of(const struct history *h,
				    const struct run *run)
{
	return (struct query){
		.application = history_application(h, run->cluster,
						   run->application.name),
		.user = history_user(h, run->cluster, run->user_id),
		.names = history_names(h, &run->application.parameters),
		.parameters = &run->application.parameters,
		.nodes = run->nodes,
		.tasks = run->tasks,
		.cpus = run->cpus,
		.limit_s = run->limit_s,
		.conditions = run->before,
	};
}

static inline const struct model *model_named(const char *name)
{
	for (int i = 0; models[i]; i++)
		if (strcmp(models[i]->name, name) == 0)
			return models[i];
	return NULL;
}

static inline double random_normal(struct random *r)
{
	return sqrt(-2 * log(1 - random_unit(r))) *
	       cos(6.283185307179586 * random_unit(r));
}
