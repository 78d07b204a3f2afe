/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_factor.c - the partition factor of fsc and dpf, from the last
 * iteration
 *
 * E. Cesar et al. (farm.h), section 5.1, the steps (a) to (f).  Where they take
 * expressions (7) to (9) for the time of an iteration, it is simulated, since
 * these are for one chunk for each worker.
 */
#include <math.h>
#include <stddef.h>

#include "predictor/farm/partition_factor.h"

#define FACTOR_STEPS 10 /* .1 to 1.0 */

double partition_factor_estimate(const struct farm_iteration *iteration,
				 const struct worker_record workers[])
{
	struct farm_iteration trial = *iteration;
	struct worker_speed_step steps[FARM_WORKERS_MAX];
	struct worker_speed speeds[FARM_WORKERS_MAX];
	double least = HUGE_VAL, best = 1;

	for (int i = 0; i < trial.rules.n; i++) {
		const struct worker_record *w = &workers[i];

		steps[i] = (struct worker_speed_step){ .speed = 1 };
		if (w->tasks > 0 && w->l > 0)
			steps[i].speed = w->tasks * iteration->farm->mu / w->l;
		speeds[i] = (struct worker_speed){ 1, &steps[i] };
	}
	trial.work = NULL;
	trial.speeds = speeds;
	for (int step = 1; step <= FACTOR_STEPS; step++) {
		trial.rules.factor = (double)step / FACTOR_STEPS;

		double Tt = farm_simulate(&trial, NULL);

		if (Tt < least) {
			least = Tt;
			best = trial.rules.factor;
		}
	}
	return best;
}
