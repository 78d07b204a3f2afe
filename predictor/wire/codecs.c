/* SPDX-License-Identifier: GPL-2.0-or-later */
/* codecs.c - how members of each kind are printed and read
 *
 * For each kind a pair of functions, which check what they read against the
 * bounds of the row, and a table of them.  Structs and lists of structs are in
 * fields.c.
 */
#include <math.h>
#include <string.h>

#include "predictor/features/secret.h"
#include "predictor/wire/fields.h"
#include "predictor/wire/wire.h"

/* No time, size or rate that we know comes near; sums and squares of such
 * numbers are still finite. */
#define NUMBER_MAX 1e15

#define TIME_MAX_S 253402300799.0 /* the end of the year 9999 */

/* Doubles hold all integers up to here. */
#define I64_MAX ((int64_t)1 << 53)

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
	if (field->typed)
		wire_text_add_typed(out, member, field->size - 1, NULL);
	else
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
	if (field->typed)
		secret_mask_text(member);
	return 0;
}

static const struct codec codec_text = { text_print, text_decode, false };

static bool lent_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	const char *text = *(const char *const *)member;

	if (text && field->typed)
		wire_text_add_typed(out, text, (size_t)field->max, NULL);
	else if (text)
		wire_text_add_string(out, text, (size_t)field->max);
	return text != NULL;
}

static int lent_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	if (decode_text(value, (size_t)field->max, member, err) < 0)
		return -1;
	if (field->typed)
		/* Its object has it to itself, nobody asks for its length. */
		secret_mask_text(*(char **)member);
	return 0;
}

static const struct codec codec_lent = { lent_print, lent_decode, false };

/* --- Integers ------------------------------------------------------------ */

static bool bool_print(const struct field *field UNUSED, const void *member,
		       struct wire_text *out)
{
	wire_text_add_constant(out, *(const bool *)member ? "true" : "false");
	return true;
}

static int bool_decode(const struct field *field UNUSED,
		       struct json_object *value, void *member,
		       struct sp_error *err)
{
	if (!json_object_is_type(value, json_type_boolean))
		return sp_error_set(err, ": must be true or false");
	*(bool *)member = json_object_get_boolean(value);
	return 0;
}

static const struct codec codec_bool = { bool_print, bool_decode, false };

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
	static const struct codec codec_##name = { name##_print,            \
						   name##_decode, false }

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

static bool time_print(const struct field *field UNUSED, const void *member,
		       struct wire_text *out)
{
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

static int time_decode(const struct field *field UNUSED,
		       struct json_object *value, void *member,
		       struct sp_error *err)
{
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

static const struct codec codec_known = { number_print, known_decode, false };
static const struct codec codec_number = { number_print, number_decode, true };
static const struct codec codec_time = { time_print, time_decode, false };
static const struct codec codec_open_time = { time_print, open_time_decode,
					      true };

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

static const struct codec codec_limit = { limit_print, limit_decode, true };

/* --- Prediction ids ------------------------------------------------------ */

static bool id_print(const struct field *field, const void *member,
		     struct wire_text *out)
{
	wire_text_add_string(out, member, field->size - 1);
	return true;
}

static int id_decode(const struct field *field, struct json_object *value,
		     void *member, struct sp_error *err)
{
	const char *text;

	if (decode_text(value, field->size - 1, &text, err) < 0)
		return -1;

	size_t length = strlen(text);

	if ((length && length != field->size - 1) ||
	    strspn(text, "0123456789abcdef") != length)
		return sp_error_set(err, ": must be 16 hexadecimal digits");
	memcpy(member, text, length + 1);
	return 0;
}

static const struct codec codec_id = { id_print, id_decode, false };

/* --- Words for enums ----------------------------------------------------- */

#define WORD_MAX 32

static bool word_print(const struct field *field, const void *member,
		       struct wire_text *out)
{
	int value;

	memcpy(&value, member, sizeof(value));
	wire_text_add_string(out, enum_words_name(field->words, value),
			     WORD_MAX);
	return true;
}

static int word_decode(const struct field *field, struct json_object *value,
		       void *member, struct sp_error *err)
{
	const char *text;
	int number;

	if (decode_text(value, WORD_MAX, &text, err) < 0)
		return -1;
	if (enum_words_parse(field->words, text, &number) < 0)
		return sp_error_set(err, ": unknown word '%s'", text);
	memcpy(member, &number, sizeof(number));
	return 0;
}

static const struct codec codec_word = { word_print, word_decode, false };

/* --- {"n": 8000, ...} ---------------------------------------------------- */

static bool parameters_print(const struct field *field UNUSED,
			     const void *member, struct wire_text *out)
{
	const struct parameters *set = member;

	wire_text_add(out, "{", 1);
	for (int i = 0; i < set->count; i++) {
		if (i)
			wire_text_add(out, ",", 1);
		wire_text_add_string(out, set->of[i].name, PARAMETER_NAME_SIZE);
		wire_text_add(out, ":", 1);
		wire_text_add_number(out, set->of[i].value);
	}
	wire_text_add(out, "}", 1);
	return true;
}

static int parameters_decode(const struct field *field UNUSED,
			     struct json_object *value, void *member,
			     struct sp_error *err)
{
	struct parameters set = { 0 };

	if (!json_object_is_type(value, json_type_object))
		return sp_error_set(err, ": must be an object");
	json_object_object_foreach(value, name, entry) {
		struct sp_error why;
		double number;

		if (decode_number(entry, -HUGE_VAL, HUGE_VAL, &number, &why) <
		    0)
			return sp_error_set(err, ".%.40s%s", name, why.text);
		if (parameters_set(&set, name, number, &why) < 0)
			return sp_error_set(err, ": %s", why.text);
	}
	*(struct parameters *)member = set;
	return 0;
}

static const struct codec codec_parameters = { parameters_print,
					       parameters_decode, false };

/* --- Quantiles: [[probability, seconds], ...] ----------------------------- */

/* Nothing known is an empty array. */
static bool quantiles_print(const struct field *field UNUSED,
			    const void *member, struct wire_text *out)
{
	const double *knots_s = member;
	const char *before = "[[";

	for (int i = 0; i < PREDICTION_KNOTS; i++) {
		if (isnan(knots_s[i]))
			continue;
		wire_text_add_constant(out, before);
		wire_text_add_number(out, prediction_knots[i]);
		wire_text_add(out, ",", 1);
		wire_text_add_estimate(out, knots_s[i]);
		before = "],[";
	}
	wire_text_add_constant(out, *before == '[' ? "[]" : "]]");
	return true;
}

static int decode_quantile(struct json_object *pair, double knots_s[],
			   struct sp_error *err)
{
	double probability, seconds;

	if (!json_object_is_type(pair, json_type_array) ||
	    json_object_array_length(pair) != 2)
		return sp_error_set(err, ": must be an array of two");
	if (decode_number(json_object_array_get_idx(pair, 0), 0, 1,
			  &probability, err) ||
	    decode_number(json_object_array_get_idx(pair, 1), 0, 1e15, &seconds,
			  err))
		return -1;
	/* Others than we keep are another version's. */
	for (int i = 0; i < PREDICTION_KNOTS; i++)
		if (fabs(prediction_knots[i] - probability) < 1e-9)
			knots_s[i] = seconds;
	return 0;
}

static int quantiles_decode(const struct field *field UNUSED,
			    struct json_object *value, void *member,
			    struct sp_error *err)
{
	double *knots_s = member;
	struct sp_error why;

	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, ": must be an array");

	size_t count = json_object_array_length(value);

	if (count > 4 * PREDICTION_KNOTS)
		return sp_error_set(err, ": has more than %d entries",
				    4 * PREDICTION_KNOTS);
	for (size_t i = 0; i < count; i++)
		if (decode_quantile(json_object_array_get_idx(value, i),
				    knots_s, &why))
			return sp_error_set(err, "[%zu]%s", i, why.text);
	return 0;
}

static const struct codec codec_quantiles = { quantiles_print, quantiles_decode,
					      false };

/* --- All kinds ------------------------------------------------------------ */

static const struct codec *const codecs[] = {
	[FIELD_TEXT] = &codec_text,
	[FIELD_LENT] = &codec_lent,
	[FIELD_ID] = &codec_id,
	[FIELD_BOOL] = &codec_bool,
	[FIELD_INT] = &codec_int,
	[FIELD_UINT2] = &codec_u16,
	[FIELD_UINT] = &codec_u32,
	[FIELD_INT8] = &codec_i64,
	[FIELD_NUMBER] = &codec_number,
	[FIELD_KNOWN] = &codec_known,
	[FIELD_KNOWN4] = &codec_known,
	[FIELD_LIMIT] = &codec_limit,
	[FIELD_TIME] = &codec_time,
	[FIELD_OPEN_TIME] = &codec_open_time,
	[FIELD_ENUM] = &codec_word,
	[FIELD_RECORD] = &codec_object,
	[FIELD_LIST] = &codec_list,
	[FIELD_PARAMETERS] = &codec_parameters,
	[FIELD_KNOTS] = &codec_quantiles,
};

const struct codec *field_codec(const struct field *field)
{
	return field->codec ? field->codec : codecs[field->kind];
}
