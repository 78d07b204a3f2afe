/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sooner.c - whether a waiting job would start much sooner if changed
 *
 * Each draw of run times is simulated with both limits: the gains of the draws
 * are the distribution of the gain.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/scheduler/sooner.h"
#include "predictor/stats/quantile.h"

#define DRAWS 100

/* Find the start of the job in at most *draws draws, and in how many. */
static int starts_draw(const struct sooner_pool *pool, double budget_s,
		       struct start_time *room, int *draws, double *ret_s,
		       struct sp_error *err)
{
	double until_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID) + budget_s;
	int k = 0;

	do {
		int one = 1;

		if (start_times(&pool->rules, pool->jobs, pool->count, 0,
				(uint64_t)pool->now_s + (uint64_t)k, &one, room,
				NULL, err))
			return -1;
		ret_s[k++] = room[pool->which].median_s;
	} while (k < *draws && clock_read_s(CLOCK_THREAD_CPUTIME_ID) < until_s);
	*draws = k;
	return 0;
}

int sooner_find(const struct sooner_pool *pool, double limit_s, double budget_s,
		struct sooner *ret, struct sp_error *err)
{
	struct start_time *room = calloc(pool->count + 1, sizeof(*room));
	struct start_job *job = &pool->jobs[pool->which];
	double before_s[DRAWS], after_s[DRAWS], wait_s[DRAWS];
	double own_s = job->limit_s;
	int draws = DRAWS;
	int rc = room ? starts_draw(pool, budget_s, room, &draws, before_s, err)
		      : sp_error_set(err, "out of memory");

	*ret = (struct sooner){ .wait_s = NAN };
	if (rc == 0 && !isnan(before_s[0])) {
		memcpy(wait_s, before_s, sizeof(wait_s));
		ret->wait_s = quantile_sample(wait_s, (size_t)draws, 0.5);
	}
	if (limit_s < own_s && sooner_is_worth(0, ret->wait_s)) {
		job->limit_s = limit_s;
		rc = starts_draw(pool, HUGE_VAL, room, &draws, after_s, err);
		job->limit_s = own_s;
		for (int k = 0; rc == 0 && k < draws; k++)
			after_s[k] = before_s[k] - after_s[k];
		if (rc == 0)
			ret->gain_s = quantile_sample(after_s, (size_t)draws,
						      1 - SOONER_SURE);
	}
	ret->worth = sooner_is_worth(ret->wait_s, ret->gain_s);
	free(room);
	return rc;
}
