/* SPDX-License-Identifier: GPL-2.0-or-later */
/* link.c - a measurement of the link from one node to another */
#include <math.h>

#include "predictor/features/describe.h"
#include "predictor/features/link.h"

void link_measurement_init(struct link_measurement *ret)
{
	*ret = (struct link_measurement){ .time_s = NAN };
	fields_unknown(link_measurement_fields, ret);
}
