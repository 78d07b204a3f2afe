/* SPDX-License-Identifier: GPL-2.0-or-later */
/* codecs.c - codecs of what several messages share */
#include <math.h>
#include <string.h>

#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

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

const struct codec codec_id = { id_print, id_decode, false };

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

const struct codec codec_word = { word_print, word_decode, false };

/* --- {"n": 8000, ...} ---------------------------------------------------- */

static bool parameters_print(const struct field *field, const void *member,
			     struct wire_text *out)
{
	const struct parameters *set = member;

	(void)field;
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

static int parameters_decode(const struct field *field,
			     struct json_object *value, void *member,
			     struct sp_error *err)
{
	struct parameters set = { 0 };

	(void)field;
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

/* --- Quantiles: [[probability, seconds], ...] ------------------------------ */

/* Nothing known is an empty array. */
static bool quantiles_print(const struct field *field, const void *member,
			    struct wire_text *out)
{
	const double *knots_s = member;
	const char *before = "[[";

	(void)field;
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
	double probability;
	double seconds;

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

static int quantiles_decode(const struct field *field,
			    struct json_object *value, void *member,
			    struct sp_error *err)
{
	double *knots_s = member;
	struct sp_error why;

	(void)field;
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
	[FIELD_ID] = &codec_id,
	[FIELD_BOOL] = &codec_bool,
	[FIELD_INT] = &codec_int,
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
