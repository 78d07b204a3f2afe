/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_curve.c - run time of a job over the number of nodes, from its history
 *
 * Runs and the messages of profiles are copied under the engine's lock; the
 * curve is fitted without it.  Only runs of equal parameters are comparable
 * over numbers of nodes, and of as many tasks on each node, or in all where the
 * job has a number of tasks for any number of nodes.  The newest runs on each
 * number of nodes count.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/farm_curve.h"
#include "predictor/engine/run_curve.h"
#include "predictor/features/script/identify.h"
#include "predictor/scheduler/sooner.h"

/* Runs of a group that are used, the newest. */
#define GROUP_RUNS 32
/* What a curve shows beside the median. */
#define CURVE_QUANTILE 0.9
/* Numbers of nodes whose profiles are used. */
#define MESSAGES_MAX 32

struct curve_input {
	const char *cluster;
	const struct application *application;
	uint32_t nodes, tasks; /* of the job */
	/* `tasks` for any number of nodes; else as many on each. */
	bool tasks_fixed;
	int runs_count;
	struct scaling_run runs[SCALING_RUNS_MAX];
	int messages_count;
	struct scaling_messages messages[MESSAGES_MAX];
};

static bool same_tasks(const struct curve_input *input, uint32_t nodes,
		       uint32_t tasks)
{
	if (input->tasks_fixed)
		return tasks == input->tasks;
	return (uint64_t)tasks * input->nodes == (uint64_t)input->tasks * nodes;
}

/* Return whether a run of a group has the job's parameters. */
static bool run_matches(const struct history *h, const struct history_group *g,
			uint32_t run, const struct parameters *parameters)
{
	const struct history_names *names = &h->names[g->names];
	const double *values = &g->values[(size_t)run * (size_t)names->count];

	for (int i = 0; i < names->count; i++) {
		const double *value = parameters_get(parameters, names->of[i]);

		if (!value || *value != values[i])
			return false;
	}
	return true;
}

static void add_group(const struct history *h, const struct history_group *g,
		      struct curve_input *input)
{
	int added = 0;

	for (uint32_t i = g->count; i-- > 0 && added < GROUP_RUNS;) {
		if (g->runs[i].end != OUTCOME_COMPLETED ||
		    !run_matches(h, g, i, &input->application->parameters))
			continue;
		if (input->runs_count == SCALING_RUNS_MAX)
			return;
		input->runs[input->runs_count++] =
			(struct scaling_run){ (int)g->nodes,
					      g->runs[i].runtime_s };
		added++;
	}
}

static void add_runs(const struct history *h, struct curve_input *input)
{
	uint32_t application = history_application(h, input->cluster,
						   input->application->name);
	uint32_t names = history_names(h, &input->application->parameters);

	if (application == INDEX_NONE || names == INDEX_NONE)
		return;
	for (uint32_t g = h->applications[application].groups; g != INDEX_NONE;
	     g = h->groups[g].next) {
		const struct history_group *group = &h->groups[g];

		if (group->names == names &&
		    same_tasks(input, group->nodes, group->tasks))
			add_group(h, group, input);
	}
}

/* The messages of the node that sent most of them. */
static void add_messages(void *context, const struct profile *profile)
{
	struct curve_input *input = context;
	double sent[PROFILE_NODES_MAX] = { 0 }, most = 0;

	if (input->messages_count == MESSAGES_MAX || profile->pair_count < 0 ||
	    strcmp(profile->cluster, input->cluster) ||
	    !same_tasks(input, profile->nodes, profile->tasks) ||
	    !parameters_equal(&profile->application.parameters,
			      &input->application->parameters))
		return;
	for (int i = 0; i < profile->pair_count; i++) {
		const struct profile_pair *pair = &profile->pair[i];

		if (pair->from >= PROFILE_NODES_MAX)
			continue;
		sent[pair->from] += pair->messages;
		most = fmax(most, sent[pair->from]);
	}
	input->messages[input->messages_count++] =
		(struct scaling_messages){ (int)profile->nodes, most };
}

static void read_engine(struct engine *engine, const char *cluster,
			struct curve_input *input)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	input->cluster = cluster && *cluster ? cluster : engine->cluster;
	add_runs(ensemble_history(engine->learned.ensemble), input);
	profiles_visit(engine->profiles, input->application->name, add_messages,
		       input);
}

int engine_scaling(struct engine *engine, const char *cluster,
		   const struct application *application,
		   const struct job_size *size, struct run_scaling *ret,
		   struct sp_error *err)
{
	struct curve_input input = {
		.application = application,
		.nodes = job_size_nodes(size, 0),
		.tasks_fixed = size->tasks > 0 && job_size_is_range(size),
	};
	struct regression *workspace;

	input.tasks = job_size_tasks(size, input.nodes);
	read_engine(engine, cluster, &input);
	workspace = regression_create(SCALING_RUNS_MAX, SCALING_TERMS);
	if (!workspace)
		return sp_error_set(err, "out of memory");

	unsigned terms = scaling_terms(input.messages, input.messages_count);
	int rc = scaling_fit(input.runs, input.runs_count, terms, workspace,
			     &ret->scaling, err);

	regression_destroy(workspace);
	ret->runs = input.runs_count;
	ret->from_messages = terms != SCALING_ALL_TERMS;
	return rc;
}

/* As curve_make() has it; no cluster has more nodes. */
static int count_nodes(uint32_t n)
{
	return n < INT_MAX ? (int)n : INT_MAX;
}

/* Predict the job on each number of nodes of the simulated curve. */
static void predict_points(struct engine *engine, const struct submission *job,
			   enum prediction_mode mode, double now_s,
			   struct curve *curve)
{
	const struct curve simulated = *curve;
	const struct curve_point *first = &simulated.points[0];
	double base = first->efficiency * first->n * first->median_s;

	*curve = (struct curve){ .count = 0 };
	for (int i = 0; i < simulated.count; i++) {
		const struct curve_point *point = &simulated.points[i];
		uint32_t n = (uint32_t)point->n;
		struct submission sized = *job;
		struct prediction p;
		double factor = 1;

		sized.size.tasks = farm_curve_tasks(&job->size, n);
		sized.size.tasks_per_node = 0;
		sized.size.nodes_min = sized.size.nodes_max = n;
		engine_predict(engine, &sized, mode, CURVE_QUANTILE, now_s,
			       false, &p);
		if (p.basis == BASIS_HISTORY)
			factor = p.median_s / point->median_s;
		curve_add(curve, point->n, factor * point->median_s,
			  isfinite(p.quantile_s) ? p.quantile_s
						 : factor * point->p90_s,
			  base);
	}
}

/* The points of a farm are simulated. */
static int curve_find(struct engine *engine, const char *cluster,
		      const struct application *application,
		      const struct job_size *size, struct run_curve *ret,
		      struct sp_error *err)
{
	bool is_range = job_size_is_range(size);
	struct run_scaling found;

	if (!engine_farm_curve(engine, cluster, application, size, ret))
		return 0;
	if (engine_scaling(engine, cluster, application, size, &found, err) ||
	    curve_make(&found.scaling,
		       is_range ? count_nodes(size->nodes_min) : 0,
		       is_range ? count_nodes(size->nodes_max) : 0, &ret->curve,
		       err))
		return -1;
	memcpy(ret->application, application->name, sizeof(ret->application));
	ret->runs = found.runs;
	ret->n_min = found.scaling.n_min;
	ret->n_max = found.scaling.n_max;
	ret->from_messages = found.from_messages;
	ret->from_farm = false;
	ret->fed = 0;
	return 0;
}

int engine_run_curve(struct engine *engine, const struct submission *job,
		     enum prediction_mode mode, double now_s,
		     struct run_curve *ret, struct sp_error *err)
{
	struct application application;

	application_identify(job, &application);
	if (curve_find(engine, job->cluster, &application, &job->size, ret,
		       err))
		return -1;
	if (ret->from_farm)
		predict_points(engine, job, mode, now_s, &ret->curve);
	return 0;
}

const struct field half_job_fields[] = {
	FIELD_SENT(half_job, nodes, UINT),
	FIELD_SENT(half_job, tasks, UINT),
	FIELD_SENT(half_job, cpus, UINT),
	FIELD_SENT(half_job, longer_s, NUMBER),
	FIELD_SENT(half_job, gain_s, NUMBER),
	FIELD_END,
};

int engine_half(struct engine *engine, const struct prediction *p,
		struct half_job *ret)
{
	uint32_t half = p->nodes / 2, each = half ? p->tasks / p->nodes : 0;
	const struct job_size size = { .nodes_min = half,
				       .nodes_max = p->nodes,
				       .tasks_per_node = each };
	struct run_curve found;

	if (p->basis != BASIS_HISTORY || *p->gres || !each || p->nodes % 2 ||
	    p->tasks % p->nodes || p->cpus % 2 ||
	    curve_find(engine, p->cluster, &p->application, &size, &found,
		       NULL))
		return -1;

	const struct curve_point *few = found.curve.points,
				 *many = few + found.curve.count - 1;

	if (few->n != (int)half || many->n != (int)p->nodes ||
	    (found.n_min > few->n && !found.from_farm))
		return -1;

	double factor = fmax(1, few->median_s / many->median_s);

	*ret = (struct half_job){ .nodes = half,
				  .tasks = p->tasks / 2,
				  .cpus = p->cpus / 2,
				  .factor = factor,
				  .longer_s = (factor - 1) * p->median_s };
	return factor * engine_remaining_s(p, 0, SOONER_QUANTILE) <= p->limit_s
		       ? 0
		       : -1;
}
