/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sooner.c - whether a waiting job would start much sooner if changed */
#include <math.h>
#include <stdlib.h>

#include "predictor/scheduler/sooner.h"

#define DRAWS 200

int sooner_find(const struct sooner_pool *pool, double limit_s, double budget_s,
		struct sooner *ret, struct sp_error *err)
{
	struct start_time *times = calloc(pool->count + 1, sizeof(*times));
	struct start_job *job = &pool->jobs[pool->which];
	double own_s = job->limit_s;
	int draws = DRAWS;
	int rc = times ? start_times(&pool->rules, pool->jobs, pool->count,
				     budget_s, (uint64_t)pool->now_s, &draws,
				     times, NULL, err)
		       : sp_error_set(err, "out of memory");

	*ret = (struct sooner){ .wait_s = 0 };
	if (rc == 0)
		ret->wait_s = times[pool->which].median_s;
	if (rc == 0 && limit_s < own_s && sooner_is_worth(0, ret->wait_s)) {
		job->limit_s = limit_s;
		rc = start_times(&pool->rules, pool->jobs, pool->count,
				 HUGE_VAL, (uint64_t)pool->now_s, &draws, times,
				 NULL, err);
		job->limit_s = own_s;
		ret->gain_s = ret->wait_s - times[pool->which].median_s;
	}
	ret->worth = sooner_is_worth(ret->wait_s, ret->gain_s);
	free(times);
	return rc;
}
