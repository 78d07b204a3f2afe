/* codecs.c - codecs of what several messages share */
#include <math.h>
#include <string.h>

#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

/* --- Prediction ids ------------------------------------------------------ */

static int id_encode(const struct field *field, const void *member,
		     struct json_object **ret)
{
	return encode_text(member, field->size - 1, ret);
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

const struct codec codec_id = { id_encode, id_decode, false };

/* --- Words for enums ----------------------------------------------------- */

#define WORD_CODEC(name, type, to_word, from_word)                             \
	static int name##_encode(const struct field *field,                    \
				 const void *member, struct json_object **ret) \
	{                                                                      \
		(void)field;                                                   \
		*ret = json_object_new_string(to_word(*(const type *)member)); \
		return *ret ? 0 : -1;                                          \
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
	const struct codec codec_##name = { name##_encode, name##_decode,      \
					    false }

WORD_CODEC(stage, enum prediction_stage, prediction_stage_name,
	   prediction_stage_parse);
WORD_CODEC(mode, enum prediction_mode, prediction_mode_name,
	   prediction_mode_parse);
WORD_CODEC(basis, enum prediction_basis, prediction_basis_name,
	   prediction_basis_parse);
WORD_CODEC(state, enum run_state, run_state_name, run_state_parse);

/* --- {"n": 8000, ...} ---------------------------------------------------- */

static int parameters_encode(const struct field *field, const void *member,
			     struct json_object **ret)
{
	const struct parameters *set = member;
	struct json_object *object = json_object_new_object();

	(void)field;
	for (int i = 0; object && i < set->count; i++) {
		struct json_object *value;

		if (encode_number(set->of[i].value, &value) < 0 ||
		    json_object_object_add(object, set->of[i].name, value)) {
			json_object_put(object);
			object = NULL;
		}
	}
	*ret = object;
	return object ? 0 : -1;
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

const struct codec codec_parameters = { parameters_encode, parameters_decode,
					false };

/* --- Conditions ---------------------------------------------------------- */

const struct field conditions_fields[] = {
	FIELD(struct conditions, nodes_known, codec_int),
	FIELD(struct conditions, cpu_load, codec_number),
	FIELD(struct conditions, cpu_load_max, codec_number),
	FIELD(struct conditions, cpu_available, codec_number, .max = 1),
	FIELD(struct conditions, cpu_available_min, codec_number, .max = 1),
	FIELD(struct conditions, bandwidth_bps, codec_number),
	FIELD(struct conditions, latency_s, codec_number),
	{ .name = NULL },
};
