/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fields.c - JSON objects to and from structs, by tables of fields
 *
 * A row of a table has a key, the offset of a member and a codec.
 * fields_print() writes text without allocating per field; fields_decode()
 * checks every value against the bounds of its row, leaves members of missing
 * keys alone, ignores unknown keys, and names the key in its error.  Below it
 * are the codecs of texts, integers, numbers and nested structs; others are in
 * codecs.h and in the files of their messages.  Pure functions: no state, no
 * lock.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "predictor/wire/fields.h"
#include "predictor/wire/utf8.h"

/* No time, size or rate that we know comes near; sums and squares of such
 * numbers are still finite. */
#define NUMBER_MAX 1e15

#define TIME_MAX_S 253402300799.0 /* the end of the year 9999 */

/* Doubles hold all integers up to here. */
#define I64_MAX ((int64_t)1 << 53)

/* --- Walking a table ----------------------------------------------------- */

static bool is_blank(const char *member, size_t size)
{
	while (size > 0 && !member[size - 1])
		size--;
	return size == 0;
}

void fields_print(const struct field fields[], const void *from,
		  struct wire_text *out)
{
	char before = '{';

	for (const struct field *f = fields; f->name; f++) {
		const char *member = (const char *)from + f->offset;
		size_t start = out->size;

		if (f->unsent || (f->sparse && f->kind != FIELD_LIST &&
				  is_blank(member, f->size)))
			continue;
		wire_text_add(out, &before, 1);
		wire_text_add(out, "\"", 1);
		wire_text_add_constant(out, f->name);
		wire_text_add(out, "\":", 2);
		if (field_codec(f)->print(f, member, out))
			before = ',';
		else
			out->size = start;
	}
	if (before == '{')
		wire_text_add(out, "{", 1);
	wire_text_add(out, "}", 1);
}

struct json_object *fields_encode(const struct field fields[], const void *from)
{
	struct wire_text text = { 0 };
	struct json_object *message = NULL;

	fields_print(fields, from, &text);
	if (!text.failed)
		message = json_tokener_parse(text.bytes);
	wire_text_clear(&text);
	return message;
}

int fields_decode(const struct field fields[], struct json_object *message,
		  void *into, struct sp_error *err)
{
	struct sp_error why = { "" };

	if (!json_object_is_type(message, json_type_object))
		return sp_error_set(err, "message: must be an object");
	for (const struct field *f = fields; f->name; f++) {
		const struct codec *codec = field_codec(f);
		struct json_object *value;

		if (f->unsent)
			continue;
		if (!json_object_object_get_ex(message, f->name, &value) ||
		    (!value && !codec->takes_null)) {
			if (f->required)
				return sp_error_set(err, "%s: is missing",
						    f->name);
			continue;
		}
		if (codec->decode(f, value, (char *)into + f->offset, &why))
			return sp_error_set(err, "%s%s", f->name, why.text);
	}
	return 0;
}

/* --- Texts --------------------------------------------------------------- */

int decode_text(struct json_object *value, size_t max, const char **ret,
		struct sp_error *err)
{
	if (!json_object_is_type(value, json_type_string))
		return sp_error_set(err, ": must be a text");

	const char *text = json_object_get_string(value);
	size_t size = (size_t)json_object_get_string_len(value);

	if (size > max)
		return sp_error_set(err, ": longer than %zu bytes", max);
	if (strlen(text) != size)
		return sp_error_set(err, ": holds a NUL byte");
	*ret = text;
	return 0;
}

static bool text_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	wire_text_add_string(out, member, field->size - 1);
	return true;
}

static int text_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	const char *text;

	if (decode_text(value, field->size - 1, &text, err) < 0)
		return -1;
	memcpy(member, text, strlen(text) + 1);
	return 0;
}

const struct codec codec_text = { text_print, text_decode, false };

static bool lent_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	const char *text = *(const char *const *)member;

	if (text)
		wire_text_add_string(out, text, field->size - 1);
	return text != NULL;
}

static int lent_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	return decode_text(value, field->size - 1, member, err);
}

const struct codec codec_lent = { lent_print, lent_decode, false };

/* --- Integers ------------------------------------------------------------ */

static bool bool_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	(void)field;
	wire_text_add_constant(out, *(const bool *)member ? "true" : "false");
	return true;
}

static int bool_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	(void)field;
	if (!json_object_is_type(value, json_type_boolean))
		return sp_error_set(err, ": must be true or false");
	*(bool *)member = json_object_get_boolean(value);
	return 0;
}

const struct codec codec_bool = { bool_print, bool_decode, false };

static int decode_integer(const struct field *field, struct json_object *value,
			  int64_t max, int64_t *ret, struct sp_error *err)
{
	if (field->max > 0)
		max = (int64_t)field->max;
	if (!json_object_is_type(value, json_type_int))
		return sp_error_set(err, ": must be a whole number");

	/* json-c gives the nearest that fits for what does not. */
	int64_t number = json_object_get_int64(value);

	if (number < 0 || number > max)
		return sp_error_set(err, ": must be in 0 to %lld",
				    (long long)max);
	*ret = number;
	return 0;
}

#define INTEGER_CODEC(name, type, max)                                      \
	static bool name##_print(const struct field *field,                 \
				 const void *member, struct wire_text *out) \
	{                                                                   \
		(void)field;                                                \
		wire_text_add_integer(out, *(const type *)member);          \
		return true;                                                \
	}                                                                   \
                                                                            \
	static int name##_decode(const struct field *field,                 \
				 struct json_object *value, void *member,   \
				 struct sp_error *err)                      \
	{                                                                   \
		int64_t number;                                             \
                                                                            \
		if (decode_integer(field, value, max, &number, err) < 0)    \
			return -1;                                          \
		*(type *)member = (type)number;                             \
		return 0;                                                   \
	}                                                                   \
                                                                            \
	const struct codec codec_##name = { name##_print, name##_decode, false }

INTEGER_CODEC(u16, uint16_t, UINT16_MAX);
INTEGER_CODEC(u32, uint32_t, UINT32_MAX);
INTEGER_CODEC(int, int, INT32_MAX);
INTEGER_CODEC(i64, int64_t, I64_MAX);

/* --- Numbers ------------------------------------------------------------- */

int decode_number(struct json_object *value, double min, double max,
		  double *ret, struct sp_error *err)
{
	if (!json_object_is_type(value, json_type_double) &&
	    !json_object_is_type(value, json_type_int))
		return sp_error_set(err, ": must be a number");

	double number = json_object_get_double(value);

	if (!isfinite(number))
		return sp_error_set(err, ": must be finite");
	if (number < min || number > max)
		return sp_error_set(err, ": must be in %.15g to %.15g", min,
				    max);
	*ret = number;
	return 0;
}

static bool number_print(const struct field *field, const void *member,
			 struct wire_text *out)
{
	double value = *(const double *)member;

	if (field->estimated)
		wire_text_add_estimate(out, value);
	else
		wire_text_add_number(out, value);
	return true;
}

static bool time_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	(void)field;
	wire_text_add_time(out, *(const double *)member);
	return true;
}

static int known_decode(const struct field *field, struct json_object *value,
			void *member, struct sp_error *err)
{
	return decode_number(value, 0, field->max > 0 ? field->max : NUMBER_MAX,
			     member, err);
}

static int number_decode(const struct field *field, struct json_object *value,
			 void *member, struct sp_error *err)
{
	if (value)
		return known_decode(field, value, member, err);
	*(double *)member = NAN;
	return 0;
}

static int time_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	(void)field;
	return decode_number(value, 0, TIME_MAX_S, member, err);
}

static int open_time_decode(const struct field *field,
			    struct json_object *value, void *member,
			    struct sp_error *err)
{
	if (value)
		return time_decode(field, value, member, err);
	*(double *)member = NAN;
	return 0;
}

const struct codec codec_known = { number_print, known_decode, false };
const struct codec codec_number = { number_print, number_decode, true };
const struct codec codec_time = { time_print, time_decode, false };
const struct codec codec_open_time = { time_print, open_time_decode, true };

static bool limit_print(const struct field *field, const void *member,
			struct wire_text *out)
{
	double limit_s = *(const double *)member;

	if (!isinf(limit_s))
		return number_print(field, member, out);
	wire_text_add_constant(out, "\"unlimited\"");
	return true;
}

static int limit_decode(const struct field *field, struct json_object *value,
			void *member, struct sp_error *err)
{
	if (json_object_is_type(value, json_type_string)) {
		if (strcmp(json_object_get_string(value), "unlimited"))
			return sp_error_set(err, ": must be a number, null or "
						 "\"unlimited\"");
		*(double *)member = HUGE_VAL;
		return 0;
	}
	return number_decode(field, value, member, err);
}

const struct codec codec_limit = { limit_print, limit_decode, true };

/* --- Structs in structs -------------------------------------------------- */

static bool object_print(const struct field *field, const void *member,
			 struct wire_text *out)
{
	fields_print(field->nested, member, out);
	return true;
}

static int object_decode(const struct field *field, struct json_object *value,
			 void *member, struct sp_error *err)
{
	struct sp_error why;

	if (!json_object_is_type(value, json_type_object))
		return sp_error_set(err, ": must be an object");
	if (fields_decode(field->nested, value, member, &why) < 0)
		return sp_error_set(err, ".%s", why.text);
	return 0;
}

const struct codec codec_object = { object_print, object_decode, false };

/* --- Arrays of structs ---------------------------------------------------- */

/* Where the elements are counted, seen from the first of them. */
static ptrdiff_t count_place(const struct field *field)
{
	return (ptrdiff_t)field->count_offset - (ptrdiff_t)field->offset;
}

static bool list_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	const char *first = member;
	int count = *(const int *)(const void *)(first + count_place(field));

	wire_text_add(out, "[", 1);
	for (int i = 0; i < count; i++) {
		if (i)
			wire_text_add(out, ",", 1);
		fields_print(field->nested, first + (size_t)i * field->stride,
			     out);
	}
	wire_text_add(out, "]", 1);
	return count > 0 || (count == 0 && !field->sparse);
}

static int list_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	char *first = member;
	struct sp_error why;

	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, ": must be an array");
	if (json_object_array_length(value) > (size_t)field->most)
		return sp_error_set(err, ": has more than %d entries",
				    field->most);

	int count = (int)json_object_array_length(value);

	for (int i = 0; i < count; i++)
		if (fields_decode(field->nested,
				  json_object_array_get_idx(value, (size_t)i),
				  first + (size_t)i * field->stride, &why) < 0)
			return sp_error_set(err, "[%d].%s", i, why.text);
	memcpy(first + count_place(field), &count, sizeof(count));
	return 0;
}

const struct codec codec_list = { list_print, list_decode, false };
