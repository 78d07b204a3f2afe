/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.h - a message as a table of its fields
 *
 * The tables are those of features/describe.h, and others of the same form for
 * what is in messages alone.  They are all there is to know about the messages;
 * one pair of functions walks them.
 *
 * Private to predictor/wire/.
 */
#pragma once

#include <json-c/json.h>

#include "predictor/base/error.h"
#include "predictor/base/unused.h"
#include "predictor/features/describe.h"
#include "predictor/wire/wire.h"

/* Errors of decode() begin at the field's own place: ": must be a number",
 * ".nodes: must be ...", "[3]: must be ...". */
struct codec {
	/* False: leave the field out, whatever was printed of it. */
	bool (*print)(const struct field *field, const void *member,
		      struct wire_text *out);
	int (*decode)(const struct field *field, struct json_object *value,
		      void *member, struct sp_error *err);
	bool takes_null; /* else null is the same as a missing field */
};

#define FIELD(...) FIELD_SENT(__VA_ARGS__)

/* Tables end with a row whose name is NULL. */
void fields_print(const struct field fields[], const void *from,
		  struct wire_text *out);

extern const struct codec codec_object, codec_list;

/* Return the codec of a row, by its kind unless it names one. */
const struct codec *field_codec(const struct field *field);

/* What codecs are made of. */

/* Lends a text of at most `max` bytes that holds no NUL byte. */
int decode_text(struct json_object *value, size_t max, const char **ret,
		struct sp_error *err);
int decode_number(struct json_object *value, double min, double max,
		  double *ret, struct sp_error *err);
