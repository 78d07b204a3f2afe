/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_choice.c - the number of nodes of a job that leaves it open */
#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes_choice.h"
#include "predictor/engine/run_curve.h"
#include "predictor/engine/track_record.h"
#include "predictor/placement/moldable.h"

static void curve_find(struct engine *engine, const struct submission *job,
		       const struct prediction *p, struct placement_curve *ret)
{
	struct run_scaling found;

	*ret = (struct placement_curve){ .reach = 0 };
	if (!job_size_is_range(&job->size) ||
	    engine_scaling(engine, p->cluster, &p->application, &job->size,
			   &found, NULL))
		return;
	ret->from = (uint32_t)found.scaling.n_min;
	ret->reach = CURVE_REACH * (uint32_t)found.scaling.n_max;
	for (int i = 0; i < PLACEMENT_CURVE_TERMS; i++)
		ret->c_s[i] = (float)scaling_coefficient(&found.scaling,
							 (enum scaling_term)i);
}

static bool quantile_has_held(struct engine *engine, const struct prediction *p)
{
	uint32_t judged, held;

	pthread_mutex_lock(&engine->lock);
	track_record_read(engine->learned.track_record, p, &judged, &held);
	pthread_mutex_unlock(&engine->lock);
	return prediction_quantile_holds(judged, held, p->quantile);
}

void engine_nodes_choose(struct engine *engine, const struct submission *job,
			 uint32_t cpus_per_node, struct prediction *p,
			 struct placement_curve *ret)
{
	struct job_size size = job->size;
	struct moldable_goal goal;
	uint32_t least, most;

	curve_find(engine, job, p, ret);
	if (!ret->reach || !job->nodes_goal ||
	    moldable_goal_parse(job->nodes_goal, &goal, NULL) ||
	    !quantile_has_held(engine, p))
		return;
	job_size_range(&size, cpus_per_node, &least, &most);
	p->nodes_best = moldable_best(ret, &goal, job->limit_s, least, most);
	if (!p->nodes_best)
		return;
	size.nodes_want = p->nodes_best;
	prediction_size(p, &size, cpus_per_node);
	gres_request_total(&job->gres, p->nodes, p->tasks, p->gres,
			   sizeof(p->gres));
}
