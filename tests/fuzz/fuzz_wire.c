/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_wire.c - messages from anybody
 *
 * What a decoder takes must survive being encoded and decoded again, with the
 * same text.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "predictor/wire/json_queue.h"
#include "predictor/wire/wire.h"

#define ROUND_TRIP(message, type, decode, encode)                   \
	do {                                                        \
		type first, second;                                 \
		struct sp_error why = { "" };                       \
                                                                    \
		if (decode(message, &first, &why) < 0) {            \
			assert(why.text[0]);                        \
			break;                                      \
		}                                                   \
		struct json_object *once = encode(&first);          \
		int rc = decode(once, &second, &why);               \
		assert(!rc);                                        \
		struct json_object *twice = encode(&second);        \
		assert(!strcmp(json_object_to_json_string(once),    \
			       json_object_to_json_string(twice))); \
		json_object_put(once);                              \
		json_object_put(twice);                             \
	} while (0)

static void decode_report(struct json_object *message)
{
	struct wire_report report;
	struct sp_error err = { "" };

	if (wire_report_decode(message, &report, &err) < 0) {
		assert(err.text[0]);
		return;
	}
	wire_report_clear(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sp_error err = { "" };
	struct json_object *message =
		wire_parse((const char *)data, size, &err);

	if (!message) {
		assert(err.text[0]);
		return 0;
	}
	ROUND_TRIP(message, struct wire_request, wire_request_decode,
		   wire_request_encode);
	ROUND_TRIP(message, struct prediction, wire_prediction_decode,
		   wire_prediction_encode);
	ROUND_TRIP(message, struct run, wire_run_decode, wire_run_encode);
	ROUND_TRIP(message, struct run_share, wire_share_decode,
		   wire_share_encode);
	ROUND_TRIP(message, struct measurement, wire_measurement_decode,
		   wire_measurement_encode);
	ROUND_TRIP(message, struct link_measurement, wire_link_decode,
		   wire_link_encode);
	ROUND_TRIP(message, struct wire_queue, wire_queue_decode,
		   wire_queue_encode);
	decode_report(message);
	json_object_put(message);
	return 0;
}
