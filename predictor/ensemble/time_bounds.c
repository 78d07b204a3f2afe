/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time_bounds.c - how long a run of a cluster can take at most */
#include <math.h>

#include "predictor/ensemble/time_bounds.h"

/* A run is late that went past its limit by more than this: Slurm checks every
 * half minute, and lets a job end in its KillWait. */
#define LATE_FACTOR  1.05
#define LATE_GRACE_S 60.0
/* Limits count as not enforced when so large a share of runs is late. */
#define LATE_SHARE 0.05
/* Share of what was known before a run that is kept after it. */
#define DECAY 0.999
/* A run reached its limit from this share of it. */
#define REACHED 0.95
/* The weight of the newest run, where limits were too low. */
#define NEEDY_WEIGHT 0.2

static bool is_limited(const struct query *query)
{
	return query->limit_s > 0 && isfinite(query->limit_s);
}

/* NULL: no run of the cluster has ended. */
static const struct time_bounds_cluster *
cluster_find(const struct time_bounds *bounds, uint64_t key)
{
	for (int i = 0; i < bounds->count; i++)
		if (bounds->clusters[i].key == key)
			return &bounds->clusters[i];
	return NULL;
}

/* The same, made if need be; NULL: no room. */
static struct time_bounds_cluster *cluster_get(struct time_bounds *bounds,
					       uint64_t key)
{
	const struct time_bounds_cluster *known = cluster_find(bounds, key);

	if (known)
		return &bounds->clusters[known - bounds->clusters];
	if (bounds->count == TIME_BOUNDS_CLUSTERS_MAX)
		return NULL;

	struct time_bounds_cluster *cluster = &bounds->clusters[bounds->count];

	*cluster = (struct time_bounds_cluster){ .key = key, .needy = 1 };
	bounds->count++;
	return cluster;
}

double time_bounds_limit_s(const struct time_bounds *bounds,
			   const struct query *query)
{
	const struct time_bounds_cluster *cluster;

	if (!(query->limit_s > 0))
		return HUGE_VAL;
	cluster = cluster_find(bounds, query->cluster_key);
	return cluster && cluster->late > LATE_SHARE ? HUGE_VAL
						     : query->limit_s;
}

double time_bounds_most_s(const struct time_bounds *bounds,
			  const struct query *query)
{
	const struct time_bounds_cluster *cluster =
		cluster_find(bounds, query->cluster_key);
	double longest_s = cluster ? cluster->longest_s : 0;

	if (is_limited(query))
		longest_s = fmax(longest_s, query->limit_s);
	return longest_s > 0 ? TIME_BOUNDS_BEYOND * longest_s : HUGE_VAL;
}

double time_bounds_needy(const struct time_bounds *bounds,
			 const struct query *query)
{
	const struct time_bounds_cluster *cluster =
		cluster_find(bounds, query->cluster_key);

	return cluster ? cluster->needy : 1;
}

void time_bounds_note_needy(struct time_bounds *bounds,
			    const struct query *query, double runtime_s)
{
	struct time_bounds_cluster *cluster =
		cluster_get(bounds, query->cluster_key);

	if (!cluster || !is_limited(query))
		return;

	bool reached = runtime_s > REACHED * query->limit_s;

	cluster->needy += NEEDY_WEIGHT * (reached - cluster->needy);
}

void time_bounds_note(struct time_bounds *bounds, const struct query *query,
		      double runtime_s)
{
	struct time_bounds_cluster *cluster =
		cluster_get(bounds, query->cluster_key);

	if (!cluster)
		return;
	cluster->longest_s = fmax(cluster->longest_s, runtime_s);
	if (!is_limited(query))
		return;
	cluster->longest_s = fmax(cluster->longest_s, query->limit_s);

	bool late = runtime_s > LATE_FACTOR * query->limit_s + LATE_GRACE_S;

	cluster->late = DECAY * cluster->late + (1 - DECAY) * late;
}
