/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_report.c - what collectors send: runs, shares, measurements
 * in batches */
#include <stdlib.h>
#include <string.h>

#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

/* The decoders, as one function each that puts entry `i` in place. */
#define DECODER(name, type)                                                  \
	static int decode_##name(struct json_object *entry, void *array,     \
				 size_t i, struct sp_error *err)             \
	{                                                                    \
		return wire_##name##_decode(entry, (struct type *)array + i, \
					    err);                            \
	}

DECODER(run, run)
DECODER(share, run_share)
DECODER(measurement, measurement)
DECODER(link, link_measurement)
DECODER(profile_share, profile_share)

#define BATCH(array, entry)                                                 \
	{                                                                   \
#array, sizeof(((struct wire_report *)0)->array[0]),        \
			offsetof(struct wire_report, array##_count),        \
			offsetof(struct wire_report, array), decode_##entry \
	}

static const struct batch {
	const char *name;
	size_t entry_size;
	size_t count_offset, array_offset; /* in struct wire_report */
	int (*decode)(struct json_object *entry, void *array, size_t i,
		      struct sp_error *err);
} batches[] = {
	BATCH(runs, run),
	BATCH(shares, share),
	BATCH(measurements, measurement),
	BATCH(links, link),
	BATCH(profiles, profile_share),
	{ .name = NULL },
};

static int decode_batch(const struct batch *batch, struct json_object *value,
			struct wire_report *report, struct sp_error *err)
{
	struct sp_error why;

	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, "%s: must be an array", batch->name);

	size_t count = json_object_array_length(value);

	if (count > WIRE_BATCH_MAX)
		return sp_error_set(err, "%s: has more than %d entries",
				    batch->name, WIRE_BATCH_MAX);
	if (!count)
		return 0;

	void *array = calloc(count, batch->entry_size);

	if (!array)
		return sp_error_set(err, "%s: out of memory", batch->name);
	memcpy((char *)report + batch->array_offset, &array, sizeof(array));
	memcpy((char *)report + batch->count_offset, &count, sizeof(count));
	for (size_t i = 0; i < count; i++)
		if (batch->decode(json_object_array_get_idx(value, i), array, i,
				  &why) < 0)
			return sp_error_set(err, "%s[%zu].%s", batch->name, i,
					    why.text);
	return 0;
}

static const struct field report_fields[] = {
	FIELD(wire_report, cluster, TEXT),
	{ .name = NULL },
};

int wire_report_decode(struct json_object *message, struct wire_report *ret,
		       struct sp_error *err)
{
	struct wire_report report = { .runs_count = 0 };

	if (fields_decode(report_fields, message, &report, err) < 0)
		return -1;
	for (const struct batch *b = batches; b->name; b++) {
		struct json_object *value;

		if (json_object_object_get_ex(message, b->name, &value) &&
		    decode_batch(b, value, &report, err) < 0)
			goto failed;
	}
	if ((report.measurements_count || report.links_count) &&
	    !*report.cluster) {
		sp_error_set(err, "cluster: is missing");
		goto failed;
	}
	*ret = report;
	return 0;
failed:
	wire_report_clear(&report);
	return -1;
}

void wire_report_clear(struct wire_report *report)
{
	free(report->runs);
	free(report->shares);
	free(report->measurements);
	free(report->links);
	free(report->profiles);
	*report = (struct wire_report){ .runs_count = 0 };
}
