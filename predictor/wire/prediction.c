/* prediction.c - a prediction as a message */
#include <math.h>
#include <string.h>

#include "predictor/wire/codecs.h"
#include "predictor/wire/wire.h"

/* --- [{"model": ..., "median_s": ...}, ...], at the whole prediction ------ */

static const struct field candidate_fields[] = {
	FIELD(struct prediction_candidate, model, codec_text, .required = true),
	FIELD(struct prediction_candidate, median_s, codec_number),
	{ .name = NULL },
};

static int candidates_encode(const struct field *field, const void *member,
			     struct json_object **ret)
{
	const struct prediction *p = member;
	struct json_object *array = json_object_new_array();

	(void)field;
	for (int i = 0; array && i < p->candidates_count; i++) {
		struct json_object *candidate =
			fields_encode(candidate_fields, &p->candidates[i]);

		if (!candidate || json_object_array_add(array, candidate) < 0) {
			json_object_put(candidate);
			json_object_put(array);
			array = NULL;
		}
	}
	*ret = array;
	return array ? 0 : -1;
}

static int candidates_decode(const struct field *field,
			     struct json_object *value, void *member,
			     struct sp_error *err)
{
	struct prediction *p = member;
	struct sp_error why;

	(void)field;
	if (!json_object_is_type(value, json_type_array))
		return sp_error_set(err, ": must be an array");

	size_t count = json_object_array_length(value);

	if (count > PREDICTION_MODELS_MAX)
		return sp_error_set(err, ": has more than %d entries",
				    PREDICTION_MODELS_MAX);
	for (size_t i = 0; i < count; i++) {
		p->candidates[i].median_s = NAN;
		if (fields_decode(candidate_fields,
				  json_object_array_get_idx(value, i),
				  &p->candidates[i], &why) < 0)
			return sp_error_set(err, "[%zu].%s", i, why.text);
	}
	p->candidates_count = (int)count;
	return 0;
}

static const struct codec codec_candidates = { candidates_encode,
					       candidates_decode, false };

/* --- The message --------------------------------------------------------- */

#define MEMBER(member, codec) FIELD(struct prediction, member, codec)
#define REQUIRED(member, codec) \
	FIELD(struct prediction, member, codec, .required = true)

static const struct field prediction_fields[] = {
	MEMBER(id, codec_id),
	MEMBER(made_at_s, codec_time),
	MEMBER(mode, codec_mode),
	MEMBER(cluster, codec_text),
	MEMBER(user_id, codec_u32),
	MEMBER(account, codec_text),
	MEMBER(partition, codec_text),
	MEMBER(job_name, codec_text),
	{ .name = "application",
	  .codec = &codec_text,
	  .offset = offsetof(struct prediction, application.name),
	  .size = APPLICATION_NAME_SIZE },
	{ .name = "parameters",
	  .codec = &codec_parameters,
	  .offset = offsetof(struct prediction, application.parameters) },
	MEMBER(nodes, codec_u32),
	MEMBER(tasks, codec_u32),
	MEMBER(cpus, codec_u32),
	MEMBER(limit_s, codec_limit),
	MEMBER(assumed_nodes, codec_text),
	FIELD(struct prediction, conditions, codec_object,
	      .nested = conditions_fields),
	REQUIRED(basis, codec_basis),
	MEMBER(model, codec_text),
	REQUIRED(median_s, codec_number),
	FIELD(struct prediction, quantile, codec_known, .required = true,
	      .max = 1),
	REQUIRED(quantile_s, codec_number),
	MEMBER(runs, codec_u32),
	MEMBER(last_error, codec_number),
	{ .name = "candidates", .codec = &codec_candidates },
	{ .name = NULL },
};

static const struct field brief_fields[] = {
	MEMBER(id, codec_id),
	MEMBER(limit_s, codec_limit),
	MEMBER(basis, codec_basis),
	MEMBER(median_s, codec_number),
	MEMBER(quantile, codec_known),
	MEMBER(quantile_s, codec_number),
	MEMBER(runs, codec_u32),
	MEMBER(last_error, codec_number),
	{ .name = NULL },
};

struct json_object *wire_prediction_encode(const struct prediction *p)
{
	return fields_encode(prediction_fields, p);
}

struct json_object *wire_prediction_encode_brief(const struct prediction *p)
{
	return fields_encode(brief_fields, p);
}

int wire_prediction_decode(struct json_object *message, struct prediction *ret,
			   struct sp_error *err)
{
	struct prediction p = {
		.mode = MODE_ADVISE,
		.limit_s = NAN,
		.last_error = NAN,
	};

	conditions_init(&p.conditions);
	if (fields_decode(prediction_fields, message, &p, err) < 0)
		return -1;
	/* So that whoever reads the basis need not doubt the numbers. */
	if (p.basis == BASIS_HISTORY &&
	    (isnan(p.median_s) || isnan(p.quantile_s)))
		return sp_error_set(err, "median_s: is missing");
	*ret = p;
	return 0;
}
