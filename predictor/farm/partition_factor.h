/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_factor.h - the partition factor of fsc and dpf, from the last
 * iteration
 */
#pragma once

#include "predictor/farm/simulate.h"

/* Those that the first iterations use, before anything was measured. */
#define PARTITION_FACTOR_FSC 0.25
#define PARTITION_FACTOR_DPF 0.5

/* Return the factor among .1, .2, ..., 1.0 with which the next iteration would
 * be fastest, if each worker needed for a task what it needed on average in
 * `workers[iteration->rules.n]`; of equal ones the smallest.  The iteration's
 * own work, speeds and factor do not matter. */
double partition_factor_estimate(const struct farm_iteration *iteration,
				 const struct worker_record workers[]);
