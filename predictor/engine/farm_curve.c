/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_curve.c - run time of a farm over the number of nodes, simulated
 *
 * The newest profile with the job's parameters is copied under the engine's
 * lock; simulations, of 0.1 ms or less each, are made without it, on nodes that
 * nobody else uses.  The quantile follows from how the profiled runs differ in
 * general, as there may be one only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/farm_curve.h"
#include "predictor/models/farm/farm_runtime.h"

/* Nothing is predicted beyond this multiple of the nodes of the profile. */
#define REACH 4

/* ln(run time) of equal farms at its 90 % quantile, above the median: two
 * nodes that are busy by chance, or tasks of another order. */
#define LN_P90 0.1

struct search {
	const char *cluster;
	const struct parameters *parameters;
	struct profile *found; /* kind: none before the first */
};

static void take_newest(void *context, const struct profile *profile)
{
	struct search *search = context;
	const struct profile *found = search->found;

	if (profile_farm_sums(&profile->farm) &&
	    !strcmp(profile->cluster, search->cluster) &&
	    parameters_equal(&profile->application.parameters,
			     search->parameters) &&
	    (!profile_farm_sums(&found->farm) ||
	     profile->measured_at_s > found->measured_at_s))
		*search->found = *profile;
}

static void find_profile(struct engine *engine, const char *cluster,
			 const struct application *application,
			 struct profile *ret)
{
	struct search search = { .parameters = &application->parameters,
				 .found = ret };

	ORDERED_LOCK_HOLD(&engine->lock);

	search.cluster = cluster && *cluster ? cluster : engine->cluster;
	profiles_visit(engine->profiles, application->name, take_newest,
		       &search);
}

uint32_t farm_curve_tasks(const struct job_size *size, uint32_t n)
{
	uint32_t nodes = job_size_nodes(size, 0);

	if (size->tasks > 0 && job_size_is_range(size))
		return size->tasks;
	return (uint32_t)((uint64_t)job_size_tasks(size, nodes) * n / nodes);
}

static void make_points(const struct farm_runtime *runtime,
			const struct job_size *size, struct run_curve *ret)
{
	struct curve *curve = &ret->curve;
	int fed = farm_runtime_fed(runtime);
	uint32_t seen = runtime->profile->nodes, reach = REACH * seen;
	uint32_t from = 1, to = reach;
	double seen_s =
		farm_runtime_on(runtime, seen, runtime->profile->tasks, NULL);

	if (job_size_is_range(size)) {
		from = size->nodes_min ? size->nodes_min : 1;
		to = size->nodes_max < reach ? size->nodes_max : reach;
	}
	*curve = (struct curve){ .count = 0 };
	ret->fed = 0;
	if (from > to)
		return;
	for (int n = (int)from; n <= (int)to && curve->count < CURVE_POINTS_MAX;
	     n = curve_next((int)from, n, (int)to)) {
		uint32_t tasks = farm_curve_tasks(size, (uint32_t)n);
		double s = farm_runtime_on(runtime, (uint32_t)n, tasks, NULL);

		if (!isfinite(s) || s <= 0)
			continue;
		if (!ret->fed && curve->count &&
		    farm_runtime_workers(runtime, (uint32_t)n, tasks) > fed)
			ret->fed = curve->points[curve->count - 1].n;
		curve_add(curve, n, s, s * exp(LN_P90), seen * seen_s);
	}
}

int engine_farm_curve(struct engine *engine, const char *cluster,
		      const struct application *application,
		      const struct job_size *size, struct run_curve *ret)
{
	struct farm_runtime *runtime = malloc(sizeof(*runtime));
	struct profile *profile = calloc(1, sizeof(*profile));
	int rc = -1;

	if (!runtime || !profile)
		goto out;
	find_profile(engine, cluster, application, profile);
	if (farm_runtime_prepare(profile, runtime, NULL))
		goto out;
	make_points(runtime, size, ret);
	if (!ret->curve.count)
		goto out;
	memcpy(ret->application, application->name, sizeof(ret->application));
	ret->runs = (int)profile->runs;
	ret->n_min = ret->n_max = (int)profile->nodes;
	ret->from_messages = true;
	ret->from_farm = true;
	rc = 0;
out:
	free(profile);
	free(runtime);
	return rc;
}
