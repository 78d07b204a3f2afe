/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sooner.c - whether a waiting job would start much sooner if changed
 *
 * Each draw of run times is simulated without a change and with each: the gains
 * of the draws are the distribution of the gain.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/scheduler/sooner.h"
#include "predictor/stats/quantile.h"

#define DRAWS 100

int sooner_find(const struct sooner_pool *pool,
		const struct sooner_change changes[], int count,
		bool (*stops)(void *argument), void *argument,
		struct sooner *ret, struct sp_error *err)
{
	struct start_time *room = calloc(pool->count + 1, sizeof(*room));
	struct start_job *job = &pool->jobs[pool->which];
	const struct start_job own = *job;
	double wait_s[DRAWS], gain_s[SOONER_CHANGES][DRAWS];
	int draws = 0;
	int rc = room ? 0 : sp_error_set(err, "out of memory");

	for (; rc == 0 && draws < DRAWS && !stops(argument); draws++) {
		double start_s[1 + SOONER_CHANGES] = { 0 };

		for (int i = 0; rc == 0 && i <= count; i++) {
			int one = 1;

			*job = i ? changes[i - 1].job : own;
			rc = start_times(
				&pool->rules, pool->jobs, pool->count, 0,
				(uint64_t)pool->now_s + (uint64_t)draws, &one,
				room, NULL, err);
			start_s[i] = room[pool->which].median_s;
		}
		*job = own;
		wait_s[draws] = start_s[0];
		for (int i = 0; i < count; i++)
			gain_s[i][draws] = start_s[0] - start_s[i + 1] -
					   changes[i].longer_s;
	}
	*ret = (struct sooner){ .wait_s = NAN };
	if (rc == 0 && draws && !isnan(wait_s[0])) {
		for (int i = 0; draws >= SOONER_DRAWS_LEAST && i < count; i++)
			ret->gain_s[i] = quantile_sample(
				gain_s[i], (size_t)draws, 1 - SOONER_SURE);
		ret->wait_s = quantile_sample(wait_s, (size_t)draws, 0.5);
	}
	ret->worth = sooner_is_worth(ret->wait_s, ret->gain_s[0]);
	free(room);
	return rc;
}
