/* link.c - the state of the way from one node to another at one moment */
#include <math.h>

#include "predictor/features/link.h"

void link_measurement_init(struct link_measurement *ret)
{
	*ret = (struct link_measurement){
		.time_s = NAN,
		.bandwidth_bps = NAN,
		.latency_s = NAN,
		.utilisation = NAN,
	};
}
