/* fields.c - a message as a table of its fields */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

struct json_object *fields_encode(const struct field fields[], const void *from)
{
	struct json_object *message = json_object_new_object();
	/* The names are string constants, each in its table once. */
	const unsigned flags =
		JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY;

	for (const struct field *f = fields; message && f->name; f++) {
		struct json_object *value = NULL;
		const char *member = (const char *)from + f->offset;

		if (f->sparse && is_blank(member, f->size))
			continue;

		int rc = f->codec->encode(f, member, &value);

		if (rc > 0)
			continue;
		if (rc < 0 || json_object_object_add_ex(message, f->name, value,
							flags) < 0) {
			json_object_put(value);
			json_object_put(message);
			message = NULL;
		}
	}
	return message;
}

int fields_decode(const struct field fields[], struct json_object *message,
		  void *into, struct sp_error *err)
{
	struct sp_error why = { "" };

	if (!json_object_is_type(message, json_type_object))
		return sp_error_set(err, "message: must be an object");
	for (const struct field *f = fields; f->name; f++) {
		struct json_object *value;
		bool there =
			json_object_object_get_ex(message, f->name, &value);

		if (!there || (!value && !f->codec->takes_null)) {
			if (f->required)
				return sp_error_set(err, "%s: is missing",
						    f->name);
			continue;
		}
		if (f->codec->decode(f, value, (char *)into + f->offset, &why))
			return sp_error_set(err, "%s%s", f->name, why.text);
	}
	return 0;
}

/* --- Texts --------------------------------------------------------------- */

int encode_text(const char *text, size_t max, struct json_object **ret)
{
	size_t size = strnlen(text, max);

	if (utf8_is_valid(text, size)) {
		*ret = json_object_new_string_len(text, (int)size);
		return *ret ? 0 : -1;
	}
	char *copy = malloc(size + 1); /* at least a byte */

	if (!copy)
		return -1;
	memcpy(copy, text, size);
	utf8_repair(copy, size);
	*ret = json_object_new_string_len(copy, (int)size);
	free(copy);
	return *ret ? 0 : -1;
}

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

static int text_encode(const struct field *field, const void *member,
		       struct json_object **ret)
{
	return encode_text(member, field->size - 1, ret);
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

const struct codec codec_text = { text_encode, text_decode, false };

static int lent_encode(const struct field *field, const void *member,
		       struct json_object **ret)
{
	const char *text = *(const char *const *)member;

	return text ? encode_text(text, field->size - 1, ret) : 1;
}

static int lent_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	return decode_text(value, field->size - 1, member, err);
}

const struct codec codec_lent = { lent_encode, lent_decode, false };

/* --- Integers ------------------------------------------------------------ */

static int bool_encode(const struct field *field, const void *member,
		       struct json_object **ret)
{
	(void)field;
	*ret = json_object_new_boolean(*(const bool *)member);
	return *ret ? 0 : -1;
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

const struct codec codec_bool = { bool_encode, bool_decode, false };

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

#define INTEGER_CODEC(name, type, max)                                         \
	static int name##_encode(const struct field *field,                    \
				 const void *member, struct json_object **ret) \
	{                                                                      \
		(void)field;                                                   \
		*ret = json_object_new_int64(*(const type *)member);           \
		return *ret ? 0 : -1;                                          \
	}                                                                      \
                                                                               \
	static int name##_decode(const struct field *field,                    \
				 struct json_object *value, void *member,      \
				 struct sp_error *err)                         \
	{                                                                      \
		int64_t number;                                                \
                                                                               \
		if (decode_integer(field, value, max, &number, err) < 0)       \
			return -1;                                             \
		*(type *)member = (type)number;                                \
		return 0;                                                      \
	}                                                                      \
                                                                               \
	const struct codec codec_##name = { name##_encode, name##_decode,      \
					    false }

INTEGER_CODEC(u32, uint32_t, UINT32_MAX);
INTEGER_CODEC(int, int, INT32_MAX);
INTEGER_CODEC(i64, int64_t, I64_MAX);

/* --- Numbers ------------------------------------------------------------- */

/* The shortest text that reads back as the same number. */
int encode_number(double value, struct json_object **ret)
{
	char text[40];

	*ret = NULL;
	if (!isfinite(value))
		return 0;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (digits == 17 || strtod(text, NULL) == value)
			break;
	}
	*ret = json_object_new_double_s(value, text);
	return *ret ? 0 : -1;
}

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

static int number_encode(const struct field *field, const void *member,
			 struct json_object **ret)
{
	(void)field;
	return encode_number(*(const double *)member, ret);
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

const struct codec codec_known = { number_encode, known_decode, false };
const struct codec codec_number = { number_encode, number_decode, true };
const struct codec codec_time = { number_encode, time_decode, false };
const struct codec codec_open_time = { number_encode, open_time_decode, true };

static int limit_encode(const struct field *field, const void *member,
			struct json_object **ret)
{
	double limit_s = *(const double *)member;

	(void)field;
	if (isinf(limit_s))
		return encode_text("unlimited", strlen("unlimited"), ret);
	return encode_number(limit_s, ret);
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

const struct codec codec_limit = { limit_encode, limit_decode, true };

/* --- Structs in structs -------------------------------------------------- */

static int object_encode(const struct field *field, const void *member,
			 struct json_object **ret)
{
	*ret = fields_encode(field->nested, member);
	return *ret ? 0 : -1;
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

const struct codec codec_object = { object_encode, object_decode, false };
