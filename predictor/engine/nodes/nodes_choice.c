/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_choice.c - the number of nodes of a job that leaves it open
 *
 * Of a farm the curve is simulated; schedulers get the sum of terms that is
 * closest to it.  For other programs it is fitted to past runs.
 */
#include <math.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/farm_curve.h"
#include "predictor/engine/nodes/nodes_choice.h"
#include "predictor/engine/run_curve.h"
#include "predictor/ensemble/track_record.h"
#include "predictor/placement/moldable.h"

/* A farm's time goes with 1 / (n - h) where the master has a place of its own,
 * which the terms cannot follow to few nodes.  So they are fitted where a
 * choice is likely to fall, up to INDEX_RANGE times the least index, and not
 * used if one of these points is off by more than FIT_MAX. */
#define INDEX_RANGE 4
#define FIT_MAX     0.25

static void curve_set(const struct scaling *scaling, int from, int reach,
		      struct placement_curve *ret)
{
	ret->from = (uint32_t)from;
	ret->reach = (uint32_t)reach;
	for (int i = 0; i < PLACEMENT_CURVE_TERMS; i++)
		ret->c_s[i] = (float)scaling_coefficient(scaling,
							 (enum scaling_term)i);
}

static double index_of(const struct curve_point *point)
{
	return point->n * point->median_s * point->median_s;
}

/* Simulated points for the fit, of many some; the last one has the
 * most nodes. */
static int points_take(const struct curve *curve,
		       struct scaling_run ret[SCALING_COUNTS_MAX])
{
	double most = INDEX_RANGE * index_of(&curve->points[curve->worth]);
	int step = 1 + (curve->count - 1) / SCALING_COUNTS_MAX;
	int count = 0;

	for (int i = 0; i < curve->count; i += step)
		if (index_of(&curve->points[i]) <= most)
			ret[count++] = (struct scaling_run){
				curve->points[i].n, curve->points[i].median_s
			};
	return count;
}

static bool is_close(const struct scaling *fitted,
		     const struct scaling_run points[], int count)
{
	for (int i = 0; i < count; i++)
		if (fabs(scaling_time(fitted, points[i].n) /
				 points[i].runtime_s -
			 1) > FIT_MAX)
			return false;
	return true;
}

static int curve_approach(const struct run_curve *farm,
			  struct placement_curve *ret)
{
	struct scaling_run points[SCALING_COUNTS_MAX];
	struct regression *workspace =
		regression_create(SCALING_RUNS_MAX, SCALING_TERMS);
	int count = points_take(&farm->curve, points);
	struct scaling fitted;
	int rc = -1;

	if (workspace && count > 1 &&
	    !scaling_fit(points, count, SCALING_ALL_TERMS, workspace, &fitted,
			 NULL) &&
	    is_close(&fitted, points, count)) {
		curve_set(&fitted, farm->n_min, points[count - 1].n, ret);
		rc = 0;
	}
	regression_destroy(workspace);
	return rc;
}

static void curve_find(struct engine *engine, const struct submission *job,
		       const struct prediction *p, struct placement_curve *ret)
{
	struct run_scaling found;
	struct run_curve farm;

	*ret = (struct placement_curve){ .reach = 0 };
	if (!job_size_is_range(&job->size))
		return;
	if (!engine_farm_curve(engine, p->cluster, &p->application, &job->size,
			       &farm) &&
	    !curve_approach(&farm, ret))
		return;
	if (!engine_scaling(engine, p->cluster, &p->application, &job->size,
			    &found, NULL))
		curve_set(&found.scaling, found.scaling.n_min,
			  CURVE_REACH * found.scaling.n_max, ret);
}

static bool quantile_has_held(struct engine *engine, const struct prediction *p)
{
	uint32_t judged, held;

	ORDERED_LOCK_HOLD(&engine->lock);

	track_record_read(engine->learned.track_record, p, &judged, &held);
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
