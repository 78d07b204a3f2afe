/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate.h - an iteration of a farm, chunk by chunk
 *
 * The master sends one chunk to each worker, then the next one to each worker
 * that has replied, in the order of replies.  A send costs it mo; asynchronous
 * messages then pass its link one after the other, k v each, while it goes on;
 * synchronous ones hold it up that long.  A reply costs the worker mo, and
 * passes the master's link in the other direction.  Workers have speeds that
 * may change on the way.
 *
 * With one chunk for each of n equal workers this is (7) to (9) of [1]
 * (farm.h), as long as the master is not saturated.  10,000 tasks take 3 us on
 * 8 workers, 60 us on 512.
 */
#pragma once

#include <stdint.h>

#include "predictor/farm/farm_policy.h"

/* From a time on, in seconds after the start, a worker's node has this speed,
 * > 0; 1: as if it were alone. */
struct worker_speed_step {
	double from, speed;
};

struct worker_speed {
	int count; /* at least 1; the first step is from 0 */
	const struct worker_speed_step *steps;
};

struct farm_iteration {
	const struct farm *farm;
	const struct message_costs *costs;
	const struct farm_policy *policy;
	struct handout_rules rules; /* n <= FARM_WORKERS_MAX */
	/* work[i]: time of the first i tasks at speed 1; NULL: mu each. */
	const double *work;
	const struct worker_speed *speeds; /* rules.n; NULL: all 1 */
};

/* What a worker did. */
struct worker_record {
	int tasks;
	double l; /* time it computed for */
};

/* Tt in seconds.  ret_workers[rules.n] may be NULL. */
double farm_simulate(const struct farm_iteration *iteration,
		     struct worker_record ret_workers[]);

/* Return the time at which a worker that begins at `start` has done `work`. */
double worker_speed_end(const struct worker_speed *speed, double start,
			double work);

/* Times of M tasks as `work` above, work[M + 1]: log-normal with the farm's mu
 * and sigma, in an order that `seed` alone decides. */
void farm_draw_work(const struct farm *farm, uint64_t seed, double work[]);
