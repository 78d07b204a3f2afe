/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bundle.c - how many tasks of an array of short jobs one job should run */
#include <math.h>
#include <stdio.h>

#include "predictor/engine/bundle.h"
#include "predictor/engine/engine_state.h"
#include "predictor/engine/resources.h"
#include "predictor/features/array_size.h"
#include "predictor/scheduler/start_costs.h"

/* Return the next of 1, 2, 5, 10, 20, 25, 50, 100, ... */
static double round_up(double count)
{
	static const double steps[] = { 1, 2, 2.5, 5, 10 };
	double unit = pow(10, floor(log10(fmax(count, 1)) + 1e-9));

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		double step = steps[i] * unit;

		if (step >= count - 1e-9 && step == floor(step))
			return step;
	}
	return 10 * unit;
}

int bundle_size(int tasks, double task_s, double cost_s, int nodes)
{
	double wanted = round_up(ceil(cost_s / BUNDLE_COST / task_s));
	double most = fmin(floor(BUNDLE_LONGEST_S / task_s),
			   ceil((double)tasks / fmax(nodes, 1)));

	return (int)fmax(1, fmin(wanted, fmin(most, tasks)));
}

int engine_bundle(struct engine *engine, const struct submission *job,
		  double quantile, int tasks, double now_s, struct bundle *ret,
		  struct sp_error *err)
{
	struct engine_resources resources;
	struct prediction p;

	engine_predict(engine, job, MODE_OBSERVE, quantile, now_s, false, &p);
	if (p.basis != BASIS_HISTORY ||
	    prediction_is_guess(p.basis, p.evidence_level) ||
	    !(p.median_s > 0) || !isfinite(p.median_s))
		return sp_error_set(err,
				    "no runs of %s: their time is not known",
				    p.application.name);
	if (engine_count_resources(engine, now_s, &resources, err))
		return -1;
	*ret = (struct bundle){ .tasks = tasks,
				.runs = (int)p.evidence_runs,
				.task_s = p.median_s,
				.task_quantile_s = p.quantile_s,
				.quantile = p.quantile };
	snprintf(ret->application, sizeof(ret->application), "%s",
		 p.application.name);
	ordered_lock_take(&engine->lock);
	ret->cost_s = start_costs_mean(
		engine->start_costs,
		job->cluster && *job->cluster ? job->cluster : engine->cluster,
		&ret->starts);
	ordered_lock_give(&engine->lock);
	if (isnan(ret->cost_s))
		return sp_error_set(
			err,
			"what it costs to start a job is not known: "
			"it was seen %d times, of %d at least",
			ret->starts, START_COSTS_MIN);
	ret->per_job = bundle_size(tasks, ret->task_s, ret->cost_s,
				   (int)resources.nodes_fresh);
	ret->jobs = (tasks + ret->per_job - 1) / ret->per_job;
	ret->saved_s = ret->cost_s * (tasks - ret->jobs);
	ret->plain = tasks >= BUNDLE_PLAIN_TASKS && ret->per_job > 1 &&
		     ret->task_s < BUNDLE_PLAIN_COSTS * ret->cost_s;
	return 0;
}
