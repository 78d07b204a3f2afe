/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measurement.c - a measurement of a node, and the conditions for a job */
#include "predictor/features/describe.h"
#include "predictor/features/measurement.h"

void conditions_init(struct conditions *ret)
{
	ret->nodes_known = 0;
	fields_unknown(conditions_fields, ret);
}
