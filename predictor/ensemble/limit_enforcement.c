/* limit_enforcement.c - whether a cluster enforces its time limits */
#include <math.h>

#include "predictor/ensemble/limit_enforcement.h"

/* A run is late that went past its limit by more than this: Slurm looks every
 * half minute, and lets a job end in its KillWait. */
#define LATE_FACTOR  1.05
#define LATE_GRACE_S 60.0
/* A limit is taken for none when so large a share of runs is late. */
#define LATE_SHARE 0.05
/* Of what was known before a run, kept after it. */
#define DECAY 0.999

static struct limits_cluster *find(const struct limits *limits, uint64_t key)
{
	for (int i = 0; i < limits->count; i++)
		if (limits->of[i].key == key)
			return (struct limits_cluster *)&limits->of[i];
	return NULL;
}

double limits_of(const struct limits *limits, const struct query *query)
{
	if (!(query->limit_s > 0))
		return HUGE_VAL;

	const struct limits_cluster *cluster = find(limits, query->cluster_key);

	return cluster && cluster->late > LATE_SHARE ? HUGE_VAL
						     : query->limit_s;
}

void limits_note(struct limits *limits, const struct query *query,
		 double runtime_s)
{
	struct limits_cluster *cluster = find(limits, query->cluster_key);

	if (!(query->limit_s > 0) || !isfinite(query->limit_s))
		return;
	if (!cluster && limits->count == LIMITS_CLUSTERS_MAX)
		return;
	if (!cluster) {
		cluster = &limits->of[limits->count++];
		*cluster = (struct limits_cluster){ query->cluster_key, 0 };
	}

	bool late = runtime_s > LATE_FACTOR * query->limit_s + LATE_GRACE_S;

	cluster->late = DECAY * cluster->late + (1 - DECAY) * late;
}
