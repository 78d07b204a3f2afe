/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_measurement.c - the state of a node as a message */
#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

struct json_object *wire_measurement_encode(const struct measurement *m)
{
	return fields_encode(measurement_fields, m);
}

int wire_measurement_decode(struct json_object *message,
			    struct measurement *ret, struct sp_error *err)
{
	struct measurement m = { .time_s = 0 };

	fields_unknown(measurement_fields, &m);
	if (fields_decode(measurement_fields, message, &m, err) < 0)
		return -1;
	if (!*m.node)
		return sp_error_set(err, "node: is empty");
	if (m.cpu_speed == 0)
		return sp_error_set(err, "cpu_speed: must be more than 0");
	*ret = m;
	return 0;
}
