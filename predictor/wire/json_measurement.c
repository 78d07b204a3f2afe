/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_measurement.c - the state of a node as a message */
#include <math.h>

#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

static const struct field measurement_fields[] = {
	FIELD(struct measurement, node, codec_text, .required = true),
	FIELD(struct measurement, time_s, codec_time, .required = true),
	FIELD(struct measurement, cpu_load, codec_number),
	FIELD(struct measurement, cpu_available, codec_number, .max = 1),
	FIELD(struct measurement, cpu_available_now, codec_number, .max = 1),
	FIELD(struct measurement, cpu_correction, codec_number),
	FIELD(struct measurement, host, codec_number),
	FIELD(struct measurement, host_nodes, codec_number),
	FIELD(struct measurement, cpu_speed, codec_number),
	FIELD(struct measurement, cpu_turn_s, codec_number, .max = 1),
	FIELD(struct measurement, cpu_credit_s, codec_number),
	FIELD(struct measurement, memory_available_mb, codec_number),
	FIELD(struct measurement, spool_free_mb, codec_number),
	FIELD(struct measurement, spool_failed, codec_number),
	{ .name = NULL },
};

struct json_object *wire_measurement_encode(const struct measurement *m)
{
	return fields_encode(measurement_fields, m);
}

int wire_measurement_decode(struct json_object *message,
			    struct measurement *ret, struct sp_error *err)
{
	struct measurement m = {
		.cpu_load = NAN,
		.cpu_available = NAN,
		.cpu_available_now = NAN,
		.cpu_correction = NAN,
		.host = NAN,
		.host_nodes = NAN,
		.cpu_speed = NAN,
		.cpu_turn_s = NAN,
		.cpu_credit_s = NAN,
		.memory_available_mb = NAN,
		.spool_free_mb = NAN,
		.spool_failed = NAN,
	};

	if (fields_decode(measurement_fields, message, &m, err) < 0)
		return -1;
	if (!*m.node)
		return sp_error_set(err, "node: is empty");
	if (m.cpu_speed == 0)
		return sp_error_set(err, "cpu_speed: must be more than 0");
	*ret = m;
	return 0;
}
