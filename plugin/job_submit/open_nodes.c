/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open_nodes.c - a job that leaves its number of nodes open, at submission */
#include <math.h>

#include "plugin/job_submit/open_nodes.h"
#include "predictor/snapshot/snapshot.h"

void nodes_begin(const struct policy *policy, const char *partitions,
		 const char *default_partition, struct submission *job,
		 struct nodes_open *ret)
{
	*ret = (struct nodes_open){ .mode = MODE_OFF,
				    .limit_s = job->limit_s,
				    .slowest = NAN };
	job_size_range(&job->size, 0, &ret->least, &ret->most);
	if (ret->least == ret->most)
		return;
	ret->mode = policy_lower_nodes(
		policy_nodes(policy, partitions, default_partition), job);
	ret->goal = *policy_nodes_goal(policy, partitions, default_partition);
	if (ret->mode == MODE_ACT)
		job->nodes_goal =
			moldable_goal_print(&ret->goal, ret->goal_text);
}

void nodes_curve(const char *placement, struct nodes_open *nodes)
{
	struct placement_model model;
	struct sp_error err;
	uint32_t slowest;

	if (nodes->least == nodes->most ||
	    snapshot_model_parse(placement, &model, &err))
		return;
	nodes->curve = model.curve;
	slowest = moldable_slowest(&model.curve, nodes->least, nodes->most);
	if (slowest && model.nodes)
		nodes->slowest = placement_curve_s(&model.curve, slowest) /
				 placement_curve_s(&model.curve, model.nodes);
}

enum prediction_mode nodes_mode(const struct nodes_open *nodes,
				const struct prediction_answer *prediction)
{
	return nodes->mode == MODE_ACT && !prediction->nodes_best ? MODE_ADVISE
								  : nodes->mode;
}

const char *nodes_no_limit(const struct nodes_open *nodes,
			   const struct policy *policy,
			   const struct prediction_answer *prediction)
{
	const char *why = policy_no_limit(policy, prediction);

	if (!why && nodes->least != nodes->most && isnan(nodes->slowest))
		return "the run time is not known on each number of nodes that "
		       "it may get";
	return why;
}
