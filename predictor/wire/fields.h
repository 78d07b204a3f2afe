/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.h - a message as a table of its fields
 *
 * The tables are those of features/describe.h, for records that are stored,
 * too, and others for messages alone, whose rows name a codec.  The tables of
 * the messages are all there is to know about them; one pair of functions walks
 * them.
 *
 * Private to predictor/wire/.
 */
#ifndef PREDICTOR_WIRE_FIELDS_H
#define PREDICTOR_WIRE_FIELDS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "predictor/base/error.h"
#include "predictor/features/describe.h"
#include "predictor/wire/text.h"

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

#define FIELD(type, member, its_codec, ...)                         \
	{                                                           \
		.name = #member, .codec = &(its_codec),             \
		.offset = offsetof(type, member),                   \
		.size = sizeof(((type *)NULL)->member), __VA_ARGS__ \
	}

/* The same, for a member of a struct within the struct. */
#define FIELD_IN(type, inner, member, its_codec, ...)                     \
	{                                                                 \
		.name = #member, .codec = &(its_codec),                   \
		.offset = offsetof(type, inner.member),                   \
		.size = sizeof(((type *)NULL)->inner.member), __VA_ARGS__ \
	}

/* A `const char *` that is lent from the message, of `bytes` at most. */
#define FIELD_LENT(type, member, bytes, ...)                           \
	{                                                              \
		.name = #member, .codec = &codec_lent,                 \
		.offset = offsetof(type, member), .size = (bytes) + 1, \
		__VA_ARGS__                                            \
	}

/* Tables end with a row whose name is NULL. */
void fields_print(const struct field fields[], const void *from,
		  struct wire_text *out);

/* The same as an object; NULL: out of memory. */
struct json_object *fields_encode(const struct field fields[],
				  const void *from);

/* May leave *into half filled when it fails. */
int fields_decode(const struct field fields[], struct json_object *message,
		  void *into, struct sp_error *err);

/* Numbers are >= 0 unless said otherwise. */
extern const struct codec codec_text; /* char[] */
extern const struct codec codec_lent; /* const char *, NULL: left out */
extern const struct codec codec_bool;
extern const struct codec codec_u16;       /* uint16_t */
extern const struct codec codec_u32;       /* uint32_t */
extern const struct codec codec_int;       /* int */
extern const struct codec codec_i64;       /* int64_t */
extern const struct codec codec_number;    /* double, NAN is null */
extern const struct codec codec_known;     /* double, never null */
extern const struct codec codec_time;      /* double since the epoch */
extern const struct codec codec_open_time; /* the same, NAN is null */
extern const struct codec codec_limit;  /* NAN: null, HUGE_VAL: "unlimited" */
extern const struct codec codec_object; /* a struct, by field->nested */
extern const struct codec codec_list;   /* structs, by field->nested */

/* The codec of a row, by its kind unless it names one. */
const struct codec *field_codec(const struct field *field);

/* What codecs are made of. */

/* Lends a text of at most `max` bytes that holds no NUL byte. */
int decode_text(struct json_object *value, size_t max, const char **ret,
		struct sp_error *err);
int decode_number(struct json_object *value, double min, double max,
		  double *ret, struct sp_error *err);

#endif
