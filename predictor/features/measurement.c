/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measurement.c - a measurement of a node, and the conditions for a job */
#include <math.h>

#include "predictor/features/measurement.h"

void conditions_init(struct conditions *ret)
{
	*ret = (struct conditions){
		.cpu_load = NAN,
		.cpu_load_max = NAN,
		.cpu_available = NAN,
		.cpu_available_min = NAN,
		.bandwidth_bps = NAN,
		.latency_s = NAN,
	};
}
