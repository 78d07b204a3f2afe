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

#define WORD_CODEC(name, type, to_word, from_word)                             \
	static bool name##_print(const struct field *field,                    \
				 const void *member, struct wire_text *out)    \
	{                                                                      \
		(void)field;                                                   \
		wire_text_add_string(out, to_word(*(const type *)member), 32); \
		return true;                                                   \
	}                                                                      \
                                                                               \
	static int name##_decode(const struct field *field,                    \
				 struct json_object *value, void *member,      \
				 struct sp_error *err)                         \
	{                                                                      \
		const char *text;                                              \
                                                                               \
		(void)field;                                                   \
		if (decode_text(value, 32, &text, err) < 0)                    \
			return -1;                                             \
		if (from_word(text, member) < 0)                               \
			return sp_error_set(err, ": unknown word '%s'", text); \
		return 0;                                                      \
	}                                                                      \
                                                                               \
	const struct codec codec_##name = { name##_print, name##_decode, false }

WORD_CODEC(stage, enum prediction_stage, prediction_stage_name,
	   prediction_stage_parse);
WORD_CODEC(mode, enum prediction_mode, prediction_mode_name,
	   prediction_mode_parse);
WORD_CODEC(basis, enum prediction_basis, prediction_basis_name,
	   prediction_basis_parse);
WORD_CODEC(evidence_level, enum evidence_level, evidence_level_name,
	   evidence_level_parse);
WORD_CODEC(unlike, enum prediction_unlike, prediction_unlike_name,
	   prediction_unlike_parse);
WORD_CODEC(state, enum run_state, run_state_name, run_state_parse);

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

const struct codec codec_parameters = { parameters_print, parameters_decode,
					false };

/* --- Conditions ---------------------------------------------------------- */

const struct field conditions_fields[] = {
	FIELD(struct conditions, nodes_known, codec_int),
	FIELD(struct conditions, cpu_load, codec_number, .estimated = true),
	FIELD(struct conditions, cpu_load_max, codec_number, .estimated = true),
	FIELD(struct conditions, cpu_available, codec_number, .estimated = true,
	      .max = 1),
	FIELD(struct conditions, cpu_available_min, codec_number,
	      .estimated = true, .max = 1),
	FIELD(struct conditions, bandwidth_bps, codec_number,
	      .estimated = true),
	FIELD(struct conditions, latency_s, codec_number, .estimated = true),
	{ .name = NULL },
};
